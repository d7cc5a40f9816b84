"""Lifecycles of elements: first release, deprecation and earliest removal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.lifetimes import Lifetime
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Removal
from protoc_gen_crd.kubernetes.versions import parse_release

ElementKey = tuple[str, str, str]  # kind, version, path


class Lifecycle(Record):
    """The lifecycle of an element, empty without recorded releases."""

    since: str = ""
    deprecated: str = ""
    removal: str = ""


class LifecycleIndex:
    """All elements of the recorded releases; `release` is the one that comes next."""

    def __init__(self, lives: Sequence[Lifetime], terms: DeprecationPolicy, release: str) -> None:
        self._lifetimes = {(one.kind, one.version, one.path): one for one in lives}
        self._terms = terms
        self._release = release

    @property
    def has_releases(self) -> bool:
        """Check whether there are releases."""
        return bool(self._lifetimes)

    def find_lifecycle(self, places: Iterable[ElementKey], *, deprecated: bool, value: str = "") -> Lifecycle:
        """The life of what stands at some places, or of a value of it, there as long as it is at one of them."""
        if not self._lifetimes:
            return Lifecycle()
        found = [life for place in places if (life := self._lifetimes.get(place)) and life.is_current]
        spans = (life.values.get(value) if value else life.spans[-1][0] for life in found)
        since = min(filter(None, spans), key=_get_release_key, default=self._release)
        if not deprecated:
            return Lifecycle(since)
        announced = [(life.deprecated[value], life) for life in found if value in life.deprecated]
        if not announced:
            return Lifecycle(since, self._release)
        removals = [
            self._terms.find_earliest_removal(said, life.version, life.channels[value]) for said, life in announced
        ]
        return Lifecycle(
            since, min((said for said, _ in announced), key=_get_release_key), str(max(removals, key=_get_removal_key))
        )


def make_empty_index() -> LifecycleIndex:
    """Return an index without releases."""
    return LifecycleIndex((), DeprecationPolicy((), {}, ()), "")


def _get_removal_key(removal: Removal) -> tuple[str, tuple[int, int]]:
    return removal.date, _get_release_key(removal.release)


def _get_release_key(release: str) -> tuple[int, int]:
    return parse_release(release) or (0, 0)
