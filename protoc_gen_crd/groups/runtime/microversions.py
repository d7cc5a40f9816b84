"""Microversions of a group: their numbers, and the versions in order."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Self

LATEST = "latest"
_NUMBER = re.compile(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})")


def parse_number(version: str) -> tuple[int, int] | None:
    """Return the parts of a number such as 3.4; None for any other string."""
    match = _NUMBER.fullmatch(version)
    return (int(match[1]), int(match[2])) if match else None


class Microversion(enum.IntEnum):
    """Base of the versions of a group. They are ordered by age."""

    @property
    def label(self) -> str:
        """The number of the version, such as 3.4."""
        return self.name[1:].replace("_", ".")

    @classmethod
    def parse(cls, label: str) -> Self:
        """Return the version of a number such as 3.4, or of `latest`. Raises ValueError for any other number."""
        labels: Mapping[str, Self] = _list_labels(cls)
        if label not in labels:
            numbers = [version.label for version in cls]
            raise ValueError(f'"{label}" is not a microversion from {numbers[0]} to {numbers[-1]}')
        return labels[label]

    def matches(self, since: str | None = None, until: str | None = None) -> bool:
        """Return whether the version is in a range, both ends included. An end that is None or empty has no limit.

        Raises ValueError for an end that is not a version of the group.
        """
        return not ((since and self < self.parse(since)) or (until and self > self.parse(until)))


@cache
def _list_labels(versions: type[Microversion]) -> dict[str, Any]:
    """Return the versions of a group by number, and the newest as `latest`."""
    return {**{version.label: version for version in versions}, LATEST: max(versions)}
