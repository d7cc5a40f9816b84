"""Lifetimes of API elements over all recorded releases.

The release of a deprecation is derived from the recorded releases. The deprecation period is defined by
`kubernetes.deprecation_policy`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import ApiSummary, Facts, VersionSummary
from protoc_gen_crd.comparison.enum_value_changes import describe_values, find_lost_values, get_enum_values
from protoc_gen_crd.comparison.summary_comparison import list_fields, split_path
from protoc_gen_crd.kubernetes.api_version_order import get_age_key
from protoc_gen_crd.schema.schema import CHANNEL, DEPRECATED, DEPRECATED_VALUES

_TRACKED_FACTS = (DEPRECATED, CHANNEL, "storage", "served")  # facts whose changes are noted in lifetimes


class Lifetime(Record):
    """The lifetime of an element: the releases that have it, and notes on its changes.

    An element that was removed and added again has several spans. `deprecated` maps an empty name (the element itself)
    and the names of enum values to the releases that deprecated them, as of the last release with the element.
    `channels` has their release channels by the same names, including those of parents. `values` maps enum values to
    their first releases.
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
    def element(self) -> str:
        """Return the path of the element in settings: `group/Kind.version.path`."""
        return ".".join(filter(None, (self.kind, self.version, self.path)))

    @property
    def is_current(self) -> bool:
        """Check whether the newest release has the element."""
        return not self.spans[-1][1]


class _LifetimeBuilder:
    def __init__(self, default_channel: str) -> None:
        self.default_channel = default_channel
        self.spans: list[list[str]] = []
        self.notes: list[str] = []
        self.facts: Facts = {}
        self.deprecated: Mapping[str, str] = {}
        self.values: Mapping[str, str] = {}
        self.version: VersionSummary | None = None
        self.last = ""

    def add_release(self, release: str, before: str, facts: Facts, version: VersionSummary | None) -> None:
        """Add a release that has the element; `before` is the previous release."""
        if not self.spans or self.last != before:
            self.spans.append([release, ""])
            self.facts, self.deprecated, self.values = {}, {}, {}
        if facts != self.facts:
            self.notes += _describe_changes(
                self.facts, facts, release, self.default_channel, first=self.spans[-1][0] == release
            )
            self.deprecated = {name: self.deprecated.get(name, release) for name in _list_deprecated(facts)}
            self.values = self._find_values(facts, release)
        self.facts, self.version, self.last = facts, version, release
        self.spans[-1][1] = release

    def _find_values(self, facts: Facts, release: str) -> Mapping[str, str]:
        """Return the first releases of enum values; the initial values are as old as the element."""
        added = find_lost_values(facts, self.facts)
        first = self.spans[-1][0]
        return {name: release if name in added else self.values.get(name, first) for name in get_enum_values(facts)}


def _list_deprecated(facts: Facts) -> Iterator[str]:
    """Yield the deprecated parts of an element: itself as an empty name, and enum values."""
    if facts.get(DEPRECATED):
        yield ""
    yield from facts.get(DEPRECATED_VALUES) or ()


def _describe_changes(old: Facts, new: Facts, release: str, default_channel: str, *, first: bool) -> Iterator[str]:
    for name in _TRACKED_FACTS:
        before, after = old.get(name), new.get(name)
        if before == after or (first and name == "served"):
            continue
        if name == CHANNEL:
            yield f"{after or default_channel} since {release}"
        elif after:
            yield f"{name} since {release}"
        else:
            yield f"not {name} since {release}"
    yield from describe_values(old, new, release, default_channel)


def compute_lifetimes(
    history: Iterable[tuple[str, ApiSummary]], channels: Sequence[str] = ("stable",)
) -> list[Lifetime]:
    """Return the lifetimes of all elements, sorted by kind, version and path.

    `history` has the releases, oldest first. Elements without a channel are in the first of `channels`.
    """
    builders: dict[tuple[str, str, str], _LifetimeBuilder] = {}
    counts: dict[tuple[str, str, str], int] = {}
    before = ""
    for release, summary in history:
        for key, facts, version in _iterate_elements(summary):
            if key not in builders:
                builders[key] = _LifetimeBuilder(next(iter(channels), ""))
            builders[key].add_release(release, before, facts, version)
        counts |= _count_fields(summary)
        before = release
    return [
        _make_lifetime(key, builders[key], before, counts.get(key, 0), channels)
        for key in sorted(builders, key=_get_sort_key)
    ]


def _make_lifetime(
    key: tuple[str, str, str], builder: _LifetimeBuilder, newest: str, fields: int, channels: Sequence[str]
) -> Lifetime:
    deprecated_channels = _find_channels(key[2], builder, channels)
    return Lifetime(
        *key,
        _close_spans(builder, newest),
        tuple(builder.notes),
        fields,
        builder.deprecated,
        deprecated_channels,
        builder.values,
    )


def _find_channels(path: str, builder: _LifetimeBuilder, channels: Sequence[str]) -> Mapping[str, str]:
    """Return the channels of the deprecated parts of an element."""
    return (
        {name: builder.version.find_channel(path, channels, name) for name in builder.deprecated}
        if builder.version
        else {}
    )


def _get_sort_key(key: tuple[str, str, str]) -> tuple[object, ...]:
    kind, version, path = key
    return kind, version != "", get_age_key(version), split_path(path)


def _close_spans(builder: _LifetimeBuilder, newest: str) -> tuple[tuple[str, str], ...]:
    """Return the spans; the end of a span is empty if the newest release has the element."""
    return tuple((first, "" if last == newest else last) for first, last in builder.spans)


def _iterate_elements(summary: ApiSummary) -> Iterator[tuple[tuple[str, str, str], Facts, VersionSummary | None]]:
    for name, kind in summary.items():
        yield (name, "", ""), kind.facts, None
        for version_name, version in kind.versions.items():
            yield (name, version_name, ""), version.facts, version
            yield from (((name, version_name, path), facts, version) for path, facts in version.fields.items())


def _count_fields(summary: ApiSummary) -> Mapping[tuple[str, str, str], int]:
    return {
        (name, version_name, ""): sum(1 for _ in list_fields(version.fields))
        for name, kind in summary.items()
        for version_name, version in kind.versions.items()
    }
