"""What is wrong with ranges that can be read: ends that are no versions of the kind, versions that they do not hold."""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.base.versions import age_key
from protoc_gen_crd.build.editions import Editions
from protoc_gen_crd.build.sources import Source
from protoc_gen_crd.markers.ranges import Span


class Kinds:
    """Which versions the kinds have that each message, enum or kind with ranges belongs to."""

    def __init__(self, editions: Editions, problems: Problems) -> None:
        self._editions = editions
        self._problems = problems
        self._versions: dict[str, dict[str, None]] = {}

    def add(self, versions: Iterable[str]) -> None:
        """A kind has these versions, and has asked for ranges of what it is made of."""
        for name in self._editions.asked():
            self._versions.setdefault(name, {}).update(dict.fromkeys(versions))

    def check(self) -> None:
        """Report every end of a range that is a version of none of the kinds which the range is about."""
        for name, versions in self._versions.items():
            for span in self._editions.spans(name):
                self._check(name, span, sorted(versions, key=age_key))

    def _check(self, name: str, span: Span, known: list[str]) -> None:
        ends = () if span.range.of_releases else dict.fromkeys((span.range.since, span.range.until))
        unknown = [end for end in ends if end and end not in known]
        for end in unknown:
            problem = f'a range must name versions of its kind, {", ".join(known)}, found "{end}"'
            hint = suggestion(end, known) or _advice(span, end, known)
            self._problems.report("version-unknown", problem, span.at, path=span.owner, hint=hint, excerpt=span.excerpt)
        if ends and not unknown and not self._editions.held(name, span.range):
            problem = f'a range must hold a version that its message is of, found "{span.range}", which holds none'
            self._problems.report("version-never", problem, span.at, path=span.owner, excerpt=span.excerpt)


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
