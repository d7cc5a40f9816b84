"""Since when each element of an API exists, until when, and what became of it: the releases folded into one table.

When a deprecation was announced follows from the releases alone; how long it then takes is for `base.deprecation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import age_key
from protoc_gen_crd.history.changes import named, steps
from protoc_gen_crd.history.enums import lost_values, value_notes, values_of
from protoc_gen_crd.history.summary import Facts, Summary, VersionSummary
from protoc_gen_crd.schema.types import CHANNEL, DEPRECATED, DEPRECATED_VALUES

_NOTED = (DEPRECATED, CHANNEL, "storage", "served")  # facts whose changes belong to an element's life


class Lifetime(Record):
    """One element: the first release that has it, the last one where it is gone, and what was noted when.

    An element that came back after it was gone has several spans. `deprecated` has the release that announced it, under
    an empty name, and for values of enums under theirs; so it was in the last release that has the element. `channels`
    has their release channels under the same names, those of what they are a part of counted in. `values` has the
    releases that values of an enum are in since.
    """

    kind: str
    version: str
    path: str
    spans: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    fields: int = 0
    deprecated: Mapping[str, str] = {}
    channels: Mapping[str, str] = {}
    values: Mapping[str, str] = {}

    @property
    def lasting(self) -> bool:
        """Whether the newest release has it."""
        return not self.spans[-1][1]


class _Life:
    def __init__(self, main: str) -> None:
        self.main = main
        self.spans: list[list[str]] = []
        self.notes: list[str] = []
        self.facts: Facts = {}
        self.deprecated: Mapping[str, str] = {}
        self.values: Mapping[str, str] = {}
        self.within: VersionSummary | None = None
        self.last = ""

    def seen(self, release: str, before: str, facts: Facts, within: VersionSummary | None) -> None:
        """The element is in a release."""
        if not self.spans or self.last != before:
            self.spans.append([release, ""])
            self.facts, self.deprecated, self.values = {}, {}, {}
        if facts != self.facts:
            self.notes += _notes(self.facts, facts, release, self.main, first=self.spans[-1][0] == release)
            self.deprecated = {name: self.deprecated.get(name, release) for name in _deprecated(facts)}
            self.values = self._values(facts, release)
        self.facts, self.within, self.last = facts, within, release
        self.spans[-1][1] = release

    def _values(self, facts: Facts, release: str) -> Mapping[str, str]:
        """The values of an enum with the releases they are in since: the first ones are as old as the element."""
        came = lost_values(facts, self.facts)
        first = self.spans[-1][0]
        return {name: release if name in came else self.values.get(name, first) for name in values_of(facts)}


def _deprecated(facts: Facts) -> Iterator[str]:
    """What is deprecated of an element: itself, under an empty name, and values."""
    if facts.get(DEPRECATED):
        yield ""
    yield from facts.get(DEPRECATED_VALUES) or ()


def _notes(old: Facts, new: Facts, release: str, main: str, *, first: bool) -> Iterator[str]:
    for name in _NOTED:
        before, after = old.get(name), new.get(name)
        if before == after or (first and name == "served"):
            continue
        if name == CHANNEL:
            yield f"{after or main} since {release}"
        elif after:
            yield f"{name} since {release}"
        else:
            yield f"not {name} since {release}"
    yield from value_notes(old, new, release, main)


def lifetimes(history: Iterable[tuple[str, Summary]], channels: Sequence[str] = ("stable",)) -> list[Lifetime]:
    """All elements by kind, version and path; releases come oldest first. What names no channel is in the first."""
    lives: dict[tuple[str, str, str], _Life] = {}
    counts: dict[tuple[str, str, str], int] = {}
    before = ""
    for release, summary in history:
        for key, facts, within in _elements(summary):
            if key not in lives:
                lives[key] = _Life(next(iter(channels), ""))
            lives[key].seen(release, before, facts, within)
        counts |= _counts(summary)
        before = release
    return [_lifetime(key, lives[key], before, counts.get(key, 0), channels) for key in sorted(lives, key=_order)]


def _lifetime(key: tuple[str, str, str], life: _Life, newest: str, fields: int, channels: Sequence[str]) -> Lifetime:
    found = _channels(key[2], life, channels)
    return Lifetime(*key, _spans(life, newest), tuple(life.notes), fields, life.deprecated, found, life.values)


def _channels(path: str, life: _Life, channels: Sequence[str]) -> Mapping[str, str]:
    """The channel of each thing that is deprecated."""
    return {name: life.within.channel(path, channels, name) for name in life.deprecated} if life.within else {}


def _order(key: tuple[str, str, str]) -> tuple[object, ...]:
    kind, version, path = key
    return kind, version != "", age_key(version), steps(path)


def _spans(life: _Life, newest: str) -> tuple[tuple[str, str], ...]:
    """The spans; the end of one that lasts is empty."""
    return tuple((first, "" if last == newest else last) for first, last in life.spans)


def _elements(summary: Summary) -> Iterator[tuple[tuple[str, str, str], Facts, VersionSummary | None]]:
    for name, kind in summary.items():
        yield (name, "", ""), kind.facts, None
        for version, each in kind.versions.items():
            yield (name, version, ""), each.facts, each
            yield from (((name, version, path), facts, each) for path, facts in each.fields.items())


def _counts(summary: Summary) -> Mapping[tuple[str, str, str], int]:
    return {
        (name, version, ""): sum(1 for _ in named(each.fields))
        for name, kind in summary.items()
        for version, each in kind.versions.items()
    }
