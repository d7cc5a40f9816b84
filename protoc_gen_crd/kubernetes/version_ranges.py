"""Ranges of API versions or of releases, such as `since: "1.4"`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Self

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.kubernetes.api_version_order import get_age_key

_LARGEST = 999_999_999  # of the numbers of a release


@lru_cache(maxsize=1024)
def parse_release(name: str) -> tuple[int, int] | None:
    """Return (major, minor) of a release such as `1.4`; None for any other name."""
    match = re.fullmatch(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})", name)
    return (int(match[1]), int(match[2])) if match else None


def get_next_release(name: str, count: int = 1) -> str:
    """Return the next release, or a later one; the first release after an empty name. None is after the largest."""
    major, minor = parse_release(name) or (1, -1)
    return f"{major}.{min(minor + count, _LARGEST)}"


class VersionRange(Record):
    """The versions from `since` to `until`, both inclusive; an empty end means no limit.

    They are API versions by age, or releases such as `1.4` by their numbers, never both. `parse` and `make` create a
    range and raise ValueError if it is invalid.
    """

    since: str = ""
    until: str = ""

    def __hash__(self) -> int:
        return hash((self.since, self.until))  # faster than a Record's: it is computed for every field of every version

    @classmethod
    def make(cls, since: str, until: str) -> Self:
        """Create a range.

        Args:
            since: The first version, empty for no limit.
            until: The last version, which is included; empty for no limit.

        Raises:
            ValueError: The range is empty, or mixes API versions and releases.
        """
        for name in (since, until):
            if name and not re.fullmatch(_NAME, name):
                raise ValueError(f'"{name}" is neither an API version such as v1beta1 nor a release such as 1.4')
        if since and until and is_release(since) != is_release(until):
            raise ValueError(f'range "{since}..{until}" mixes an API version and a release')
        if since and until and _get_order_key(since) > _get_order_key(until):
            raise ValueError(f'range "{since}..{until}" is empty')
        return cls(since, until)

    @classmethod
    def parse(cls, version_range: str) -> Self:
        """Parse a range: `v1beta1..v1`, `v1..`, `..v1beta1`, or `v1` alone.

        Raises:
            ValueError: The range is invalid or empty.
        """
        since, dots, until = version_range.partition("..")
        if not version_range or not (dots or since):
            raise ValueError("empty version range")
        return cls.make(since, until if dots else since)

    @property
    def is_of_releases(self) -> bool:
        """Report whether its ends are releases."""
        return is_release(self.since or self.until)

    def contains(self, version: str) -> bool:
        """Return whether a version is in the range. Raises ValueError for a version of the other kind."""
        if (self.since or self.until) and is_release(version) != self.is_of_releases:
            raise ValueError(
                f'cannot compare "{version}" with a range of {"releases" if self.is_of_releases else "API versions"}'
            )
        return not (
            (self.since and _get_order_key(version) < _get_order_key(self.since))
            or (self.until and _get_order_key(version) > _get_order_key(self.until))
        )

    __contains__ = contains

    def __str__(self) -> str:
        return self.since if self.since and self.since == self.until else f"{self.since}..{self.until}"


_NAME = r"[a-z]([-a-z0-9]*[a-z0-9])?|(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})"


def is_release(name: str) -> bool:
    """Return whether a name is that of a release rather than of an API version."""
    return parse_release(name) is not None


def _get_order_key(name: str) -> tuple[object, ...]:
    return parse_release(name) or get_age_key(name)
