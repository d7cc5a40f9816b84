"""One run over paths: the CRDs are gathered first, then documents are judged file by file.

A file's result is plain data without ties to the run, so that another process can send it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_cases import CRD_KIND, DocumentCase, read_cases
from protoc_gen_crd.documents.document_files import STDIN_NAME, find_files, read_content
from protoc_gen_crd.findings.finding import Finding, Location, Place, Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.versions import parse_minors
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.case_runner import CRD_REJECTED, NO_CRD, OTHER_VERSIONS, CaseResult, CaseRunner

if TYPE_CHECKING:
    from protoc_gen_crd.testing.coverage import ConstraintCounts, Coverage

_CRD_MARK = CRD_KIND.encode()


class TestedCase(Record):
    """A document that was looked at: its name, where it starts, and why it was not judged if it was not."""

    name: str
    at: Location
    skipped: str = ""
    is_update: bool = False  # what --old has


class FileResult(Record):
    """What became of a file; `marks` where coverage is asked for, `new_data` where the file is to be written anew."""

    file: str
    tested: tuple[TestedCase, ...] = ()
    findings: tuple[Finding, ...] = ()
    constraint_counts: tuple[ConstraintCounts, ...] = ()
    new_data: bytes | None = None


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
        self.files = files.documents
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
            if file == STDIN_NAME:
                self.contents[file] = data
            if _CRD_MARK in data or file == STDIN_NAME:
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
        every, findings = self.get_cases(file)
        cases = [case for case in every if not _is_crd_definition(case)]
        outcomes = [self.runner.validate(case) for case in cases]
        tested = tuple(TestedCase(outcome.name, outcome.at, outcome.skipped, outcome.is_update) for outcome in outcomes)
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
        if not self.settings.update or file == STDIN_NAME:
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

    @property
    def runner(self) -> CaseRunner:
        """What judges; made when the CRDs are known."""
        if self._runner is None:
            sources = self.make_sources()

            def format_place(place: Place) -> str:
                at = sources.locate(place.resolve(), None)
                return str(at.replace(file=sources.get_path(at.file)))

            settings = self.settings
            self._runner = CaseRunner(
                self.definitions,
                format_place,
                field_validation=settings.field_validation,
                strict_kinds=settings.strict_kinds,
            )
        return self._runner

    def make_sources(self) -> SourceFiles:
        """The texts of everything that findings point at."""
        return SourceFiles(self.paths, self.contents)

    def report_run(self, results: Sequence[FileResult]) -> None:
        """Report what only the whole run can tell."""
        said = self.problems.findings or any(result.findings for result in results)
        tested = [each for result in results for each in result.tested]
        if self._generator_inputs and has_error(self.problems.findings, self.settings.findings, complete=False):
            return  # what is wrong with the API is why there is no CRD
        if any(each.skipped == NO_CRD for each in tested) and not len(self.definitions):
            hint = "add a path with CRDs, .proto files or a descriptor set"
            hint += "; CRDs in --old are only the old state" if self.settings.old else ""
            self.problems.report("crd-none", f"no CRD found for {_format_count(len(tested))}", hint=hint)
        elif tested or len(self.definitions) or said:
            return
        elif self._generator_inputs and self.settings.channel:
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


def _resolve_places(findings: Iterable[Finding]) -> Iterable[Finding]:
    """Findings with their places worked out."""
    return (finding.replace(at=finding.at.resolve()) if finding.at else finding for finding in findings)


def _format_count(count: int) -> str:
    return f"{count} document{'s' * (count != 1)}"


def format_summary(session: Session, results: Iterable[FileResult]) -> str:
    """The counts of a run in a line."""
    tested = [each for result in results for each in result.tested]
    reasons = {NO_CRD: "without a CRD", CRD_REJECTED: "with a rejected CRD", OTHER_VERSIONS: "for other versions"}
    updates = [
        f" ({count} update{'s' * (count != 1)})" if session.settings.old else ""
        for count in (
            sum(definition.old is not None for definition in session.definitions),
            sum(each.is_update for each in tested),
        )
    ]
    parts = [f"{_format_count(sum(not each.skipped for each in tested))} validated{updates[1]}"]
    parts += [
        f"{count} {words}"
        for reason, words in reasons.items()
        if (count := sum(each.skipped == reason for each in tested))
    ]
    count = len(session.definitions)
    versions = f"1.{session.minors[0]}" + (f" to 1.{session.minors[-1]}" if len(session.minors) > 1 else "")
    return f"{count} CRD{'s' * (count != 1)}{updates[0]}, {', '.join(parts)} (Kubernetes {versions})"
