"""Since which release an element is there, since when it is deprecated, and when it may go: releases and places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protoc_gen_crd.base.deprecation import Removal, Terms
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import parse_release
from protoc_gen_crd.history.lifetimes import Lifetime

Place = tuple[str, str, str]  # kind, version, path


class Life(Record):
    """What is told of an element. Nothing is, where there are no releases."""

    since: str = ""
    deprecated: str = ""
    removal: str = ""


class Lives:
    """All elements of the recorded releases; `release` is the one that comes next."""

    def __init__(self, lives: Sequence[Lifetime], terms: Terms, release: str) -> None:
        self._lives = {(one.kind, one.version, one.path): one for one in lives}
        self._terms = terms
        self._release = release

    @property
    def known(self) -> bool:
        """Whether there are releases."""
        return bool(self._lives)

    def of(self, places: Iterable[Place], *, deprecated: bool, value: str = "") -> Life:
        """The life of what stands at some places, or of a value of it, there as long as it is at one of them."""
        if not self._lives:
            return Life()
        found = [life for place in places if (life := self._lives.get(place)) and life.lasting]
        spans = (life.values.get(value) if value else life.spans[-1][0] for life in found)
        since = min(filter(None, spans), key=_number, default=self._release)
        if not deprecated:
            return Life(since)
        announced = [(life.deprecated[value], life) for life in found if value in life.deprecated]
        if not announced:
            return Life(since, self._release)
        removals = [self._terms.earliest(said, life.version, life.channels[value]) for said, life in announced]
        return Life(since, min((said for said, _ in announced), key=_number), str(max(removals, key=_order)))


def no_lives() -> Lives:
    """Where nothing is recorded."""
    return Lives((), Terms((), {}, ()), "")


def _order(removal: Removal) -> tuple[str, tuple[int, int]]:
    return removal.date, _number(removal.release)


def _number(release: str) -> tuple[int, int]:
    return parse_release(release) or (0, 0)
