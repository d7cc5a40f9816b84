"""Checks of version ranges: unknown versions, and ranges without a version."""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.resource_messages import ResourceSource
from protoc_gen_crd.generation.version_cache import RangeCondition, VersionCache
from protoc_gen_crd.kubernetes.versions import VersionRange, get_age_key, parse_release
from protoc_gen_crd.markers.marker_ranges import LocatedRange


class RangeChecker:
    """Checks ranges against the versions of the kinds that each element belongs to."""

    def __init__(self, version_cache: VersionCache, problems: Problems) -> None:
        self._editions = version_cache
        self._problems = problems
        self._versions: dict[str, dict[str, None]] = {}

    def add_kind(self, versions: Iterable[str]) -> None:
        """Add the versions of a kind to the elements that it uses."""
        for name in self._editions.list_elements():
            self._versions.setdefault(name, {}).update(dict.fromkeys(versions))

    def check_ranges(self, *, whole: bool) -> None:
        """Report every end of a range that is a version of none of the kinds which the range is about.

        Of a `whole` API, from which no channel has taken anything, also ranges in which there is nothing.
        """
        seen: dict[int, bool] = {}
        for asked in self._editions.list_conditions():
            known = [self._is_known(span, seen) for span in asked.spans]
            if whole and all(known) and (asked.field is None or asked.field.full_name in self._versions):
                self._check_never(asked)

    def _is_known(self, span: LocatedRange, seen: dict[int, bool]) -> bool:
        """Report whether a range names versions of a kind; unknown versions are reported once."""
        if id(span) not in seen:
            versions = sorted(self._versions.get(span.owner, ()), key=get_age_key)
            seen[id(span)] = bool(versions) and self._check_ends(span, versions)
        return seen[id(span)]

    def _check_ends(self, span: LocatedRange, known: list[str]) -> bool:
        ends = () if span.range.is_of_releases else dict.fromkeys((span.range.since, span.range.until))
        unknown = [end for end in ends if end and end not in known]
        for end in unknown:
            problem = f'unknown version "{end}" in a range (versions: {", ".join(known)})'
            hint = suggest(end, known) or _suggest_end(span, end, known)
            self._problems.report("version-unknown", problem, span.at, path=span.owner, hint=hint, excerpt=span.excerpt)
        return not unknown

    def _check_never(self, asked: RangeCondition) -> None:
        if not asked.spans or (self._editions.is_satisfied(asked) and _has_common_release(asked.spans)):
            return
        ranges = " and ".join([f'"{span.range}"' for span in asked.spans])
        many = len(asked.spans) > 1
        problem = f"ranges {ranges} have no version in common" if many else f"range {ranges} contains no version"
        problem += " of the message"
        first, field = asked.spans[0], asked.field
        others = [span for span in asked.spans if field is not None and span.owner != field.full_name]
        hint = f'"{others[0].range}" is the range of its type, {others[0].owner}' if others else ""
        if field is not None and first in others:
            self._problems.report("version-range-unused", problem, field.at, path=field.full_name, hint=hint)
        else:
            self._problems.report(
                "version-range-unused", problem, first.at, path=first.owner, hint=hint, excerpt=first.excerpt
            )


def _has_common_release(spans: Iterable[LocatedRange]) -> bool:
    """Report whether all ranges of releases have a release in common."""
    found = [span.range for span in spans if span.range.is_of_releases]
    since = max((one.since for one in found if one.since), key=_parse_number, default="")
    until = min((one.until for one in found if one.until), key=_parse_number, default="")
    try:
        VersionRange.make(since, until)
    except ValueError:
        return False
    return True


def _parse_number(release: str) -> tuple[int, int]:
    return parse_release(release) or (0, 0)


def _suggest_end(span: LocatedRange, end: str, known: list[str]) -> str:
    gone = end == span.range.since and get_age_key(end) < get_age_key(known[0])
    return f'remove "since": all versions are newer than {end}' if gone else ""


def restrict_source(
    source: ResourceSource, spans: Iterable[LocatedRange], version_cache: VersionCache, problems: Problems
) -> ResourceSource | None:
    """Return a resource whose versions are in the ranges of its message; None if the release does not contain it."""
    for span in spans:
        outside = [name for name in source.versions if not _is_in_range(name, span, version_cache)]
        if outside and span.range.is_of_releases:
            return None
        if outside:
            problem = f'message declares {", ".join(outside)}, outside its range "{span.range}"'
            problems.report("version-range", problem, span.at, path=span.owner, excerpt=span.excerpt)
    return source


def _is_in_range(version: str, span: LocatedRange, version_cache: VersionCache) -> bool:
    version_cache.version = version
    return version_cache.is_in_ranges([span])
