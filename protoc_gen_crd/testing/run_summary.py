"""Results of files, and the summary of a run: its counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.unknown_kinds import BUILT_IN, NO_CRD, NO_OBJECT, SKIPPED
from protoc_gen_crd.findings.finding import Finding, Location, Problems
from protoc_gen_crd.kubernetes.built_in_groups import is_configuration
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.case_runner import CRD_REJECTED, OTHER_VERSIONS

if TYPE_CHECKING:
    from protoc_gen_crd.testing.coverage import ConstraintCounts

_REASONS = {
    NO_CRD: "without a CRD",
    CRD_REJECTED: "with a rejected CRD",
    OTHER_VERSIONS: "for other versions",
    NO_OBJECT: "without an object",
    SKIPPED: "skipped",
}


class TestedCase(Record):
    """A document of a run: its name, its start, and the reason why it is skipped.

    `is_definition` is true for a CRD that other documents are validated against, `is_unknown` for a document with an
    invalid kind.
    """

    name: str
    at: Location
    skipped: str = ""
    is_update: bool = False  # there is an old object
    kind: str = ""
    group: str = ""
    is_definition: bool = False
    is_unknown: bool = False

    @property
    def is_validated(self) -> bool:
        """True if there is a verdict on the document."""
        return not (self.skipped or self.is_unknown)


_OTHER_VERSIONS_HINT = 'set "kubernetes" to a version that "_kubernetes" of the documents includes'


class FileResult(Record):
    """The result of a file. `constraint_counts` are for coverage; `new_data` is its new content with --update."""

    file: str
    tested: tuple[TestedCase, ...] = ()
    findings: tuple[Finding, ...] = ()
    constraint_counts: tuple[ConstraintCounts, ...] = ()
    new_data: bytes | None = None


def list_tested(results: Iterable[FileResult]) -> list[TestedCase]:
    """Return the documents of a run without the CRDs that they are validated against."""
    return [case for result in results for case in result.tested if not case.is_definition]


def report_nothing_validated(results: Sequence[FileResult], problems: Problems) -> None:
    """Report a run that skips all documents. A rejected CRD has a separate error.

    Files of other programs beside valid CRDs, such as a kustomization.yaml, are not reported.
    """
    tested = list_tested(results)
    objects = [case for case in tested if case.skipped != NO_OBJECT and not is_configuration(case.group)]
    has_definition = any(case.is_definition for result in results for case in result.tested)
    if tested and all(case.skipped not in ("", CRD_REJECTED) for case in tested) and (objects or not has_definition):
        message = f"no document is validated: {format_count(len(tested))} skipped"
        is_for_others = all(case.skipped == OTHER_VERSIONS for case in tested)
        problems.report(
            "document-unvalidated", message, hint=_OTHER_VERSIONS_HINT if is_for_others else "check the paths"
        )


def format_summary(
    definitions: CrdDefinitions, minors: Sequence[int], settings: Settings, results: Iterable[FileResult]
) -> list[str]:
    """Return the counts of a run: a line for built-in kinds if there are any, and a line for all others."""
    tested = list_tested(results)
    old = bool(settings.old)
    crds = f"{len(definitions)} CRD{'s' * (len(definitions) != 1)}"
    crds += _format_updates(sum(definition.old is not None for definition in definitions), shown=old)
    validated = f"{format_count(sum(case.is_validated for case in tested))} validated"
    validated += _format_updates(sum(case.is_update for case in tested), shown=old)
    counts = {"with an unknown kind": sum(case.is_unknown for case in tested)}
    counts |= {description: sum(case.skipped == reason for case in tested) for reason, description in _REASONS.items()}
    skipped = [f"{count} {description}" for description, count in counts.items() if count]
    versions = f"1.{minors[0]}" + (f" to 1.{minors[-1]}" if len(minors) > 1 else "")
    return [*_format_built_in(tested), f"{', '.join([crds, validated, *skipped])} (Kubernetes {versions})"]


def _format_updates(count: int, *, shown: bool) -> str:
    return f" ({count} update{'s' * (count != 1)})" if shown else ""


def _format_built_in(tested: Sequence[TestedCase]) -> list[str]:
    """Return the line for the built-in kinds of Kubernetes."""
    kinds = group_by_kind(tested, BUILT_IN)
    counts = ", ".join(f"{len(cases)} {cases[0].kind}" for cases in kinds)
    return [f"{format_count(sum(map(len, kinds)))} {BUILT_IN}: {counts}"] if kinds else []


def group_by_kind(tested: Iterable[TestedCase], reason: str) -> list[list[TestedCase]]:
    """Group the documents that are skipped for a reason, sorted by kind."""
    kinds: dict[tuple[str, str], list[TestedCase]] = {}
    for case in tested:
        if case.skipped == reason:
            kinds.setdefault((case.kind, case.group), []).append(case)
    return [kinds[key] for key in sorted(kinds)]


def format_count(count: int) -> str:
    """Format a number of documents."""
    return f"{count} document{'s' * (count != 1)}"
