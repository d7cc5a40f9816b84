"""Compatibility checks of an API against its last release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import ApiSummary, get_parent
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.schemas.implicit_fields import METADATA_FIELDS, RESOURCE_FIELDS
from protoc_gen_crd.comparison.schemas.node_pair import METADATA
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.comparison.summary_comparison import is_below, split_path
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.history.early_removals import (
    EarlyRemoval,
    RemovedElement,
    find_early_removals,
    format_early_removal,
    suggest_removal,
)
from protoc_gen_crd.history.element_places import ElementPlaces
from protoc_gen_crd.history.incompatible_changes import OPENED, find_incompatible_changes, make_history_findings
from protoc_gen_crd.history.merged_findings import VersionFinding, merge_versions
from protoc_gen_crd.history.storage_changes import (
    STORED_HINT,
    find_added_storage_versions,
    find_removed_stored_versions,
)
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy
from protoc_gen_crd.schema.schema import EMBEDDED

_CHANNEL_HINT = 'add it to the setting "channels"; unknown channels have no compatibility guarantee'


class CurrentKinds(Record):
    """The current kinds: their summary, their changes since the last release, and their places."""

    summary: ApiSummary
    changes: Sequence[Change]
    places: ElementPlaces


class ReleasePolicy(Record):
    """Requirements on a release: name and date, the deprecation periods, the profiles, and the suppressions.

    `terms` includes the release.
    """

    release: str
    date: str
    terms: DeprecationPolicy
    profiles: ProfileChoice
    entries: Sequence[PolicyEntry]


def check_compatibility(
    history: Sequence[tuple[str, ApiSummary]], current: CurrentKinds, policy: ReleasePolicy, problems: Problems
) -> None:
    """Report incompatibilities of the current kinds.

    A change of several versions is reported once, unless one of the settings' entries is about it.
    """
    places, terms = current.places, policy.terms
    check_removed_versions(history, current.summary, places, problems)
    _check_added_storage(history, current.summary, places, problems)
    early_removals = find_removals(history, current.summary, current.changes, policy)
    removals = (_report_removal(removal, policy.release, terms, places) for removal in early_removals)
    problems.findings += merge_versions(removals, policy.entries)
    before = history[-1][1]
    _check_channels(before, terms.channels, places, problems)
    broken = find_incompatible_changes(current.changes, before, current.summary, terms)
    problems.findings += make_history_findings(broken, policy.entries, policy.profiles)


def find_removals(
    history: Sequence[tuple[str, ApiSummary]], current: ApiSummary, changes: Sequence[Change], policy: ReleasePolicy
) -> list[EarlyRemoval]:
    """Return the removals before the end of their deprecation periods.

    Fields whose values are still accepted, in maps and where unknown fields are preserved, are not removed, and neither
    are those that resources have without their schema.
    """
    opened: dict[tuple[str, str], list[str]] = {}
    for change in changes:
        for version in change.versions if change.rule in OPENED else ():
            opened.setdefault((change.kind, version), []).extend((change.path, *change.other_paths))
    early_removals = find_early_removals(history, current, policy.release, policy.date, policy.terms)
    before = history[-1][1] if history else {}
    return [
        removal
        for removal in early_removals
        if not _is_opened(removal, opened) and not _is_implicit(removal.removed, before, current)
    ]


def _is_opened(removal: EarlyRemoval, opened: Mapping[tuple[str, str], Sequence[str]]) -> bool:
    removed = removal.removed
    paths = opened.get((removed.kind, removed.version), ())
    return any(removed.path == path or is_below(removed.path, path) for path in paths)


def _is_implicit(removed: RemovedElement, before: ApiSummary, current: ApiSummary) -> bool:
    """Return whether both APIs have a field of a resource, one of them without its schema."""
    if not removed.path or removed.value is not None or removed.new_channel:
        return False
    versions = (summary[removed.kind].versions[removed.version] for summary in (before, current))
    old, new = ({"", *(path for path, facts in version.fields.items() if facts.get(EMBEDDED))} for version in versions)
    owner, resources = get_parent(removed.path), old & new
    name = removed.path.removeprefix(owner).removeprefix(".")
    if split_path(owner)[-1] == METADATA and get_parent(owner) in resources:
        return name in METADATA_FIELDS
    return owner in resources and name in RESOURCE_FIELDS


def _report_removal(
    removal: EarlyRemoval, release: str, terms: DeprecationPolicy, places: ElementPlaces
) -> VersionFinding:
    removed = removal.removed
    where = removed.kind, removed.version, removed.path
    problem, hint = format_early_removal(removal, terms), suggest_removal(removal, release)
    finding = Finding("history-removal", problem, places.find(*where), removal.element, hint, aliases=("change-*",))
    key = removed.kind, removed.path, removed.value, removed.new_channel, *([] if removed.path else [removed.version])
    return VersionFinding(finding, removed.version, key, places.find_recorded(*where))


def _check_channels(before: ApiSummary, channels: Sequence[str], places: ElementPlaces, problems: Problems) -> None:
    """Report channels of the last release that the settings do not name."""
    unknown_channels = {
        name: kind
        for kind, summary in before.items()
        for version in summary.versions.values()
        for name in version.list_channels()
        if name not in channels
    }
    for name, kind in sorted(unknown_channels.items()):
        problem = f'channel "{name}" of the last release is missing from the setting "channels"'
        at = places.find_recorded(kind)
        problems.report("history-channel", problem, at, path=name, hint=_CHANNEL_HINT)


def check_removed_versions(
    history: Sequence[tuple[str, ApiSummary]], current: ApiSummary, places: ElementPlaces, problems: Problems
) -> None:
    """Report removed versions in which clusters may store objects."""
    for removed in find_removed_stored_versions(history, current):
        problem = f"version {removed.version} of {removed.kind} is removed, but clusters may store objects in it: "
        problem += f"it was the storage version in {', '.join(removed.releases)}"
        problem += places.describe_recorded(removed.kind, removed.version)
        at = places.find(removed.kind, removed.version)
        problems.report("version-stored", problem, at, path=f"{removed.kind}.{removed.version}", hint=STORED_HINT)


def _check_added_storage(
    history: Sequence[tuple[str, ApiSummary]], current: ApiSummary, places: ElementPlaces, problems: Problems
) -> None:
    """Report added versions that become the storage version at once."""
    for kind, version in find_added_storage_versions(history, current):
        problem = f"version {version} of {kind} is added and becomes the storage version in the same release"
        hint = "serve it now and make it the storage version in the next release, so that a rollback can read it"
        at = places.find(kind, version)
        problems.report("version-storage-too-early", problem, at, path=f"{kind}.{version}", hint=hint)
