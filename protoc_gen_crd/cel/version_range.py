"""For which versions of Kubernetes an answer holds that was worked out for one of them. Knows no difference itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from protoc_gen_crd.kubernetes.versions import UNLIMITED, Switch

T = TypeVar("T")


class MinorRange:
    """The minor versions around `minor` for which all that was asked of it has the same answer.

    Whoever treats versions differently asks here, so that what was made for one can serve all others of its era.

    Shortcut version-ranges: code that treats versions differently narrows the range or records its question, so all
    versions within have the same outcome.
    """

    __slots__ = ("_asked", "first", "minor", "until")

    def __init__(self, minor: int) -> None:
        self.minor, self.first, self.until = minor, 0, UNLIMITED
        self._asked: dict[Callable[[int], object], object] = {}

    def has(self, switch: Switch) -> bool:
        """Check whether the switch is on in the version."""
        if self.minor < switch.since:
            self.narrow(self.first, switch.since)
            return False
        if self.minor >= switch.until:
            self.narrow(switch.until, self.until)
            return False
        self.narrow(switch.since, switch.until)
        return True

    def evaluate(self, question: Callable[[int], T]) -> T:
        """The answer to a function of the minor version, which others are asked once they are looked at."""
        answer = self._asked[question] = question(self.minor)
        return answer

    def narrow(self, first: int, until: int) -> None:
        """The answer holds from one version to before another at most."""
        self.first, self.until = max(self.first, first), min(self.until, until)

    def intersect(self, other: MinorRange) -> None:
        """The answer holds no further than another one, which holds for this version, too."""
        self.narrow(other.first, other.until)
        self._asked |= other._asked

    def contains(self, minor: int) -> bool:
        """Whether a version is of the era."""
        if not self.first <= minor < self.until:
            return False
        return all(question(minor) == answer for question, answer in self._asked.items())
