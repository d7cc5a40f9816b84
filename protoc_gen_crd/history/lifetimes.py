"""Lifetimes of API elements over all recorded releases.

When a deprecation was announced follows from the releases alone; how long it then takes is for
`kubernetes.deprecation_policy`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.api_changes import list_fields, split_path
from protoc_gen_crd.history.api_summary import ApiSummary, Facts, VersionSummary
from protoc_gen_crd.history.enum_values import describe_values, find_lost_values, get_enum_values
from protoc_gen_crd.kubernetes.versions import get_age_key
from protoc_gen_crd.schema.schema import CHANNEL, DEPRECATED, DEPRECATED_VALUES

_TRACKED_FACTS = (DEPRECATED, CHANNEL, "storage", "served")  # facts whose changes belong to an element's life


class Lifetime(Record):
    """The lifetime of an element: the releases that have it, and notes on its changes.

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
    def is_current(self) -> bool:
        """Check whether the newest release has it."""
        return not self.spans[-1][1]


class _LifetimeBuilder:
    def __init__(self, main: str) -> None:
        self.default_channel = main
        self.spans: list[list[str]] = []
        self.notes: list[str] = []
        self.facts: Facts = {}
        self.deprecated: Mapping[str, str] = {}
        self.values: Mapping[str, str] = {}
        self.version: VersionSummary | None = None
        self.last = ""

    def add_release(self, release: str, before: str, facts: Facts, within: VersionSummary | None) -> None:
        """The element is in a release."""
        if not self.spans or self.last != before:
            self.spans.append([release, ""])
            self.facts, self.deprecated, self.values = {}, {}, {}
        if facts != self.facts:
            self.notes += _describe_changes(
                self.facts, facts, release, self.default_channel, first=self.spans[-1][0] == release
            )
            self.deprecated = {name: self.deprecated.get(name, release) for name in _list_deprecated(facts)}
            self.values = self._find_values(facts, release)
        self.facts, self.version, self.last = facts, within, release
        self.spans[-1][1] = release

    def _find_values(self, facts: Facts, release: str) -> Mapping[str, str]:
        """The values of an enum with the releases they are in since: the first ones are as old as the element."""
        came = find_lost_values(facts, self.facts)
        first = self.spans[-1][0]
        return {name: release if name in came else self.values.get(name, first) for name in get_enum_values(facts)}


def _list_deprecated(facts: Facts) -> Iterator[str]:
    """Yield the deprecated parts of an element: itself as an empty name, and enum values."""
    if facts.get(DEPRECATED):
        yield ""
    yield from facts.get(DEPRECATED_VALUES) or ()


def _describe_changes(old: Facts, new: Facts, release: str, main: str, *, first: bool) -> Iterator[str]:
    for name in _TRACKED_FACTS:
        before, after = old.get(name), new.get(name)
        if before == after or (first and name == "served"):
            continue
        if name == CHANNEL:
            yield f"{after or main} since {release}"
        elif after:
            yield f"{name} since {release}"
        else:
            yield f"not {name} since {release}"
    yield from describe_values(old, new, release, main)


def compute_lifetimes(
    history: Iterable[tuple[str, ApiSummary]], channels: Sequence[str] = ("stable",)
) -> list[Lifetime]:
    """All elements by kind, version and path; releases come oldest first. What names no channel is in the first."""
    lives: dict[tuple[str, str, str], _LifetimeBuilder] = {}
    counts: dict[tuple[str, str, str], int] = {}
    before = ""
    for release, summary in history:
        for key, facts, within in _iterate_elements(summary):
            if key not in lives:
                lives[key] = _LifetimeBuilder(next(iter(channels), ""))
            lives[key].add_release(release, before, facts, within)
        counts |= _count_fields(summary)
        before = release
    return [
        _make_lifetime(key, lives[key], before, counts.get(key, 0), channels)
        for key in sorted(lives, key=_get_sort_key)
    ]


def _make_lifetime(
    key: tuple[str, str, str], life: _LifetimeBuilder, newest: str, fields: int, channels: Sequence[str]
) -> Lifetime:
    found = _find_channels(key[2], life, channels)
    return Lifetime(*key, _close_spans(life, newest), tuple(life.notes), fields, life.deprecated, found, life.values)


def _find_channels(path: str, life: _LifetimeBuilder, channels: Sequence[str]) -> Mapping[str, str]:
    """The channel of each thing that is deprecated."""
    return {name: life.version.find_channel(path, channels, name) for name in life.deprecated} if life.version else {}


def _get_sort_key(key: tuple[str, str, str]) -> tuple[object, ...]:
    kind, version, path = key
    return kind, version != "", get_age_key(version), split_path(path)


def _close_spans(life: _LifetimeBuilder, newest: str) -> tuple[tuple[str, str], ...]:
    """The spans; the end of one that lasts is empty."""
    return tuple((first, "" if last == newest else last) for first, last in life.spans)


def _iterate_elements(summary: ApiSummary) -> Iterator[tuple[tuple[str, str, str], Facts, VersionSummary | None]]:
    for name, kind in summary.items():
        yield (name, "", ""), kind.facts, None
        for version, each in kind.versions.items():
            yield (name, version, ""), each.facts, each
            yield from (((name, version, path), facts, each) for path, facts in each.fields.items())


def _count_fields(summary: ApiSummary) -> Mapping[tuple[str, str, str], int]:
    return {
        (name, version, ""): sum(1 for _ in list_fields(each.fields))
        for name, kind in summary.items()
        for version, each in kind.versions.items()
    }
