"""Findings of `validate` on kinds without a CRD: a note for each kind, and unused entries of `skip_kinds`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.documents.kind_messages import describe_missing_crd, format_kind, list_patterns, suggest_skip
from protoc_gen_crd.documents.unknown_kinds import NO_CRD, SKIPPED
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.built_in_groups import is_configuration
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.run_summary import TestedCase, format_count, group_by_kind

_MAX_KINDS = 5  # in a hint
_REMOVE_ENTRY = "remove the entry"


def report_unknown_kinds(tested: Iterable[TestedCase], problems: Problems) -> None:
    """Report each kind without a CRD once, at its first document, with its number of documents."""
    for cases in group_by_kind(tested, NO_CRD):
        first = cases[0]
        kind, problem = format_kind(first.kind, first.group), describe_missing_crd(first.kind, first.group)
        message = f"{problem}: {format_count(len(cases))} not validated"
        problems.report("document-no-crd", message, first.at, path=kind, hint=_make_hint(first))


def _make_hint(case: TestedCase) -> str:
    """Suggest a CRD for a kind that can have one, and --skip-kinds."""
    skip = suggest_skip(case.kind, case.group, "")
    return skip if is_configuration(case.group) else ", or ".join(filter(None, ("add its CRD to the paths", skip)))


def report_unused_skips(tested: Sequence[TestedCase], settings: Settings, problems: Problems) -> None:
    """Report entries of `skip_kinds` that skip no document, with the nearest kind that they do not match."""
    skipped = {entry for case in tested if case.skipped == SKIPPED for entry in _list_entries(case)}
    validated = {entry for case in tested if case.is_validated for entry in _list_entries(case)}
    matching = {entry for case in tested for entry in _list_entries(case)}
    for entry in dict.fromkeys(settings.skip_kinds):
        if entry in validated - skipped:
            problem, hint = "its documents are validated, since CRDs define their kinds", _REMOVE_ENTRY
        elif entry not in matching:
            near = suggest(entry, matching - validated - skipped)
            problem, hint = "no document has such a kind", near or _list_skippable_kinds(tested)
        else:
            continue
        message = f'"{entry}" in "skip_kinds" has no effect: {problem}'
        place = settings.places.get(f"skip_kinds[{settings.skip_kinds.index(entry)}]")
        problems.report("option-unused", message, place, hint=hint)


def _list_skippable_kinds(tested: Sequence[TestedCase]) -> str:
    """Return a hint with the kinds that have no CRD."""
    kinds = dict.fromkeys(format_kind(case.kind, case.group) for case in tested if case.skipped == NO_CRD)
    names = ", ".join(f'"{kind}"' for kind in [*kinds][:_MAX_KINDS])
    more = f" and {len(kinds) - _MAX_KINDS:,} more" if len(kinds) > _MAX_KINDS else ""
    return f"kinds without a CRD: {names}{more}" if kinds else _REMOVE_ENTRY


def _list_entries(case: TestedCase) -> tuple[str, ...]:
    return list_patterns(case.kind, case.group) if case.kind else ()
