"""Removals before the end of the deprecation period, and removal dates of deprecated elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import ApiSummary, Facts, VersionSummary, get_parent, list_ancestors
from protoc_gen_crd.comparison.enum_value_changes import find_lost_values, get_enum_values, name_value
from protoc_gen_crd.comparison.groups.group_api import list_terms
from protoc_gen_crd.comparison.summary_comparison import REMOVED, ApiChange, compare_summaries, is_element
from protoc_gen_crd.history.lifetimes import Lifetime, compute_lifetimes
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Removal, Term
from protoc_gen_crd.kubernetes.version_ranges import parse_release
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES, DEPRECATED, DEPRECATED_VALUES

_SERVED = "served"

ElementKey = tuple[str, str, str]


class RemovedElement(Record):
    """A removed version, field or enum value, one that moved to a later channel, or a version that is no longer served.

    `value` is None unless it is an enum value. `channel` is the old channel, `new_channel` the one that it moved to,
    both empty if there is none.
    """

    kind: str
    version: str
    path: str
    value: str | None
    channel: str
    new_channel: str = ""

    @property
    def element(self) -> str:
        """Return the path of the element in settings: `group/Kind.version.path`."""
        value = "" if self.value is None else name_value(self.value)
        return ".".join(filter(None, (self.kind, self.version, self.path, value)))


class EarlyRemoval(Record):
    """A removal before the end of its deprecation period: deprecating release, empty for none, and earliest removal.

    If the element was never deprecated, `earliest_removal` assumes a deprecation in the release itself.
    """

    removed: RemovedElement
    deprecated_in: str
    earliest_removal: Removal

    @property
    def element(self) -> str:
        """Return the path of the element in settings: `group/Kind.version.path`."""
        return self.removed.element


def find_early_removals(
    history: Sequence[tuple[str, ApiSummary]], current: ApiSummary, release: str, date: str, terms: DeprecationPolicy
) -> Iterator[EarlyRemoval]:
    """Find elements that the current API removes before the end of their deprecation periods.

    Args:
        history: The names and APIs of the recorded releases, oldest first.
        current: The API that removes elements.
        release: The name of its release.
        date: The date of its release, YYYY-MM-DD.
        terms: The deprecation periods, with the dates of all releases and of this one.
    """
    before = history[-1][1] if history else {}
    terms = terms.add_elements(list_terms(before))
    removed_elements = list(_find_removed(compare_summaries(before, current), before, current, terms.channels))
    lifetimes = compute_lifetimes(history) if removed_elements else []
    by_element = {(lifetime.kind, lifetime.version, lifetime.path): lifetime for lifetime in lifetimes}
    for removed in removed_elements:
        if terms.find_term(removed.version, removed.channel, removed.element) == Term(0, 0):
            continue
        place = removed.version, removed.channel, removed.element
        deprecations = dict(_find_deprecations(removed, by_element))
        dates = {since: terms.find_earliest_removal(since, *place) for since in deprecations}
        if not any(is_reached(removal, release, date) for removal in dates.values()):
            first = min(dates, key=_get_release_key, default="")
            yield EarlyRemoval(
                removed,
                first,
                dates.get(first) or terms.find_earliest_removal(release, *place),
            )


def _find_removed(
    changes: Iterable[ApiChange], before: ApiSummary, after: ApiSummary, channels: Sequence[str]
) -> Iterator[RemovedElement]:
    for change in changes:
        old = before[change.kind].versions.get(change.version) if change.kind in before else None
        if old is None or not old.facts.get(_SERVED) or (change.path and change.path not in old.fields):
            continue
        if change.action == REMOVED or (not change.path and _SERVED in change.facts):
            if not is_element(change.path):
                channel = old.find_channel(change.path, channels)
                yield RemovedElement(change.kind, change.version, change.path, None, channel)
        else:
            yield from _find_removed_within(change, old, after[change.kind].versions[change.version], channels)


def _find_removed_within(
    change: ApiChange, old: VersionSummary, new: VersionSummary, channels: Sequence[str]
) -> Iterator[RemovedElement]:
    """Find removed enum values of an element, and moves to a later channel."""
    element, path = (change.kind, change.version, change.path), change.path
    for value in find_lost_values(_get_facts(old, path), _get_facts(new, path)):
        yield RemovedElement(*element, value, old.find_channel(path, channels, value))
    moved: list[str | None] = [None] if CHANNEL in change.facts else []
    moved += _find_moved_values(old, new, path) if CHANNEL_VALUES in change.facts else []
    for name in moved:
        parent_channel = new.find_channel(get_parent(path) if name is None else path, channels) if path else ""
        old_channel, new_channel = (summary.find_channel(path, channels, name or "") for summary in (old, new))
        if _rank_channel(new_channel, channels) > max(
            _rank_channel(old_channel, channels), _rank_channel(parent_channel, channels)
        ):
            yield RemovedElement(*element, name, old_channel, new_channel)


def _find_moved_values(old: VersionSummary, new: VersionSummary, path: str) -> Iterator[str]:
    """Yield existing enum values whose channel has changed."""
    before, after = (_get_facts(summary, path).get(CHANNEL_VALUES) or {} for summary in (old, new))
    old_values = get_enum_values(_get_facts(old, path))
    return (name for name in sorted(after) if after[name] != before.get(name) and name in old_values)


def _get_facts(version: VersionSummary, path: str) -> Facts:
    return version.fields.get(path, {}) if path else version.facts


def _rank_channel(channel: str, channels: Sequence[str]) -> int:
    return channels.index(channel) if channel in channels else 0


def _find_deprecations(removed: RemovedElement, lifetimes: Mapping[ElementKey, Lifetime]) -> Iterator[tuple[str, str]]:
    """Yield the releases that deprecated the element, its parents or the enum value, with their paths."""
    for path in ("", *list_ancestors(removed.path)):
        lifetime = lifetimes.get((removed.kind, removed.version, path))
        for name in ("", removed.value or "") if lifetime and path == removed.path else ("",):
            if lifetime and lifetime.is_current and name in lifetime.deprecated:
                yield lifetime.deprecated[name], path


def format_early_removal(removal: EarlyRemoval, terms: DeprecationPolicy) -> str:
    """Format the message for an early removal."""
    removed = removal.removed
    parts = [f'"{part}" of ' for part in (removed.value, removed.path or None) if part is not None]
    name = f"{''.join(parts)}{removed.kind} {removed.version}"
    since = (
        f"it is deprecated only since {removal.deprecated_in}" if removal.deprecated_in else "it was never deprecated"
    )
    term = terms.find_term(removed.version, removed.channel, removed.element)
    if removed.new_channel:
        old_channel = removed.channel or next(iter(terms.channels))
        action = f'moves from channel "{old_channel}" to channel "{removed.new_channel}"'
    else:
        action = "is removed" if removed.path else "is no longer served"
    return f"{name} {action} before its deprecation period of {term} has ended: {since}"


def suggest_removal(removal: EarlyRemoval, release: str) -> str:
    """Format the hint for an early removal."""
    moved = bool(removal.removed.new_channel)
    steps = ["leave it in its channel"] if moved else ["keep it"]
    steps += [] if removal.deprecated_in else [f"deprecate it in {release}"]
    return f"{' and '.join(steps)}; it can be {'moved' if moved else 'removed'} {removal.earliest_removal}"


def is_reached(removal: Removal, release: str, date: str) -> bool:
    """Return whether a release of that date may contain a removal."""
    return _get_release_key(release) >= _get_release_key(removal.release) and date >= removal.date


def _get_release_key(release: str) -> tuple[int, int]:
    return parse_release(release) or (0, 0)


def add_removal_dates(
    changes: Iterable[ApiChange], after: ApiSummary, release: str, terms: DeprecationPolicy
) -> Iterator[ApiChange]:
    """Add the earliest removal to changes that deprecate an element."""
    for change in changes:
        old, new = change.facts.get(DEPRECATED, (None, None))
        before, values = change.facts.get(DEPRECATED_VALUES, (None, None))
        if not (new and not old) and not set(_as_sequence(values)) - set(_as_sequence(before)):
            yield change
            continue
        version = after[change.kind].versions[change.version]
        channel = version.find_channel(change.path, terms.channels)
        element = ".".join(filter(None, (change.kind, change.version, change.path)))
        yield change.replace(removal=terms.find_earliest_removal(release, change.version, channel, element))


def _as_sequence(values: Any) -> Sequence[str]:
    return values or ()
