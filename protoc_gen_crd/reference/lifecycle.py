"""Lifecycles of elements: first release, deprecation and earliest removal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.lifetimes import Lifetime
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Removal
from protoc_gen_crd.kubernetes.version_ranges import parse_release

ElementKey = tuple[str, str, str]  # kind, version, path


class Lifecycle(Record):
    """The lifecycle of an element, empty without recorded releases."""

    since: str = ""
    deprecated: str = ""
    removal: str = ""


class LifecycleIndex:
    """The lifecycles of all elements of the recorded releases; `release` is the next release."""

    def __init__(self, lifetimes: Sequence[Lifetime], terms: DeprecationPolicy, release: str) -> None:
        self._lifetimes = {(lifetime.kind, lifetime.version, lifetime.path): lifetime for lifetime in lifetimes}
        self._terms = terms
        self._release = release

    @property
    def next_release(self) -> str:
        """The release of elements that no recorded release has, empty without recorded releases."""
        return self._release if self._lifetimes else ""

    @property
    def has_releases(self) -> bool:
        """Check whether there are releases."""
        return bool(self._lifetimes)

    def find_lifecycle(self, places: Iterable[ElementKey], *, deprecated: bool, value: str | None = None) -> Lifecycle:
        """Return the lifecycle of the element at these places, or of its enum value.

        It begins with the first release that has the element at any of the places.
        """
        if not self._lifetimes:
            return Lifecycle()
        lifetimes = [lifetime for place in places if (lifetime := self._lifetimes.get(place)) and lifetime.is_current]
        first_releases = (
            lifetime.spans[-1][0] if value is None else lifetime.values.get(value) for lifetime in lifetimes
        )
        since = min(filter(None, first_releases), key=_get_release_key, default=self._release)
        if not deprecated:
            return Lifecycle(since)
        name = value or ""
        announced = [(lifetime.deprecated[name], lifetime) for lifetime in lifetimes if name in lifetime.deprecated]
        if not announced:
            return Lifecycle(since, self._release)
        removals = [
            self._terms.find_earliest_removal(
                deprecated_in, lifetime.version, lifetime.channels[name], lifetime.element
            )
            for deprecated_in, lifetime in announced
        ]
        return Lifecycle(
            since,
            min((deprecated_in for deprecated_in, _ in announced), key=_get_release_key),
            str(max(removals, key=_get_removal_key)),
        )


def make_empty_index() -> LifecycleIndex:
    """Return an index without releases."""
    return LifecycleIndex((), DeprecationPolicy((), {}, ()), "")


def _get_removal_key(removal: Removal) -> tuple[str, tuple[int, int]]:
    return removal.date, _get_release_key(removal.release)


def _get_release_key(release: str) -> tuple[int, int]:
    return parse_release(release) or (0, 0)
