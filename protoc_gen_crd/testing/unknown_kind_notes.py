"""Notes of `validate` on kinds without a CRD: one for each kind."""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.documents.unknown_kinds import NO_CRD, describe_missing_crd, format_kind, suggest_skip
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.built_in_groups import is_configuration
from protoc_gen_crd.testing.run_summary import TestedCase, format_count, group_by_kind


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
