"""What is wrong with ranges that can be read: ends that are no versions of the kind, versions that they do not hold."""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.base.versions import VersionRange, age_key, parse_release
from protoc_gen_crd.build.editions import Asked, Editions
from protoc_gen_crd.build.sources import Source
from protoc_gen_crd.markers.ranges import Span


class Kinds:
    """Which versions the kinds have that each element with ranges belongs to."""

    def __init__(self, editions: Editions, problems: Problems) -> None:
        self._editions = editions
        self._problems = problems
        self._versions: dict[str, dict[str, None]] = {}

    def add(self, versions: Iterable[str]) -> None:
        """A kind has these versions, and has asked for ranges of what it is made of."""
        for name in self._editions.names():
            self._versions.setdefault(name, {}).update(dict.fromkeys(versions))

    def check(self, *, whole: bool) -> None:
        """Report every end of a range that is a version of none of the kinds which the range is about.

        Of a `whole` API, from which no channel has taken anything, also ranges in which there is nothing.
        """
        seen: dict[int, bool] = {}
        for asked in self._editions.asked():
            known = [self._known(span, seen) for span in asked.spans]
            if whole and all(known) and (asked.field is None or asked.field.full_name in self._versions):
                self._check_never(asked)

    def _known(self, span: Span, seen: dict[int, bool]) -> bool:
        """Whether a range is one of kinds, and names versions of theirs; what it does not is reported once."""
        if id(span) not in seen:
            versions = sorted(self._versions.get(span.owner, ()), key=age_key)
            seen[id(span)] = bool(versions) and self._check(span, versions)
        return seen[id(span)]

    def _check(self, span: Span, known: list[str]) -> bool:
        ends = () if span.range.of_releases else dict.fromkeys((span.range.since, span.range.until))
        unknown = [end for end in ends if end and end not in known]
        for end in unknown:
            problem = f'a range must name versions of its kind, {", ".join(known)}, found "{end}"'
            hint = suggestion(end, known) or _advice(span, end, known)
            self._problems.report("version-unknown", problem, span.at, path=span.owner, hint=hint, excerpt=span.excerpt)
        return not unknown

    def _check_never(self, asked: Asked) -> None:
        if not asked.spans or (self._editions.held(asked) and _meet(asked.spans)):
            return
        ranges = " and ".join([f'"{span.range}"' for span in asked.spans])
        many = len(asked.spans) > 1
        problem = f"a range must hold a version that its message is of, found {ranges}, which "
        problem += "hold none together" if many else "holds none"
        first, field = asked.spans[0], asked.field
        others = [span for span in asked.spans if field is not None and span.owner != field.full_name]
        hint = f'"{others[0].range}" is the range of its type, {others[0].owner}' if others else ""
        if field is not None and first in others:
            self._problems.report("version-never", problem, field.at, path=field.full_name, hint=hint)
        else:
            self._problems.report(
                "version-never", problem, first.at, path=first.owner, hint=hint, excerpt=first.excerpt
            )


def _meet(spans: Iterable[Span]) -> bool:
    """Whether there are releases that all ranges of releases hold, if there are such ranges."""
    found = [span.range for span in spans if span.range.of_releases]
    since = max((one.since for one in found if one.since), key=_number, default="")
    until = min((one.until for one in found if one.until), key=_number, default="")
    try:
        VersionRange.between(since, until)
    except ValueError:
        return False
    return True


def _number(release: str) -> tuple[int, int]:
    return parse_release(release) or (0, 0)


def _advice(span: Span, end: str, known: list[str]) -> str:
    gone = end == span.range.since and age_key(end) < age_key(known[0])
    return f'no version is as old as {end} any more: take "since" away' if gone else ""


def held(source: Source, spans: Iterable[Span], editions: Editions, problems: Problems) -> Source | None:
    """A resource in the versions that the ranges of its message hold; None if the release has it not."""
    for span in spans:
        outside = [name for name in source.versions if not _holds(name, span, editions)]
        if outside and span.range.of_releases:
            return None
        if outside:
            problem = f'a message must describe versions of its range, "{span.range}", found {", ".join(outside)}'
            problems.report("version-range", problem, span.at, path=span.owner, excerpt=span.excerpt)
    return source


def _holds(version: str, span: Span, editions: Editions) -> bool:
    editions.version = version
    return editions.holds([span])
