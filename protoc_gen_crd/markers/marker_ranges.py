"""Version ranges in markers: `since` and `until` of an element, of a rule, or of a group of markers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.markers.override_place import locate_key

if TYPE_CHECKING:
    from protoc_gen_crd.kubernetes.version_ranges import VersionRange

ENDS = ("since", "until")

Bounds = tuple[str | None, str | None]  # since and until as written, None if not set


class LocatedRange(Record):
    """A range and its place; `owner` is the full name of the element."""

    range: VersionRange
    at: Place
    owner: str
    excerpt: Excerpt | None = None


def get_bounds(values: Mapping[str, Any]) -> tuple[Bounds, ...]:
    """Return the bounds among the members of a message; empty if none is set."""
    since, until = (values.get(end) for end in ENDS)
    return () if since is None and until is None else ((since, until),)


def parse_prefix(marker_text: str) -> tuple[Bounds | None, str]:
    """Split a range before a marker, as in `since(v1):max_length=3`, from the marker; None without a range."""
    if not marker_text.startswith(ENDS):
        return None, marker_text
    bounds: dict[str, str] = {}
    while (match := re.match(_PREFIX, marker_text)) and match[1] not in bounds:
        bounds[match[1]] = match[2]
        marker_text = marker_text[match.end() :]
    return next(iter(get_bounds(bounds)), None), marker_text


_PREFIX = r"(since|until)\(([^()]*)\):"


class RangeReader:
    """Converts bounds to version ranges."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def read_ranges(
        self, bounds: Sequence[Bounds], at: Place, owner: str, excerpt: Excerpt | None
    ) -> tuple[LocatedRange, ...] | None:
        """Return the ranges, all of which apply; None, with findings, if any is invalid."""
        ranges = tuple(
            [located for pair in bounds if (located := self._make_range(pair, at, owner, excerpt)) is not None]
        )
        return ranges if len(ranges) == len(bounds) else None

    def _make_range(self, bounds: Bounds, at: Place, owner: str, excerpt: Excerpt | None) -> LocatedRange | None:
        from protoc_gen_crd.kubernetes.version_ranges import VersionRange  # noqa: PLC0415 - few APIs have ranges

        since, until = bounds
        end = "until" if until == "" or (since is None and until) else "since"
        if "" in bounds or bounds == (None, None):
            problem = f'"{end}" names no version'
        else:
            try:
                return LocatedRange(VersionRange.make(since or "", until or ""), at, owner, excerpt)
            except ValueError as error:
                problem = str(error)
        self._problems.report("version-range", problem, locate_key(at, end), path=owner, excerpt=excerpt)
        return None
