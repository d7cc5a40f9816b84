"""Results of files, and what they amount to: the counts of a run, and the kinds of which no document is validated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.findings.finding import Finding, Location, Problems
from protoc_gen_crd.kubernetes.built_in_groups import is_configuration
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.case_runner import CRD_REJECTED, OTHER_VERSIONS
from protoc_gen_crd.testing.unknown_kinds import (
    BUILT_IN,
    NO_CRD,
    NO_OBJECT,
    SKIP_RULE,
    SKIPPED,
    describe_missing_crd,
    format_kind,
    suggest_skip,
)

if TYPE_CHECKING:
    from protoc_gen_crd.testing.coverage import ConstraintCounts

_MAX_SKIP_NOTES = 10
_REASONS = {
    NO_CRD: "without a CRD",
    CRD_REJECTED: "with a rejected CRD",
    OTHER_VERSIONS: "for other versions",
    NO_OBJECT: "without an object",
    SKIPPED: "skipped",
}


class TestedCase(Record):
    """A document of a run: its name, its start, and the reason why it was skipped.

    `is_definition` is true for a CRD that other documents are validated against, `is_unknown` for a document whose kind
    is an error.
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
        """Whether there is a verdict on the document."""
        return not (self.skipped or self.is_unknown)


class FileResult(Record):
    """The result of a file; `constraint_counts` are for coverage, `new_data` is its new content with --update."""

    file: str
    tested: tuple[TestedCase, ...] = ()
    findings: tuple[Finding, ...] = ()
    constraint_counts: tuple[ConstraintCounts, ...] = ()
    new_data: bytes | None = None


def list_tested(results: Iterable[FileResult]) -> list[TestedCase]:
    """Return the documents of a run without the CRDs that they are validated against."""
    return [each for result in results for each in result.tested if not each.is_definition]


def report_unknown_kinds(tested: Iterable[TestedCase], problems: Problems) -> None:
    """List each kind without a CRD once, with its number of documents, at the first of them."""
    for of_kind in _group_by_kind(tested, NO_CRD):
        first = of_kind[0]
        kind, problem = format_kind(first.kind, first.group), describe_missing_crd(first.kind, first.group)
        message = f"{problem}: {format_count(len(of_kind))} not validated"
        problems.report("document-no-crd", message, first.at, path=kind, hint=_make_hint(first))


def _make_hint(case: TestedCase) -> str:
    """Suggest a CRD for a kind that can have one, and --skip-kinds."""
    skip = suggest_skip(case.kind, case.group, "")
    return skip if is_configuration(case.group) else ", or ".join(filter(None, ("add its CRD to the paths", skip)))


def report_nothing_validated(results: Sequence[FileResult], problems: Problems) -> None:
    """Warn if all documents of a run are skipped. A rejected CRD is an error of its own.

    Other files next to CRDs that are validated, such as a kustomization.yaml, are no reason for a warning.
    """
    tested = list_tested(results)
    objects = [each for each in tested if each.skipped != NO_OBJECT and not is_configuration(each.group)]
    has_definition = any(each.is_definition for result in results for each in result.tested)
    if tested and all(each.skipped not in ("", CRD_REJECTED) for each in tested) and (objects or not has_definition):
        message = f"no document is validated: {format_count(len(tested))} skipped"
        problems.report("document-unvalidated", message, hint="check the paths")


def limit_skip_notes(findings: Iterable[Finding]) -> list[Finding]:
    """Replace all but the first notes on files without objects by one with their number."""
    listed = list(findings)
    hidden = [each for each in listed if each.rule == SKIP_RULE and not each.path][_MAX_SKIP_NOTES:]
    if len(hidden) <= 1:
        return listed
    ids = set(map(id, hidden))
    message = f"this and {len(hidden) - 1} more files without a Kubernetes object are skipped"
    rest = hidden[0].replace(message=message)
    return [*(each for each in listed if id(each) not in ids), rest]


def format_summary(
    definitions: CrdDefinitions, minors: Sequence[int], settings: Settings, results: Iterable[FileResult]
) -> list[str]:
    """Return the counts of a run: a line for built-in kinds if there are any, and a line for all others."""
    tested = list_tested(results)
    old = bool(settings.old)
    crds = f"{len(definitions)} CRD{'s' * (len(definitions) != 1)}"
    crds += _format_updates(sum(definition.old is not None for definition in definitions), shown=old)
    validated = f"{format_count(sum(each.is_validated for each in tested))} validated"
    validated += _format_updates(sum(each.is_update for each in tested), shown=old)
    counts = {"with an unknown kind": sum(each.is_unknown for each in tested)}
    counts |= {words: sum(each.skipped == reason for each in tested) for reason, words in _REASONS.items()}
    skipped = [f"{count} {words}" for words, count in counts.items() if count]
    versions = f"1.{minors[0]}" + (f" to 1.{minors[-1]}" if len(minors) > 1 else "")
    return [*_format_built_in(tested), f"{', '.join([crds, validated, *skipped])} (Kubernetes {versions})"]


def _format_updates(count: int, *, shown: bool) -> str:
    return f" ({count} update{'s' * (count != 1)})" if shown else ""


def _format_built_in(tested: Sequence[TestedCase]) -> list[str]:
    """Return the line for the kinds of Kubernetes itself."""
    kinds = _group_by_kind(tested, BUILT_IN)
    counts = ", ".join(f"{len(of_kind)} {of_kind[0].kind}" for of_kind in kinds)
    return [f"{format_count(sum(map(len, kinds)))} {BUILT_IN}: {counts}"] if kinds else []


def _group_by_kind(tested: Iterable[TestedCase], reason: str) -> list[list[TestedCase]]:
    """Group the documents that were skipped for a reason, sorted by kind."""
    kinds: dict[tuple[str, str], list[TestedCase]] = {}
    for each in tested:
        if each.skipped == reason:
            kinds.setdefault((each.kind, each.group), []).append(each)
    return [kinds[key] for key in sorted(kinds)]


def format_count(count: int) -> str:
    """Return a number of documents."""
    return f"{count} document{'s' * (count != 1)}"
