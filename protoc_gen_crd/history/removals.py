"""What goes with a release before the deprecation policy lets it, and when what a release deprecates may go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.deprecation import Removal, Term, Terms
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import parse_release
from protoc_gen_crd.history.changes import REMOVED, Change, changes, is_held
from protoc_gen_crd.history.enums import lost_values, values_of
from protoc_gen_crd.history.lifetimes import Lifetime, lifetimes
from protoc_gen_crd.history.summary import Facts, Summary, VersionSummary, above, parent
from protoc_gen_crd.schema.types import CHANNEL, CHANNEL_VALUES, DEPRECATED, DEPRECATED_VALUES

_SERVED = "served"

Key = tuple[str, str, str]


class Gone(Record):
    """A version, a field or a value of an enum that is gone, or has moved to a later channel; or a version unserved.

    `channel` is the one that it is gone from, `moved` the one that it is in now, empty for none.
    """

    kind: str
    version: str
    path: str
    value: str
    channel: str
    moved: str = ""


class Early(Record):
    """Something that goes too early: the release that announced it, empty for none, and the first that may be without.

    For what was never announced, that is said of an announcement by the release itself.
    """

    gone: Gone
    announced: str
    earliest: Removal

    @property
    def element(self) -> str:
        """What goes, as settings name it to accept that: `group/Kind.version.path`."""
        return ".".join(filter(None, (self.gone.kind, self.gone.version, self.gone.path, self.gone.value)))


def early(
    history: Sequence[tuple[str, Summary]], current: Summary, release: str, date: str, terms: Terms
) -> Iterator[Early]:
    """What of the last release is not in the current API and should be, if it is released under that name and day.

    The terms know that release, too.
    """
    before = history[-1][1] if history else {}
    found = list(_gone(changes(before, current), before, current, terms.channels))
    lives = {(one.kind, one.version, one.path): one for one in lifetimes(history)} if found else {}
    for gone in found:
        if terms.term(gone.version, gone.channel) == Term(0, 0):
            continue
        said = dict(_announced(gone, lives))
        dates = {since: terms.earliest(since, gone.version, gone.channel) for since in said}
        if not any(_reached(removal, release, date) for removal in dates.values()):
            first = min(dates, key=_number, default="")
            yield Early(gone, first, dates.get(first) or terms.earliest(release, gone.version, gone.channel))


def _gone(found: Iterable[Change], before: Summary, after: Summary, channels: Sequence[str]) -> Iterator[Gone]:
    for change in found:
        old = before[change.kind].versions.get(change.version) if change.kind in before else None
        if old is None or not old.facts.get(_SERVED) or (change.path and change.path not in old.fields):
            continue
        if change.what == REMOVED or (not change.path and _SERVED in change.facts):
            if not is_held(change.path):
                channel = old.channel(change.path, channels)
                yield Gone(change.kind, change.version, change.path, "", channel)
        else:
            yield from _within(change, old, after[change.kind].versions[change.version], channels)


def _within(change: Change, old: VersionSummary, new: VersionSummary, channels: Sequence[str]) -> Iterator[Gone]:
    """What is gone from an element that is still there: values of an enum, or the element from its channel."""
    here, path = (change.kind, change.version, change.path), change.path
    for value in lost_values(_facts(old, path), _facts(new, path)):
        yield Gone(*here, value, old.channel(path, channels, value))
    moved = [""] if CHANNEL in change.facts else []
    moved += _marked(old, new, path) if CHANNEL_VALUES in change.facts else []
    for value in moved:
        around = new.channel(path if value else parent(path), channels) if path else ""
        was, now = (side.channel(path, channels, value) for side in (old, new))
        if _rank(now, channels) > max(_rank(was, channels), _rank(around, channels)):
            yield Gone(*here, value, was, now)


def _marked(old: VersionSummary, new: VersionSummary, path: str) -> Iterator[str]:
    """Values of an enum that were there and have another channel now."""
    before, after = (_facts(side, path).get(CHANNEL_VALUES) or {} for side in (old, new))
    known = values_of(_facts(old, path))
    return (name for name in sorted(after) if after[name] != before.get(name) and name in known)


def _facts(version: VersionSummary, path: str) -> Facts:
    return version.fields.get(path, {}) if path else version.facts


def _rank(channel: str, channels: Sequence[str]) -> int:
    return channels.index(channel) if channel in channels else 0


def _announced(gone: Gone, lives: Mapping[Key, Lifetime]) -> Iterator[tuple[str, str]]:
    """The releases that announced it: of the element, of what it is a part of, and of the value."""
    for path in ("", *above(gone.path)):
        life = lives.get((gone.kind, gone.version, path))
        for name in ("", gone.value) if life and path == gone.path else ("",):
            if life and life.lasting and name in life.deprecated:
                yield life.deprecated[name], path


def _reached(removal: Removal, release: str, date: str) -> bool:
    return _number(release) >= _number(removal.release) and date >= removal.date


def _number(release: str) -> tuple[int, int]:
    return parse_release(release) or (0, 0)


def dated(found: Iterable[Change], after: Summary, release: str, terms: Terms) -> Iterator[Change]:
    """Changes, those that deprecate something with the first release and day when that may go."""
    for change in found:
        old, new = change.facts.get(DEPRECATED, (None, None))
        before, values = change.facts.get(DEPRECATED_VALUES, (None, None))
        if not (new and not old) and not set(_list(values)) - set(_list(before)):
            yield change
            continue
        version = after[change.kind].versions[change.version]
        channel = version.channel(change.path, terms.channels)
        yield change.replace(removal=terms.earliest(release, change.version, channel))


def _list(values: Any) -> Sequence[str]:
    return values or ()
