"""One run over paths: the CRDs are gathered first, then documents are judged file by file.

A file's result is plain data without ties to the run, so that another process can send it.
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
    """A run: what it was given, the CRDs in it, and the files to judge."""

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
        self._crd_findings: dict[int, tuple[Finding, ...]] = {}  # of CRDs, which stay alive with their file
        files = find_files(paths, problems, output_folders)
        own = os.path.abspath(settings.settings)  # noqa: PTH100 - links stay links
        self.files = tuple(file for file in files.documents if not settings.settings or os.path.abspath(file) != own)  # noqa: PTH100
        self._generator_inputs = files.generator_inputs
        self._runner: CaseRunner | None = None

    def load(self) -> None:
        """Gather the CRDs: of .proto files and descriptors, then of documents. What was there before comes first."""
        if self.settings.old:
            before = find_files(self.settings.old, self.problems)
            self.definitions.old_state.load(before, self.settings, self.paths, self.problems)
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

    def _generate_crds(self, given: Sequence[str]) -> Sequence[Crd]:
        if not given:
            return ()
        from protoc_gen_crd.documents.proto_crds import generate_crds  # noqa: PLC0415 - protobuf is of no use without

        return generate_crds(given, self.settings, self.paths, self.problems)

    def _add_crds(self, file: str, data: bytes) -> None:
        """Take up the CRDs of a file. Its documents are kept for when they are judged."""
        problems = Problems()
        cases = read_cases(data, file, problems, self.minors[-1])
        self._cases[file] = cases, problems.findings
        for case in cases:
            if _is_crd_definition(case):
                said = Problems()
                self.definitions.add(case, said)
                if len(data) > self.settings.byte_limit:
                    _check_size(case, self.settings.byte_limit, said)
                self._crd_findings[id(case)] = tuple(said.findings)
                self.problems.findings += said.findings

    def report_unreadable(self) -> None:
        """Report what of the files with CRDs cannot be read: a run that judges no file says it nowhere else."""
        self.problems.findings += [finding for _, findings in self._cases.values() for finding in findings]

    def validate_file(self, file: str) -> FileResult:
        """Judge the documents of a file."""
        problems = Problems()
        every, findings = self.get_objects(file)
        cases = [case for case in every if not _is_crd_definition(case)]
        outcomes = [self.runner.validate(case) for case in cases]
        tested = _list_tested(file, every, iter(outcomes), findings)
        marks = (
            tuple(self._count_constraints(*each) for each in zip(cases, outcomes, strict=True))
            if self._has_coverage
            else ()
        )
        text = self._update_file(
            file, every, {id(case): each for case, each in zip(cases, outcomes, strict=True)}, problems
        )
        reported = [*findings, *problems.findings, *(finding for outcome in outcomes for finding in outcome.findings)]
        return FileResult(file, tested, tuple(_resolve_places(reported)), marks, text)

    def revalidate_file(self, file: str) -> FileResult:
        """Judge a file that has changed; its CRDs stay what they are."""
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
        """What the documents have met of the CRDs, if that is asked for; too little is reported."""
        if self.settings.coverage is None:
            return None
        from protoc_gen_crd.testing.coverage import Coverage  # noqa: PLC0415 - as above

        coverage = Coverage(self.definitions, self.minors[-1])
        for result in results:
            for marks in result.constraint_counts:
                coverage.add(marks)
        if coverage.percentage < self.settings.coverage:
            message = f"coverage of {coverage.percentage:.1f} % is below the threshold of {self.settings.coverage:g} %"
            self.problems.report("coverage-low", message)
        return coverage

    def validate_case(self, case: DocumentCase) -> CaseResult:
        """What becomes of one document. A CRD that others are judged by has been judged when it was gathered."""
        if not _is_crd_definition(case):
            return self.runner.validate(case)
        return CaseResult(case.name, case.at, findings=self._crd_findings.get(id(case), ()))

    def get_cases(self, file: str) -> tuple[list[DocumentCase], list[Finding]]:
        """The documents of a file, and what is wrong with the text."""
        if file in self._cases:
            return self._cases[file]
        problems = Problems()
        data = read_content(file, problems)
        return read_cases(data, file, problems, self.minors[-1]), problems.findings

    def get_objects(self, file: str) -> tuple[list[DocumentCase], list[Finding]]:
        """Return what `get_cases` does, but for a file without an object no cases and one note."""
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
        """What judges; made when the CRDs are known."""
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
        """The texts of everything that findings point at."""
        return SourceFiles(self.paths, self.contents)

    def report_run(self, results: Sequence[FileResult]) -> None:
        """Report findings that concern the run as a whole."""
        tested = [each for each in list_tested(results) if each.skipped != NO_OBJECT]
        findings = [*self.problems.findings, *(finding for result in results for finding in result.findings)]
        if self._generator_inputs and has_error(self.problems.findings, self.settings.findings, complete=False):
            return  # errors of the API are why there is no CRD
        if not len(self.definitions) and any(each.skipped in (NO_CRD, BUILT_IN) for each in tested):
            self._report_no_crds(len([each for each in tested if each.skipped != SKIPPED]))
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
    """Report a CRD that is larger than what servers store of one object."""
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
    """Whether a document is a CRD that others are judged by, not one that is a test itself."""
    return case.is_crd and not case.expectation.keys and not case.expectation.is_rejected


def _list_tested(
    file: str, cases: Sequence[DocumentCase], outcomes: Iterator[CaseResult], findings: Sequence[Finding]
) -> tuple[TestedCase, ...]:
    """List the documents of a file in order, or the file if it is skipped. CRDs have no outcome."""
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
    """Findings with their places worked out."""
    return (finding.replace(at=finding.at.resolve()) if finding.at else finding for finding in findings)
