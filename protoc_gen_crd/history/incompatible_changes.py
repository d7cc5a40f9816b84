"""Incompatible changes since the last release: what it accepted and the current API rejects, or reads differently.

Removed elements are handled by `removals`. Versions and channels without a deprecation period are not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.comparison.api_summary import ApiSummary
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_findings import make_findings
from protoc_gen_crd.comparison.protos.proto_change_rules import is_proto_change
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.findings.finding import Finding
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Term

INCOMPATIBLE, NARROWED = "history-incompatible", "history-narrowed"
OPENED = "change-field-opened", "change-map-object"  # rules of removed fields whose values may still be accepted
_PROBLEMS = {
    INCOMPATIBLE: "has an incompatible change",
    NARROWED: "accepts fewer values than the last release",
}
_HINT = 'make the change in a new version, or accept it in the settings file with path "%s" and a reason'
# Rules of changes that reject nearly all objects.
_BREAKING = (
    "change-required-added", "change-field-added-required", "change-default-removed", "change-type-narrowed",
    "change-embedded-added",
)  # fmt: skip
# Rules of elements that `removals` and `storage_changes` report.
_REMOVALS = (
    "change-kind-removed", "change-version-removed", "change-version-unserved", "change-field-removed",
    "change-enum-value-removed",
)  # fmt: skip


def find_incompatible_changes(
    changes: Iterable[Change], before: ApiSummary, current: ApiSummary, terms: DeprecationPolicy
) -> Iterator[Change]:
    """Yield the changes that break clients of the last release, limited to versions with a deprecation period."""
    for change in changes:
        is_of_protos = is_proto_change(change) and change.change_class is ChangeClass.SEMANTIC
        if not is_of_protos and (change.rule in _REMOVALS or change.change_class < ChangeClass.TIGHTEN):
            continue
        versions = tuple([name for name in change.versions if _is_bound(change, name, before, current, terms)])
        if versions or not change.versions:
            yield change.replace(versions=versions)


def _is_bound(change: Change, version: str, before: ApiSummary, current: ApiSummary, terms: DeprecationPolicy) -> bool:
    """Return whether both APIs serve a version of the kind of a change, and the element has a deprecation period."""
    channel = ""
    if change.kind in before and change.kind in current:
        sides = [summary[change.kind].versions.get(version) for summary in (before, current)]
        if not all(side is not None and side.facts.get("served") for side in sides):
            return False
        channel = sides[0].find_channel(change.path, terms.channels) if sides[0] else ""
    element = ".".join(filter(None, (change.kind, version, change.path)))
    return terms.find_term(version, channel, element) != Term(0, 0)


def make_history_findings(
    changes: Iterable[Change], entries: Sequence[PolicyEntry], profiles: ProfileChoice
) -> Iterator[Finding]:
    """Yield the findings of incompatible changes: those of protos with their own rules, as in `changes`."""
    for change, finding in make_findings(changes, entries, profiles):
        old_at = change.old_at.resolve() if change.old_at else None
        recorded = f" (recorded at {old_at})" if old_at and change.at is not change.old_at else ""
        if change.change_class is ChangeClass.SEMANTIC:
            yield finding.replace(message=f"{finding.message}{recorded}")
            continue
        is_break = change.change_class is ChangeClass.BREAK or change.rule in _BREAKING
        rule = INCOMPATIBLE if is_break else NARROWED
        subject, _, description = finding.message.partition(": ")
        yield Finding(
            rule, f"{subject} {_PROBLEMS[rule]}: {description}{recorded}", finding.at, finding.path,
            _HINT % change.element, aliases=("change-*", INCOMPATIBLE, NARROWED),
        )  # fmt: skip
