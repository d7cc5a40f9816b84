"""A validation run: documents are validated file by file, after the CRDs in the paths are loaded.

The result of a file is plain data without references to the run, so that other processes can send it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from protoc_gen_crd.crd_loader import report_no_resources
from protoc_gen_crd.documents.document_files import is_stream, read_content
from protoc_gen_crd.documents.document_reader import DocumentCase, is_test_file
from protoc_gen_crd.documents.foreign_files import make_skip_note
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.documents.unknown_kinds import BUILT_IN, NO_CRD, NO_OBJECT, SKIP_RULE, SKIPPED
from protoc_gen_crd.findings.finding import Finding, Location, Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.testing.case_runner import CaseResult, CaseRunner
from protoc_gen_crd.testing.run_summary import (
    FileResult,
    TestedCase,
    format_count,
    list_tested,
    report_nothing_validated,
)
from protoc_gen_crd.testing.unknown_kind_notes import report_unknown_kinds, report_unused_skips

if TYPE_CHECKING:
    from protoc_gen_crd.testing.coverage import ConstraintCounts, Coverage


class Session(InputDocuments):
    """A run: its settings, its CRDs, and the files to validate; `old` is the state that they update."""

    def get_objects(self, file: str) -> tuple[list[DocumentCase], list[Finding]]:
        """Return the same as `InputDocuments.get_objects`, with a note for an empty file that is passed or a test."""
        cases, findings = super().get_objects(file)
        is_lost = (file in self.passed_files or is_test_file(file)) and not cases and not findings
        return cases, [make_skip_note(file)] if is_lost else findings

    def validate_file(self, file: str) -> FileResult:
        """Validate the documents of a file."""
        problems = Problems()
        all_cases, findings = self.get_objects(file)
        cases = [case for case in all_cases if not case.is_crd_definition]
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
        from protoc_gen_crd.testing.missing_error_insertion import add_missing_errors  # noqa: PLC0415 - few runs ask for it

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
        if not case.is_crd_definition:
            return self.runner.validate(case)
        return CaseResult(case.name, case.at, findings=self._crd_findings.get(id(case), ()))

    @cached_property
    def runner(self) -> CaseRunner:
        """The runner of test cases. It is created after the CRDs are loaded."""
        return CaseRunner(
            self.definitions,
            self.unknown_kinds,
            self.make_place_formatter(),
            field_validation=self.settings.field_validation,
        )

    def report_run(self, results: Sequence[FileResult]) -> None:
        """Report findings that concern the run as a whole."""
        tested = [case for case in list_tested(results) if case.skipped != NO_OBJECT]
        findings = [*self.problems.findings, *(finding for result in results for finding in result.findings)]
        if self.generator_inputs and has_error(self.problems.findings, self.settings.findings, complete=False):
            return  # errors of the API explain why there is no CRD
        if not len(self.definitions) and any(case.skipped in (NO_CRD, BUILT_IN) for case in tested):
            self._report_no_crds(len([case for case in tested if case.skipped != SKIPPED]))
        elif not len(self.definitions) and not tested and all(finding.rule == SKIP_RULE for finding in findings):
            self._report_no_documents()
        else:
            report_unknown_kinds(tested, self.problems)
            if self.are_default or not self.settings.documents or "skip_kinds" not in self.settings.places:
                report_unused_skips(tested, self.settings, self.problems)  # a part of the documents may lack kinds
            report_nothing_validated(results, self.problems)

    def _report_no_crds(self, count: int) -> None:
        hint = "add a path with CRDs, .proto files or a descriptor set"
        hint += "; CRDs in --old are only the old state" if self.settings.old else ""
        self.problems.report("crd-none", f"no CRD found for {format_count(count)}", hint=hint)

    def _report_no_documents(self) -> None:
        if self.generator_inputs and self.settings.channel:
            report_no_resources(", ".join(self.generator_inputs), self.settings, self.problems)
        else:
            self.problems.report("document-none", "no documents or CRDs found")


def _list_tested(
    file: str, cases: Sequence[DocumentCase], outcomes: Iterator[CaseResult], findings: Sequence[Finding]
) -> tuple[TestedCase, ...]:
    """List the documents of a file in order, or the file if it is skipped. CRDs have no result."""
    if not cases and any(finding.rule == SKIP_RULE for finding in findings):
        return (TestedCase("(file)", Location(file), NO_OBJECT),)
    return tuple(
        TestedCase(case.name, case.at, is_definition=True)
        if case.is_crd_definition
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
