"""The pytest plugin: every document is a test item, once a project says where its documents are.

Without the option `crd_documents` nothing else of this package is imported.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr, TracebackStyle

    from protoc_gen_crd.base.diagnostics import Finding
    from protoc_gen_crd.testing.cases import Case
    from protoc_gen_crd.testing.session import Session

DOCUMENTS, OLD, SETTINGS, KUBERNETES = "crd_documents", "crd_old", "crd_settings", "crd_kubernetes"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of pytest's own settings file."""
    parser.addini(DOCUMENTS, "what protoc-gen-crd validate would be given: documents, CRDs, .proto files", "paths", [])
    parser.addini(OLD, "CRDs and objects as they were before, of which what is judged is an update", "paths", [])
    parser.addini(SETTINGS, "settings file of protoc-gen-crd, if it is not to be looked for", "string", "")
    parser.addini(KUBERNETES, "versions of Kubernetes to judge for, such as 1.30..1.34", "string", "")


def pytest_configure(config: pytest.Config) -> None:
    """Register what collects documents, where there are any, and see that their folders are looked into."""
    paths: Sequence[Path] = config.getini(DOCUMENTS)
    if not paths:
        return
    for name in (DOCUMENTS, OLD):
        for path in config.getini(name):
            if not path.exists():
                raise pytest.UsageError(f"{name} must name files and folders that are there, found {path}")
    config.pluginmanager.register(_Collector(config, paths), "protoc-gen-crd-documents")
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        roots = [Path(config.invocation_params.dir, arg).resolve() for arg in config.args]
        config.args += [str(path) for path in paths if not any(path.resolve().is_relative_to(root) for root in roots)]


class _Collector:
    """Takes up the files that hold documents. CRDs are read when the first of them is."""

    def __init__(self, config: pytest.Config, paths: Sequence[Path]) -> None:
        self._config, self._paths = config, paths
        self._session: Session | None = None
        self._loaded = False
        self._files: dict[Path, str] = {}

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """The file's documents, if it is one of those."""
        name = self._known().get(file_path.resolve())
        if name is None:
            return None
        file = _File.from_parent(parent, path=file_path)
        file.documents, file.shown = self, name
        return file

    def _known(self) -> dict[Path, str]:
        if not self._files:
            self._files = {Path(name).resolve(): name for name in self._given().files}
        return self._files

    @property
    def session(self) -> Session:
        """The run, with its CRDs."""
        session = self._given()
        if not self._loaded:
            self._loaded = True
            session.load()
        return session

    def _given(self) -> Session:
        if self._session is None:
            from protoc_gen_crd.base.diagnostics import Problems  # noqa: PLC0415 - not for projects without documents
            from protoc_gen_crd.settings_file import find_settings  # noqa: PLC0415
            from protoc_gen_crd.settings_given import combine, take  # noqa: PLC0415
            from protoc_gen_crd.settings_options import OPTIONS  # noqa: PLC0415
            from protoc_gen_crd.testing.session import Session  # noqa: PLC0415

            problems = Problems()
            root, start = self._config.rootpath, self._config.invocation_params.dir
            named = self._config.getini(SETTINGS) or find_settings(root, problems)
            given: dict[str, object] = {"settings": os.path.relpath(root / named, start)} if named else {}
            if asked := self._config.getini(KUBERNETES):
                take(OPTIONS["kubernetes"], asked, given, problems)
            if before := [os.path.relpath(path, start) for path in self._config.getini(OLD)]:
                given["old"] = before
            shown = [os.path.relpath(path, start) for path in self._paths]
            self._session = Session(combine(given, problems), shown, problems)
        return self._session

    def general(self) -> Iterable[Finding]:
        """What is wrong with the run as a whole."""
        files = set(self.session.files)
        return [each for each in self.session.problems.findings if not each.at or each.at.resolve().file not in files]

    def report(self, findings: Iterable[Finding]) -> str:
        """The findings as text, empty where none is as severe as `fail_on` says."""
        from protoc_gen_crd.base.diagnostics import Severity  # noqa: PLC0415
        from protoc_gen_crd.base.render.report import conclude  # noqa: PLC0415
        from protoc_gen_crd.base.render.text import render  # noqa: PLC0415

        settings = self.session.settings
        entries = [entry for entry in settings.findings if any(entry.covers(finding) for finding in findings)]
        made = conclude(list(findings), entries, self.session.sources())
        return render(made) if made.reaches(Severity[settings.fail_on.upper()]) else ""


class _File(pytest.File):
    """A file of documents, known to findings by the name `shown`."""

    documents: _Collector
    shown: str

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each document, and one for what is wrong with the text as such."""
        if text := self.documents.report(self.documents.general()):
            raise self.CollectError(text)
        cases, findings = self.documents.session.cases(self.shown)
        slips = {id(slip) for case in cases for slip in case.slips}
        if general := [finding for finding in findings if id(finding) not in slips]:
            yield self._item("(text)", 1, None, general)
        taken: set[str] = set()
        for case in cases:
            yield self._item(_unused(case.name, taken), case.at.line, case)

    def _item(self, name: str, line: int, case: Case | None, findings: Sequence[Finding] = ()) -> _Item:
        item = _Item.from_parent(self, name=name)
        item.documents, item.line, item.case, item.findings = self.documents, line, case, findings
        return item


def _unused(wanted: str, taken: set[str]) -> str:
    """A name by which pytest can be asked for one document, added to those that are taken."""
    from protoc_gen_crd.base.render.text import visible  # noqa: PLC0415 - as above

    plain = re.sub(":+", ":", visible(wanted))  # pytest separates names by two of them
    names = itertools.chain([plain], (f"{plain}[{count}]" for count in itertools.count(2)))
    name = next(each for each in names if each not in taken)
    taken.add(name)
    return name


class _ReportedError(Exception):
    """A document is not as it must be; the text is the report."""


class _Item(pytest.Item):
    """One document, or findings that are known already."""

    documents: _Collector
    line: int
    case: Case | None
    findings: Sequence[Finding]

    def runtest(self) -> None:
        """Judge the document."""
        findings = self.findings
        if self.case is not None:
            outcome = self.documents.session.outcome(self.case)
            if outcome.skipped and not self.case.slips:
                pytest.skip(outcome.skipped)
            findings = (*self.case.slips, *outcome.findings)
        if text := self.documents.report(findings):
            raise _ReportedError(text)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: TracebackStyle | None = None
    ) -> str | TerminalRepr:
        """The report alone: a traceback of ours tells nothing."""
        known = isinstance(excinfo.value, _ReportedError)
        return str(excinfo.value) if known else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the document starts. Of the bare name pytest would take the dots for those of a module."""
        return self.path, self.line - 1, f"document {self.name}"
