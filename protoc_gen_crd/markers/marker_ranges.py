"""Ranges of versions as markers give them: `since` and `until` of an element, of a rule, of a group of markers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.kubernetes.versions import VersionRange

ENDS = ("since", "until")

Bounds = tuple[str | None, str | None]  # since and until as written, None where they are not


class LocatedRange(Record):
    """A range and where it is written; `owner` is the full name of the element."""

    range: VersionRange
    at: Place
    owner: str
    excerpt: Excerpt | None = None


def get_bounds(values: Mapping[str, Any]) -> tuple[Bounds, ...]:
    """The ends among the members of a message, if there are any."""
    since, until = (values.get(end) for end in ENDS)
    return () if since is None and until is None else ((since, until),)


def parse_prefix(text: str) -> tuple[Bounds | None, str]:
    """Split a range before a marker, as in `since(v1):max_length=3`, from the marker; None without a range."""
    if not text.startswith(ENDS):
        return None, text
    given: dict[str, str] = {}
    while (end := re.match(_PREFIX, text)) and end[1] not in given:
        given[end[1]] = end[2]
        text = text[end.end() :]
    return next(iter(get_bounds(given)), None), text


_PREFIX = r"(since|until)\(([^()]*)\):"


class RangeReader:
    """Makes spans of bounds."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def read_ranges(
        self, given: Sequence[Bounds], at: Place, owner: str, excerpt: Excerpt | None
    ) -> tuple[LocatedRange, ...] | None:
        """Return the ranges, which all apply; None, with findings, if one is invalid."""
        made = tuple([span for one in given if (span := self._make_range(one, at, owner, excerpt)) is not None])
        return made if len(made) == len(given) else None

    def _make_range(self, given: Bounds, at: Place, owner: str, excerpt: Excerpt | None) -> LocatedRange | None:
        since, until = given
        problem = ""
        if "" in given or given == (None, None):
            problem = f'"{"until" if until == "" else "since"}" names no version'
        else:
            try:
                return LocatedRange(VersionRange.make(since or "", until or ""), at, owner, excerpt)
            except ValueError as error:
                problem = str(error)
        self._problems.report("version-range", problem, at, path=owner, excerpt=excerpt)
        return None
