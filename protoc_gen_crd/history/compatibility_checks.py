"""Compatibility checks of an API against its last release."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.comparison.api_summary import ApiSummary
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.history.breaking_changes import INCOMPATIBLE, NARROWED, BreakingChange, find_breaking_changes
from protoc_gen_crd.history.change_descriptions import format_early_removal, suggest_removal
from protoc_gen_crd.history.early_removals import EarlyRemoval, find_early_removals
from protoc_gen_crd.history.element_places import ElementPlaces
from protoc_gen_crd.history.merged_versions import VersionFinding, merge_versions
from protoc_gen_crd.history.still_accepted_fields import restore_accepted_fields
from protoc_gen_crd.history.storage_changes import (
    STORED_HINT,
    find_added_storage_versions,
    find_removed_stored_versions,
)
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy

_PROBLEMS = {
    INCOMPATIBLE: "has an incompatible change",
    NARROWED: "accepts fewer values than the last release",
}
_HINT = 'make the change in a new version, or accept it in the settings file with path "%s" and a reason'
_CHANNEL_HINT = 'add it to the setting "channels"; unknown channels have no compatibility guarantee'


def check_compatibility(
    history: Sequence[tuple[str, ApiSummary]],
    current: ApiSummary,
    release: tuple[str, str],
    terms: DeprecationPolicy,
    places: ElementPlaces,
    entries: Sequence[PolicyEntry],
    problems: Problems,
) -> None:
    """Report incompatibilities of the current API, released under that name and date. `terms` includes that release.

    A change of several versions is reported once, unless one of the settings' `entries` is about it.
    """
    check_removed_versions(history, current, places, problems)
    _check_added_storage(history, current, places, problems)
    current = restore_accepted_fields(history[-1][1], current)
    early = find_early_removals(history, current, *release, terms)
    problems.findings += merge_versions((_report_removal(each, release[0], terms, places) for each in early), entries)
    _check_channels(history[-1][1], terms.channels, places, problems)
    broken = find_breaking_changes(history[-1][1], current, terms)
    problems.findings += merge_versions((_report_change(each, places) for each in broken), entries)


def _report_removal(
    found: EarlyRemoval, release: str, terms: DeprecationPolicy, places: ElementPlaces
) -> VersionFinding:
    removed = found.removed
    where = removed.kind, removed.version, removed.path
    problem, hint = format_early_removal(found, terms), suggest_removal(found, release)
    finding = Finding("history-removal", problem, places.find(*where), found.element, hint, aliases=("change-*",))
    key = removed.kind, removed.path, removed.value, removed.new_channel, *([] if removed.path else [removed.version])
    return VersionFinding(finding, removed.version, key, places.find_recorded(*where))


def _report_change(broken: BreakingChange, places: ElementPlaces) -> VersionFinding:
    change = broken.change
    where = change.kind, change.version, change.path
    problem = f"{broken.display_name} {_PROBLEMS[broken.rule]}: {broken.description}"
    at, hint = places.find(*where), _HINT % broken.element
    finding = Finding(broken.rule, problem, at, broken.element, hint, aliases=("change-*",))
    key = broken.rule, change.kind, change.path, broken.description
    return VersionFinding(finding, change.version, key, places.find_recorded(*where))


def _check_channels(before: ApiSummary, channels: Sequence[str], places: ElementPlaces, problems: Problems) -> None:
    """Report channels of the last release that the settings do not name."""
    unknown_channels = {
        name: kind
        for kind, summary in before.items()
        for each in summary.versions.values()
        for name in each.list_channels()
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
