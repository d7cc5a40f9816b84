"""The pytest plugin. Every document in the paths of the option `crd_documents` is a test item.

With the option `crd_lint`, the linter is one more item.

Without `crd_documents`, no other module of this package is imported.
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

    from protoc_gen_crd.documents.document_reader import DocumentCase
    from protoc_gen_crd.findings.finding import Finding
    from protoc_gen_crd.testing.validation_run import Session

DOCUMENTS, OLD, SETTINGS, KUBERNETES = "crd_documents", "crd_old", "crd_settings", "crd_kubernetes"
LINT = "crd_lint"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options in the settings file of pytest."""
    parser.addini(DOCUMENTS, "paths for protoc-gen-crd validate: documents, CRDs, .proto files", "paths", [])
    parser.addini(OLD, "old CRDs and objects, which the documents update", "paths", [])
    parser.addini(SETTINGS, "settings file of protoc-gen-crd (default: search for it)", "string", "")
    parser.addini(KUBERNETES, "Kubernetes versions to validate for, such as 1.30..1.34", "string", "")
    parser.addini(LINT, "run protoc-gen-crd lint on the same paths as one more test", "bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Register the collector of documents if the option is set, and add their folders to the paths of pytest."""
    paths: Sequence[Path] = config.getini(DOCUMENTS)
    if not paths:
        return
    for name in (DOCUMENTS, OLD):
        for path in config.getini(name):
            if not path.exists():
                raise pytest.UsageError(f"no such file or folder in {name}: {path}")
    config.pluginmanager.register(_DocumentPlugin(config, paths), "protoc-gen-crd-documents")
    if config.args_source is not pytest.Config.ArgsSource.ARGS:
        from protoc_gen_crd.base.resolved_paths import resolve_links  # noqa: PLC0415

        roots = [resolve_links(Path(config.invocation_params.dir, arg)) for arg in config.args]
        config.args += [
            str(path) for path in paths if not any(resolve_links(path).is_relative_to(root) for root in roots)
        ]


class _Failure(NamedTuple):
    """A report, and the message of its worst finding."""

    text: str
    message: str

    def build_representation(self, path: Path, line: int) -> TerminalRepr:
        """Return the report for pytest. Its short summary shows only the message."""
        from _pytest._code.code import (  # noqa: PLC0415 - only failures need it
            ReprEntryNative,
            ReprExceptionInfo,
            ReprFileLocation,
            ReprTraceback,
        )

        text = ReprTraceback([ReprEntryNative([self.text])], None, style="native")
        return ReprExceptionInfo(text, ReprFileLocation(str(path), line, self.message))


class _FindingsError(Exception):
    """Findings that fail a document or the collection of a file."""

    def __init__(self, failure: _Failure) -> None:
        super().__init__(failure.text)
        self.failure = failure


class _DocumentPlugin:
    """Collects the files with documents. CRDs are loaded with the first of these files."""

    def __init__(self, config: pytest.Config, paths: Sequence[Path]) -> None:
        self._config, self._paths = config, paths
        self._session: Session | None = None
        self._loaded = False
        self._files: dict[Path, str] = {}

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Return the collector of a file with documents, None for other files."""
        from protoc_gen_crd.base.resolved_paths import resolve_links  # noqa: PLC0415

        name = self._list_files().get(resolve_links(file_path))
        if name is None:
            return None
        file = _DocumentFile.from_parent(parent, path=file_path)
        file.document_plugin, file.display_name = self, name
        return file

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the item of the linter, unless single items are selected or no document is."""
        is_selection = any("::" in arg for arg in self._config.args)
        if self._config.getini(LINT) and not is_selection and any(isinstance(item, _DocumentItem) for item in items):
            item = _LintItem.from_parent(session, name="lint")
            item.document_plugin = self
            items.append(item)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List the kinds without a CRD and the built-in kinds, each with its number of documents."""
        from protoc_gen_crd.documents.kind_messages import NO_CRD_PREFIX  # noqa: PLC0415
        from protoc_gen_crd.documents.unknown_kinds import BUILT_IN  # noqa: PLC0415

        skipped = [report.longrepr for report in terminalreporter.stats.get("skipped", ())]
        reasons = Counter(skip[2].removeprefix("Skipped: ") for skip in skipped if isinstance(skip, tuple))
        for reason, count in sorted(reasons.items()):
            documents = f"{count} document{'s' * (count != 1)}"
            if reason == BUILT_IN:
                terminalreporter.write_line(f"{documents} {BUILT_IN}")
            elif reason.startswith(NO_CRD_PREFIX):
                terminalreporter.write_line(f"{reason}: {documents} not validated")

    def _list_files(self) -> dict[Path, str]:
        from protoc_gen_crd.base.resolved_paths import resolve_links  # noqa: PLC0415

        if not self._files:
            self._files = {resolve_links(name): name for name in self._get_session().files}
        return self._files

    @property
    def session(self) -> Session:
        """The session, with its CRDs loaded."""
        session = self._get_session()
        if not self._loaded:
            from protoc_gen_crd.crd_loader import load_documents  # noqa: PLC0415 - not for projects without documents

            self._loaded = True
            load_documents(session)
        return session

    def _get_session(self) -> Session:
        if self._session is None:
            from protoc_gen_crd.findings.finding import Problems  # noqa: PLC0415 - not for projects without documents
            from protoc_gen_crd.settings.merged_options import OPTIONS  # noqa: PLC0415
            from protoc_gen_crd.settings.plugin_parameters import combine_settings, parse_option  # noqa: PLC0415
            from protoc_gen_crd.settings.settings_file import find_settings  # noqa: PLC0415
            from protoc_gen_crd.side_loader import SideReader  # noqa: PLC0415
            from protoc_gen_crd.testing.validation_run import Session  # noqa: PLC0415

            problems = Problems()
            root, start = self._config.rootpath, self._config.invocation_params.dir
            settings_path = self._config.getini(SETTINGS) or find_settings(root, problems)
            options: dict[str, object] = (
                {"settings": os.path.relpath(root / settings_path, start)} if settings_path else {}
            )
            if kubernetes := self._config.getini(KUBERNETES):
                parse_option(OPTIONS["kubernetes"], kubernetes, options, problems)
            settings = combine_settings(options, problems)
            old_paths = [os.path.relpath(path, start) for path in self._config.getini(OLD)]
            old = SideReader(OLD, settings, problems).read(old_paths)
            document_paths = [os.path.relpath(path, start) for path in self._paths]
            self._session = Session(settings, document_paths, problems, old=old)
        return self._session

    def lint(self) -> Sequence[Finding]:
        """Return the findings of the linter on the paths, with an old side only those on new and changed elements."""
        from protoc_gen_crd.comparison.severity_profiles import ProfileChoice  # noqa: PLC0415 - few projects ask for it
        from protoc_gen_crd.findings.finding import Problems  # noqa: PLC0415
        from protoc_gen_crd.lint.linter import LintApi, Linter  # noqa: PLC0415
        from protoc_gen_crd.lint_loader import LintBuilder, load_lint_api  # noqa: PLC0415
        from protoc_gen_crd.side_loader import SideReader  # noqa: PLC0415

        session, problems = self.session, Problems()
        settings, start = session.settings, self._config.invocation_params.dir
        inputs = [os.path.relpath(path, start) for path in self._paths]
        inputs += () if session.generator_inputs else settings.inputs
        api = load_lint_api(inputs, settings, session.paths, problems)
        old: LintApi | None = None
        if old_paths := [os.path.relpath(path, start) for path in self._config.getini(OLD)]:
            builder = LintBuilder()
            side = SideReader(OLD, settings, problems, build=builder.build).read(old_paths)
            old = LintApi(tuple(builder.protos), side.crds)
        linter = Linter(ProfileChoice({"": settings.profile, **settings.profiles}), settings.findings)
        return [*problems.findings, *linter.lint(api, old)]

    def list_general_findings(self) -> Iterable[Finding]:
        """Return the findings that do not belong to a file with documents."""
        files = set(self.session.files)
        return [
            finding
            for finding in self.session.problems.findings
            if not finding.at or finding.at.resolve().file not in files
        ]

    def make_failure(self, findings: Iterable[Finding]) -> _Failure | None:
        """Return the report on findings, None if no finding reaches the severity of --fail-on."""
        from protoc_gen_crd.base.escapes import terminal_line  # noqa: PLC0415
        from protoc_gen_crd.findings.finding import Severity  # noqa: PLC0415
        from protoc_gen_crd.findings.renderers.text import render  # noqa: PLC0415
        from protoc_gen_crd.findings.report_order_and_limits import build_report  # noqa: PLC0415

        settings = self.session.settings
        entries = [entry for entry in settings.findings if any(entry.matches(finding) for finding in findings)]
        report = build_report(list(findings), entries, self.session.make_sources())
        if not report.has_severity(Severity[settings.fail_on.upper()]):
            return None
        worst = max(report.items, key=lambda item: item.severity)
        return _Failure(render(report), terminal_line(worst.message))


class _DocumentFile(pytest.File):
    """A file of documents. Findings contain its `display_name`."""

    document_plugin: _DocumentPlugin
    display_name: str

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each document, and an item for the other findings on the file."""
        if failure := self.document_plugin.make_failure(self.document_plugin.list_general_findings()):
            raise _FindingsError(failure)
        cases, findings = self.document_plugin.session.get_objects(self.display_name)
        key_findings = {id(finding) for case in cases for finding in case.key_findings}
        if general := [finding for finding in findings if id(finding) not in key_findings]:
            yield self._make_item("(text)", 1, None, general)
        used_names: set[str] = set()
        for case in cases:
            yield self._make_item(_make_unique_name(case.name, used_names), case.at.line, case)

    def repr_failure(
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: TracebackStyle | None = None,  # noqa: ARG002 - required by the base class
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


def _make_unique_name(base_name: str, used_names: set[str]) -> str:
    """Return a unique name by which pytest can select a document, and add it to the used names."""
    from protoc_gen_crd.base.escapes import terminal_line  # noqa: PLC0415 - as above

    plain = re.sub(":+", ":", terminal_line(base_name))  # pytest separates names by two of them
    names = itertools.chain([plain], (f"{plain}[{count}]" for count in itertools.count(2)))
    name = next(candidate for candidate in names if candidate not in used_names)
    used_names.add(name)
    return name


class _DocumentItem(pytest.Item):
    """A document, or the findings of a file."""

    document_plugin: _DocumentPlugin
    line: int
    case: DocumentCase | None
    findings: Sequence[Finding]

    def runtest(self) -> None:
        """Validate the document."""
        from protoc_gen_crd.documents.unknown_kinds import NO_OBJECT, SKIP_RULE, describe_skip  # noqa: PLC0415 - as above

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
        """Return the place and the name of the item. pytest would read dots in a bare name as those of a module."""
        return self.path, self.line - 1, f"document {self.name}"


class _LintItem(pytest.Item):
    """The linter."""

    document_plugin: _DocumentPlugin

    def runtest(self) -> None:
        """Lint the paths."""
        if failure := self.document_plugin.make_failure(self.document_plugin.lint()):
            raise _FindingsError(failure)

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: TracebackStyle | None = None
    ) -> str | TerminalRepr:
        """Return the report without a traceback."""
        if isinstance(excinfo.value, _FindingsError):
            return excinfo.value.failure.build_representation(self.path, 1)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the folder of the run and the name of the item."""
        return self.path, None, self.name
