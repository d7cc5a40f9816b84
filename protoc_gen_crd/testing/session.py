"""A validation run: the CRDs in the paths are loaded first, then documents are validated file by file.

The result of a file is plain data without references to the run, so that other processes can send it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_cases import CRD_KIND, DocumentCase, read_cases
from protoc_gen_crd.documents.document_files import find_files, is_stream, read_content
from protoc_gen_crd.findings.finding import Finding, Location, Place, Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.versions import parse_minors
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.case_runner import CaseResult, CaseRunner
from protoc_gen_crd.testing.object_files import lacks_json_objects, lacks_objects, make_skip_note, make_stream_error
from protoc_gen_crd.testing.run_summary import (
    FileResult,
    TestedCase,
    format_count,
    list_tested,
    report_nothing_validated,
    report_unknown_kinds,
)
from protoc_gen_crd.testing.unknown_kinds import BUILT_IN, NO_CRD, NO_OBJECT, SKIP_RULE, SKIPPED, UnknownKinds

if TYPE_CHECKING:
    from protoc_gen_crd.testing.coverage import ConstraintCounts, Coverage

_CRD_MARK = CRD_KIND.encode()


class Session:
    """A run: its settings, its CRDs, and the files to validate."""

    def __init__(
        self, settings: Settings, paths: Sequence[str], problems: Problems, output_folders: Sequence[str] = ()
    ) -> None:
        self.settings = settings
        self.problems = problems
        self.minors = parse_minors(settings.kubernetes)
        self.definitions = CrdDefinitions(self.minors)
        self.paths: dict[str, str] = {}
        self.contents: dict[str, bytes] = {}
        self._cases: dict[str, tuple[list[DocumentCase], list[Finding]]] = {}
        self._crd_findings: dict[int, tuple[Finding, ...]] = {}  # by id of a case, which is kept alive
        files = find_files(paths, problems, output_folders)
        own = os.path.abspath(settings.settings)  # noqa: PTH100 - links stay links
        self.files = tuple(file for file in files.documents if not settings.settings or os.path.abspath(file) != own)  # noqa: PTH100
        self._generator_inputs = files.generator_inputs
        self._runner: CaseRunner | None = None

    def load(self) -> None:
        """Load the old state, then the CRDs of .proto files and descriptors, then those of documents."""
        if self.settings.old:
            old_files = find_files(self.settings.old, self.problems)
            self.definitions.old_state.load(old_files, self.settings, self.paths, self.problems)
        for crd in self._generate_crds(self._generator_inputs):
            self.definitions.add(crd, self.problems)
        for file in self.files:
            data = read_content(file, self.problems)
            if is_stream(file):
                self.contents[file] = data
            if _CRD_MARK in data or is_stream(file):
                self._add_crds(file, data)
        if not len(self.definitions) and self.settings.inputs and not self._generator_inputs:
            for crd in self._generate_crds(self.settings.inputs):
                self.definitions.add(crd, self.problems)

    def _generate_crds(self, inputs: Sequence[str]) -> Sequence[Crd]:
        if not inputs:
            return ()
        from protoc_gen_crd.documents.proto_crds import generate_crds  # noqa: PLC0415 - only these need protobuf

        return generate_crds(inputs, self.settings, self.paths, self.problems)

    def _add_crds(self, file: str, data: bytes) -> None:
        """Add the CRDs of a file, and cache its documents for their validation."""
        problems = Problems()
        cases = read_cases(data, file, problems, self.minors[-1])
        self._cases[file] = cases, problems.findings
        for case in cases:
            if _is_crd_definition(case):
                crd_problems = Problems()
                self.definitions.add(case, crd_problems)
                if len(data) > self.settings.byte_limit:
                    _check_size(case, self.settings.byte_limit, crd_problems)
                self._crd_findings[id(case)] = tuple(crd_problems.findings)
                self.problems.findings += crd_problems.findings

    def report_unreadable(self) -> None:
        """Report the errors of reading the files with CRDs, for runs that do not validate files."""
        self.problems.findings += [finding for file in self._cases for finding in self.get_objects(file)[1]]

    def validate_file(self, file: str) -> FileResult:
        """Validate the documents of a file."""
        problems = Problems()
        all_cases, findings = self.get_objects(file)
        cases = [case for case in all_cases if not _is_crd_definition(case)]
        outcomes = [self.runner.validate(case) for case in cases]
        tested = _list_tested(file, all_cases, iter(outcomes), findings)
        counts = (
            tuple(self._count_constraints(*pair) for pair in zip(cases, outcomes, strict=True))
            if self._has_coverage
            else ()
        )
        new_data = self._update_file(
            file, all_cases, {id(case): pair for case, pair in zip(cases, outcomes, strict=True)}, problems
        )
        reported = [*findings, *problems.findings, *(finding for outcome in outcomes for finding in outcome.findings)]
        return FileResult(file, tested, tuple(_resolve_places(reported)), counts, new_data)

    def revalidate_file(self, file: str) -> FileResult:
        """Validate a file that has changed. Its CRDs are not reloaded."""
        self._cases.pop(file, None)
        return self.validate_file(file)

    def _update_file(
        self, file: str, cases: Sequence[DocumentCase], outcomes: Mapping[int, CaseResult], problems: Problems
    ) -> bytes | None:
        if not self.settings.update or is_stream(file):
            return None
        from protoc_gen_crd.testing.expected_errors import add_missing_errors  # noqa: PLC0415 - few runs ask for it

        return add_missing_errors(
            read_content(file, problems), [(case, outcomes.get(id(case))) for case in cases], problems
        )

    @property
    def _has_coverage(self) -> bool:
        return self.settings.coverage is not None

    def _count_constraints(self, case: DocumentCase, outcome: CaseResult) -> ConstraintCounts:
        from protoc_gen_crd.testing.coverage import count_constraints  # noqa: PLC0415 - few runs ask for it

        definition = self.definitions.find(case)
        return count_constraints(case, outcome.verdicts, definition) if definition else {}

    def measure_coverage(self, results: Iterable[FileResult]) -> Coverage | None:
        """Return the coverage of the CRDs by the documents, None without the setting. Report insufficient coverage."""
        if self.settings.coverage is None:
            return None
        from protoc_gen_crd.testing.coverage import Coverage  # noqa: PLC0415 - as above

        coverage = Coverage(self.definitions, self.minors[-1])
        for result in results:
            for counts in result.constraint_counts:
                coverage.add(counts)
        if coverage.percentage < self.settings.coverage:
            message = f"coverage of {coverage.percentage:.1f} % is below the threshold of {self.settings.coverage:g} %"
            self.problems.report("coverage-low", message)
        return coverage

    def validate_case(self, case: DocumentCase) -> CaseResult:
        """Return the result of a document. A CRD that others are validated against was validated when it was loaded."""
        if not _is_crd_definition(case):
            return self.runner.validate(case)
        return CaseResult(case.name, case.at, findings=self._crd_findings.get(id(case), ()))

    def get_cases(self, file: str) -> tuple[list[DocumentCase], list[Finding]]:
        """Return the documents of a file, and the findings of reading it."""
        if file in self._cases:
            return self._cases[file]
        problems = Problems()
        data = read_content(file, problems)
        return read_cases(data, file, problems, self.minors[-1]), problems.findings

    def get_objects(self, file: str) -> tuple[list[DocumentCase], list[Finding]]:
        """Return the same as `get_cases`, but no cases and a note for a file without objects."""
        if file not in self._cases and lacks_json_objects(file):
            return [], [make_skip_note(file)]
        cases, findings = self.get_cases(file)
        if not lacks_objects(file, cases, findings, self.runner.unknown_kinds):
            return cases, findings
        if is_stream(file):
            return [], [] if self._is_unreadable(file) else [make_stream_error(file)]
        return [], [make_skip_note(file)]

    def _is_unreadable(self, file: str) -> bool:
        unread = (finding.at for finding in self.problems.findings if finding.rule == "document-file")
        return any(at is not None and at.resolve().file == file for at in unread)

    @property
    def runner(self) -> CaseRunner:
        """The runner of test cases. It is created after the CRDs are loaded."""
        if self._runner is None:
            sources = self.make_sources()

            def format_place(place: Place) -> str:
                at = sources.locate(place.resolve(), None)
                return str(at.replace(file=sources.get_path(at.file)))

            settings = self.settings
            kinds = UnknownKinds(self.definitions, settings.skip_kinds, strict=settings.strict_kinds)
            self._runner = CaseRunner(self.definitions, kinds, format_place, field_validation=settings.field_validation)
        return self._runner

    def make_sources(self) -> SourceFiles:
        """Return the content of the files with findings."""
        return SourceFiles(self.paths, self.contents)

    def report_run(self, results: Sequence[FileResult]) -> None:
        """Report findings that concern the run as a whole."""
        tested = [case for case in list_tested(results) if case.skipped != NO_OBJECT]
        findings = [*self.problems.findings, *(finding for result in results for finding in result.findings)]
        if self._generator_inputs and has_error(self.problems.findings, self.settings.findings, complete=False):
            return  # errors of the API explain why there is no CRD
        if not len(self.definitions) and any(case.skipped in (NO_CRD, BUILT_IN) for case in tested):
            self._report_no_crds(len([case for case in tested if case.skipped != SKIPPED]))
        elif not len(self.definitions) and not tested and all(finding.rule == SKIP_RULE for finding in findings):
            self._report_no_documents()
        else:
            report_unknown_kinds(tested, self.problems)
            report_nothing_validated(results, self.problems)

    def _report_no_crds(self, count: int) -> None:
        hint = "add a path with CRDs, .proto files or a descriptor set"
        hint += "; CRDs in --old are only the old state" if self.settings.old else ""
        self.problems.report("crd-none", f"no CRD found for {format_count(count)}", hint=hint)

    def _report_no_documents(self) -> None:
        if self._generator_inputs and self.settings.channel:
            from protoc_gen_crd.documents.proto_crds import report_no_resources  # noqa: PLC0415 - as above

            report_no_resources(", ".join(self._generator_inputs), self.settings, self.problems)
        else:
            self.problems.report("document-none", "no documents or CRDs found")


def _check_size(case: DocumentCase, limit: int, problems: Problems) -> None:
    """Report a CRD that is larger than the objects that API servers can store."""
    size = len(json.dumps(case.object, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))
    if size > limit:
        message = f"CRD has {size:,} bytes as JSON, which exceeds the limit of {limit:,} bytes"
        problems.report(
            "schema-size",
            message,
            case.at,
            path=case.name,
            hint="etcd rejects larger objects: shorten descriptions or split the CRD",
        )


def _is_crd_definition(case: DocumentCase) -> bool:
    """Return whether a document is a CRD that others are validated against, and not a test document itself."""
    return case.is_crd and not case.expectation.keys and not case.expectation.is_rejected


def _list_tested(
    file: str, cases: Sequence[DocumentCase], outcomes: Iterator[CaseResult], findings: Sequence[Finding]
) -> tuple[TestedCase, ...]:
    """List the documents of a file in order, or the file if it is skipped. CRDs have no result."""
    if not cases and any(finding.rule == SKIP_RULE for finding in findings):
        return (TestedCase("(file)", Location(file), NO_OBJECT),)
    return tuple(
        TestedCase(case.name, case.at, is_definition=True)
        if _is_crd_definition(case)
        else _make_tested(case, next(outcomes))
        for case in cases
    )


def _make_tested(case: DocumentCase, outcome: CaseResult) -> TestedCase:
    is_unknown = any(finding.rule == "document-kind" for finding in outcome.findings)
    return TestedCase(
        outcome.name,
        outcome.at,
        outcome.skipped,
        outcome.is_update,
        kind=case.kind,
        group=case.group,
        is_unknown=is_unknown,
    )


def _resolve_places(findings: Iterable[Finding]) -> Iterable[Finding]:
    """Return the findings with resolved places."""
    return (finding.replace(at=finding.at.resolve()) if finding.at else finding for finding in findings)
