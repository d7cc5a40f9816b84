"""The pytest plugin: every document is a test item, once a project says where its documents are.

Without the option `crd_documents` nothing else of this package is imported.
"""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from _pytest._code.code import TerminalRepr, TracebackStyle

    from protoc_gen_crd.documents.document_cases import DocumentCase
    from protoc_gen_crd.findings.finding import Finding
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
    config.pluginmanager.register(_DocumentPlugin(config, paths), "protoc-gen-crd-documents")
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        roots = [Path(config.invocation_params.dir, arg).resolve() for arg in config.args]
        config.args += [str(path) for path in paths if not any(path.resolve().is_relative_to(root) for root in roots)]


class _Failure(NamedTuple):
    """A report, and the message of its worst finding."""

    text: str
    message: str

    def build_representation(self, path: Path, line: int) -> TerminalRepr:
        """Return the report for pytest, whose short summary shows the message alone."""
        from _pytest._code.code import (  # noqa: PLC0415 - only a failure needs it
            ReprEntryNative,
            ReprExceptionInfo,
            ReprFileLocation,
            ReprTraceback,
        )

        text = ReprTraceback([ReprEntryNative([self.text])], None, style="native")
        return ReprExceptionInfo(text, ReprFileLocation(str(path), line, self.message))


class _FindingsError(Exception):
    """Findings fail a document or the collection of a file."""

    def __init__(self, failure: _Failure) -> None:
        super().__init__(failure.text)
        self.failure = failure


class _DocumentPlugin:
    """Takes up the files that hold documents. CRDs are read when the first of them is."""

    def __init__(self, config: pytest.Config, paths: Sequence[Path]) -> None:
        self._config, self._paths = config, paths
        self._session: Session | None = None
        self._loaded = False
        self._files: dict[Path, str] = {}

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """The file's documents, if it is one of those."""
        name = self._list_files().get(file_path.resolve())
        if name is None:
            return None
        file = _DocumentFile.from_parent(parent, path=file_path)
        file.document_plugin, file.display_name = self, name
        return file

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the kinds without a CRD and the built-in ones, each with its number of documents."""
        from protoc_gen_crd.testing.unknown_kinds import BUILT_IN, NO_CRD_PREFIX  # noqa: PLC0415

        skipped = [report.longrepr for report in terminalreporter.stats.get("skipped", ())]
        reasons = Counter(skip[2].removeprefix("Skipped: ") for skip in skipped if isinstance(skip, tuple))
        for reason, count in sorted(reasons.items()):
            documents = f"{count} document{'s' * (count != 1)}"
            if reason == BUILT_IN:
                terminalreporter.write_line(f"{documents} {BUILT_IN}")
            elif reason.startswith(NO_CRD_PREFIX):
                terminalreporter.write_line(f"{reason}: {documents} not validated")

    def _list_files(self) -> dict[Path, str]:
        if not self._files:
            self._files = {Path(name).resolve(): name for name in self._get_session().files}
        return self._files

    @property
    def session(self) -> Session:
        """The run, with its CRDs."""
        session = self._get_session()
        if not self._loaded:
            self._loaded = True
            session.load()
        return session

    def _get_session(self) -> Session:
        if self._session is None:
            from protoc_gen_crd.findings.finding import Problems  # noqa: PLC0415 - not for projects without documents
            from protoc_gen_crd.settings.option_table import OPTIONS  # noqa: PLC0415
            from protoc_gen_crd.settings.plugin_parameters import combine_settings, parse_option  # noqa: PLC0415
            from protoc_gen_crd.settings.settings_file import find_settings  # noqa: PLC0415
            from protoc_gen_crd.testing.session import Session  # noqa: PLC0415

            problems = Problems()
            root, start = self._config.rootpath, self._config.invocation_params.dir
            named = self._config.getini(SETTINGS) or find_settings(root, problems)
            given: dict[str, object] = {"settings": os.path.relpath(root / named, start)} if named else {}
            if asked := self._config.getini(KUBERNETES):
                parse_option(OPTIONS["kubernetes"], asked, given, problems)
            if before := [os.path.relpath(path, start) for path in self._config.getini(OLD)]:
                given["old"] = before
            shown = [os.path.relpath(path, start) for path in self._paths]
            self._session = Session(combine_settings(given, problems), shown, problems)
        return self._session

    def list_general_findings(self) -> Iterable[Finding]:
        """What is wrong with the run as a whole."""
        files = set(self.session.files)
        return [each for each in self.session.problems.findings if not each.at or each.at.resolve().file not in files]

    def make_failure(self, findings: Iterable[Finding]) -> _Failure | None:
        """Return the report on findings, None if none is as severe as --fail-on."""
        from protoc_gen_crd.findings.finding import Severity  # noqa: PLC0415
        from protoc_gen_crd.findings.renderers.terminal import escape_control_characters, render  # noqa: PLC0415
        from protoc_gen_crd.findings.report import build_report  # noqa: PLC0415

        settings = self.session.settings
        entries = [entry for entry in settings.findings if any(entry.matches(finding) for finding in findings)]
        report = build_report(list(findings), entries, self.session.make_sources())
        if not report.has_severity(Severity[settings.fail_on.upper()]):
            return None
        worst = max(report.items, key=lambda item: item.severity)
        return _Failure(render(report), escape_control_characters(worst.message))


class _DocumentFile(pytest.File):
    """A file of documents, known to findings by the name `display_name`."""

    document_plugin: _DocumentPlugin
    display_name: str

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each document, and one for what is wrong with the text as such."""
        if failure := self.document_plugin.make_failure(self.document_plugin.list_general_findings()):
            raise _FindingsError(failure)
        cases, findings = self.document_plugin.session.get_objects(self.display_name)
        slips = {id(slip) for case in cases for slip in case.key_findings}
        if general := [finding for finding in findings if id(finding) not in slips]:
            yield self._make_item("(text)", 1, None, general)
        taken: set[str] = set()
        for case in cases:
            yield self._make_item(_make_unique_name(case.name, taken), case.at.line, case)

    def repr_failure(
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: TracebackStyle | None = None,  # noqa: ARG002 - a collector has none, but its base class has
    ) -> str | TerminalRepr:
        """Return the report without a traceback."""
        if isinstance(excinfo.value, _FindingsError):
            return excinfo.value.failure.build_representation(self.path, 1)
        return super().repr_failure(excinfo)

    def _make_item(
        self, name: str, line: int, case: DocumentCase | None, findings: Sequence[Finding] = ()
    ) -> _DocumentItem:
        item = _DocumentItem.from_parent(self, name=name)
        item.document_plugin, item.line, item.case, item.findings = self.document_plugin, line, case, findings
        return item


def _make_unique_name(wanted: str, taken: set[str]) -> str:
    """A name by which pytest can be asked for one document, added to those that are taken."""
    from protoc_gen_crd.findings.renderers.terminal import escape_control_characters  # noqa: PLC0415 - as above

    plain = re.sub(":+", ":", escape_control_characters(wanted))  # pytest separates names by two of them
    names = itertools.chain([plain], (f"{plain}[{count}]" for count in itertools.count(2)))
    name = next(each for each in names if each not in taken)
    taken.add(name)
    return name


class _DocumentItem(pytest.Item):
    """One document, or findings that are known already."""

    document_plugin: _DocumentPlugin
    line: int
    case: DocumentCase | None
    findings: Sequence[Finding]

    def runtest(self) -> None:
        """Validate the document."""
        from protoc_gen_crd.testing.unknown_kinds import NO_OBJECT, SKIP_RULE, describe_skip  # noqa: PLC0415 - as above

        findings = self.findings
        if self.case is not None:
            outcome = self.document_plugin.session.validate_case(self.case)
            if outcome.skipped and not self.case.key_findings:
                pytest.skip(describe_skip(self.case, outcome.skipped))
            findings = (*self.case.key_findings, *outcome.findings)
        elif any(finding.rule == SKIP_RULE for finding in findings):
            pytest.skip(NO_OBJECT)
        if failure := self.document_plugin.make_failure(findings):
            raise _FindingsError(failure)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: TracebackStyle | None = None
    ) -> str | TerminalRepr:
        """Return the report without a traceback."""
        if isinstance(excinfo.value, _FindingsError):
            return excinfo.value.failure.build_representation(self.path, self.line)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the document starts. Of the bare name pytest would take the dots for those of a module."""
        return self.path, self.line - 1, f"document {self.name}"
