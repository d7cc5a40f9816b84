"""Checks of version ranges for unknown versions, and for ranges without a version."""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.resource_messages import ResourceSource
from protoc_gen_crd.generation.version_cache import RangeCondition, VersionCache
from protoc_gen_crd.kubernetes.api_version_order import get_age_key
from protoc_gen_crd.markers.marker_ranges import LocatedRange
from protoc_gen_crd.markers.override_place import locate_key


class RangeChecker:
    """Checks ranges against the versions of the kinds that each element belongs to."""

    def __init__(self, version_cache: VersionCache, problems: Problems) -> None:
        self._version_cache = version_cache
        self._problems = problems
        self._versions: dict[str, dict[str, None]] = {}

    def add_kind(self, versions: Iterable[str]) -> None:
        """Add the versions of a kind to the elements that it uses."""
        for name in self._version_cache.list_elements():
            self._versions.setdefault(name, {}).update(dict.fromkeys(versions))

    def check_ranges(self, *, whole: bool) -> None:
        """Report range ends that are versions of none of the kinds of their elements.

        With `whole`, no channel omits elements, and ranges that contain no version are reported too.
        """
        results: dict[int, bool] = {}
        for condition in self._version_cache.list_conditions():
            is_known = [self._is_known(span, results) for span in condition.spans]
            if whole and all(is_known) and (condition.field is None or condition.field.full_name in self._versions):
                self._check_never(condition)

    def _is_known(self, span: LocatedRange, results: dict[int, bool]) -> bool:
        """Return whether a range names versions of a kind. Unknown versions are reported once."""
        if id(span) not in results:
            versions = sorted(self._versions.get(span.owner, ()), key=get_age_key)
            results[id(span)] = bool(versions) and self._check_ends(span, versions)
        return results[id(span)]

    def _check_ends(self, span: LocatedRange, versions: list[str]) -> bool:
        ends = () if span.range.is_of_releases else dict.fromkeys((span.range.since, span.range.until))
        unknown = [end for end in ends if end and end not in versions]
        for end in unknown:
            problem = f'unknown version "{end}" in a range (versions: {", ".join(versions)})'
            hint = suggest(end, versions) or _suggest_end(span, end, versions)
            at = locate_key(span.at, "since" if end == span.range.since else "until")
            self._problems.report("version-unknown", problem, at, path=span.owner, hint=hint, excerpt=span.excerpt)
        return not unknown

    def _check_never(self, condition: RangeCondition) -> None:
        if not condition.spans or (
            self._version_cache.is_satisfied(condition) and _has_common_release(condition.spans)
        ):
            return
        ranges = " and ".join([f'"{span.range}"' for span in condition.spans])
        several = len(condition.spans) > 1
        problem = f"ranges {ranges} have no version of the message in common" if several else ""
        problem = problem or f"range {ranges} contains no version of the message"
        first, field = condition.spans[0], condition.field
        type_spans = [span for span in condition.spans if field is not None and span.owner != field.full_name]
        hint = f'"{type_spans[0].range}" is the range of its type, {type_spans[0].owner}' if type_spans else ""
        if field is not None and first in type_spans:
            self._problems.report("version-range-unused", problem, field.at, path=field.full_name, hint=hint)
        else:
            self._problems.report(
                "version-range-unused", problem, first.at, path=first.owner, hint=hint, excerpt=first.excerpt
            )


def _has_common_release(spans: Iterable[LocatedRange]) -> bool:
    """Return whether all ranges of releases have a release in common."""
    from protoc_gen_crd.kubernetes.version_ranges import VersionRange  # noqa: PLC0415 - few APIs have ranges

    ranges = [span.range for span in spans if span.range.is_of_releases]
    since = max((range_.since for range_ in ranges if range_.since), key=_parse_number, default="")
    until = min((range_.until for range_ in ranges if range_.until), key=_parse_number, default="")
    try:
        VersionRange.make(since, until)
    except ValueError:
        return False
    return True


def _parse_number(release: str) -> tuple[int, int]:
    from protoc_gen_crd.kubernetes.version_ranges import parse_release  # noqa: PLC0415 - few APIs have ranges

    return parse_release(release) or (0, 0)


def _suggest_end(span: LocatedRange, end: str, versions: list[str]) -> str:
    is_older = end == span.range.since and get_age_key(end) < get_age_key(versions[0])
    return f'remove "since": all versions are newer than {end}' if is_older else ""


def restrict_source(
    source: ResourceSource, spans: Iterable[LocatedRange], version_cache: VersionCache, problems: Problems
) -> ResourceSource | None:
    """Return a resource, and report versions outside the ranges of its message. None if the release lacks it."""
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
