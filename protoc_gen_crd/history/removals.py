"""Removals before the end of the deprecation period, and removal dates of deprecated elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.api_changes import REMOVED, ApiChange, compare_summaries, is_element
from protoc_gen_crd.history.api_summary import ApiSummary, Facts, VersionSummary, get_parent, list_ancestors
from protoc_gen_crd.history.enum_values import find_lost_values, get_enum_values
from protoc_gen_crd.history.lifetimes import Lifetime, compute_lifetimes
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Removal, Term
from protoc_gen_crd.kubernetes.versions import parse_release
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES, DEPRECATED, DEPRECATED_VALUES

_SERVED = "served"

ElementKey = tuple[str, str, str]


class RemovedElement(Record):
    """A removed version, field or enum value, one that moved to a later channel, or a version that is no longer served.

    `find_channel` is the one that it is gone from, `new_channel` the one that it is in now, empty for none.
    """

    kind: str
    version: str
    path: str
    value: str
    channel: str
    new_channel: str = ""


class EarlyRemoval(Record):
    """A removal before the end of its deprecation period: deprecating release, empty for none, and earliest removal.

    For what was never announced, that is said of an announcement by the release itself.
    """

    removed: RemovedElement
    deprecated_in: str
    earliest_removal: Removal

    @property
    def element(self) -> str:
        """The path of the element in settings: `group/Kind.version.path`."""
        return ".".join(filter(None, (self.removed.kind, self.removed.version, self.removed.path, self.removed.value)))


def find_early_removals(
    history: Sequence[tuple[str, ApiSummary]], current: ApiSummary, release: str, date: str, terms: DeprecationPolicy
) -> Iterator[EarlyRemoval]:
    """Find elements that the current API, released under that name and date, removes too early.

    The terms know that release, too.
    """
    before = history[-1][1] if history else {}
    found = list(_find_removed(compare_summaries(before, current), before, current, terms.channels))
    lives = {(one.kind, one.version, one.path): one for one in compute_lifetimes(history)} if found else {}
    for gone in found:
        if terms.find_term(gone.version, gone.channel) == Term(0, 0):
            continue
        said = dict(_find_deprecations(gone, lives))
        dates = {since: terms.find_earliest_removal(since, gone.version, gone.channel) for since in said}
        if not any(_is_reached(removal, release, date) for removal in dates.values()):
            first = min(dates, key=_get_release_key, default="")
            yield EarlyRemoval(
                gone, first, dates.get(first) or terms.find_earliest_removal(release, gone.version, gone.channel)
            )


def _find_removed(
    found: Iterable[ApiChange], before: ApiSummary, after: ApiSummary, channels: Sequence[str]
) -> Iterator[RemovedElement]:
    for change in found:
        old = before[change.kind].versions.get(change.version) if change.kind in before else None
        if old is None or not old.facts.get(_SERVED) or (change.path and change.path not in old.fields):
            continue
        if change.action == REMOVED or (not change.path and _SERVED in change.facts):
            if not is_element(change.path):
                channel = old.find_channel(change.path, channels)
                yield RemovedElement(change.kind, change.version, change.path, "", channel)
        else:
            yield from _find_removed_within(change, old, after[change.kind].versions[change.version], channels)


def _find_removed_within(
    change: ApiChange, old: VersionSummary, new: VersionSummary, channels: Sequence[str]
) -> Iterator[RemovedElement]:
    """Find removed enum values of an element, and moves to a later channel."""
    here, path = (change.kind, change.version, change.path), change.path
    for value in find_lost_values(_get_facts(old, path), _get_facts(new, path)):
        yield RemovedElement(*here, value, old.find_channel(path, channels, value))
    moved = [""] if CHANNEL in change.facts else []
    moved += _find_moved_values(old, new, path) if CHANNEL_VALUES in change.facts else []
    for value in moved:
        around = new.find_channel(path if value else get_parent(path), channels) if path else ""
        was, now = (side.find_channel(path, channels, value) for side in (old, new))
        if _rank_channel(now, channels) > max(_rank_channel(was, channels), _rank_channel(around, channels)):
            yield RemovedElement(*here, value, was, now)


def _find_moved_values(old: VersionSummary, new: VersionSummary, path: str) -> Iterator[str]:
    """Values of an enum that were there and have another channel now."""
    before, after = (_get_facts(side, path).get(CHANNEL_VALUES) or {} for side in (old, new))
    known = get_enum_values(_get_facts(old, path))
    return (name for name in sorted(after) if after[name] != before.get(name) and name in known)


def _get_facts(version: VersionSummary, path: str) -> Facts:
    return version.fields.get(path, {}) if path else version.facts


def _rank_channel(channel: str, channels: Sequence[str]) -> int:
    return channels.index(channel) if channel in channels else 0


def _find_deprecations(gone: RemovedElement, lives: Mapping[ElementKey, Lifetime]) -> Iterator[tuple[str, str]]:
    """The releases that announced it: of the element, of what it is a part of, and of the value."""
    for path in ("", *list_ancestors(gone.path)):
        life = lives.get((gone.kind, gone.version, path))
        for name in ("", gone.value) if life and path == gone.path else ("",):
            if life and life.is_current and name in life.deprecated:
                yield life.deprecated[name], path


def _is_reached(removal: Removal, release: str, date: str) -> bool:
    return _get_release_key(release) >= _get_release_key(removal.release) and date >= removal.date


def _get_release_key(release: str) -> tuple[int, int]:
    return parse_release(release) or (0, 0)


def add_removal_dates(
    found: Iterable[ApiChange], after: ApiSummary, release: str, terms: DeprecationPolicy
) -> Iterator[ApiChange]:
    """Add the earliest removal to changes that deprecate an element."""
    for change in found:
        old, new = change.facts.get(DEPRECATED, (None, None))
        before, values = change.facts.get(DEPRECATED_VALUES, (None, None))
        if not (new and not old) and not set(_as_sequence(values)) - set(_as_sequence(before)):
            yield change
            continue
        version = after[change.kind].versions[change.version]
        channel = version.find_channel(change.path, terms.channels)
        yield change.replace(removal=terms.find_earliest_removal(release, change.version, channel))


def _as_sequence(values: Any) -> Sequence[str]:
    return values or ()
