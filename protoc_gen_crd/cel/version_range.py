"""The range of Kubernetes versions for which a result holds that was computed for one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from protoc_gen_crd.kubernetes.versions import UNLIMITED, Switch

T = TypeVar("T")


class MinorRange:
    """The range of minor versions around `minor` for which every question that was asked has the same answer.

    Code that treats versions differently asks this object, so that one result can serve all versions of the range.

    Shortcut version-ranges: code that treats versions differently narrows the range or records its question, so all
    versions within have the same outcome.
    """

    __slots__ = ("_answers", "first", "minor", "until")

    def __init__(self, minor: int) -> None:
        self.minor, self.first, self.until = minor, 0, UNLIMITED
        self._answers: dict[Callable[[int], object], object] = {}

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
        """Return the result of a function of the minor version; versions with another result are out of the range."""
        answer = self._answers[question] = question(self.minor)
        return answer

    def narrow(self, first: int, until: int) -> None:
        """Limit the range to versions from `first` to before `until`."""
        self.first, self.until = max(self.first, first), min(self.until, until)

    def intersect(self, other: MinorRange) -> None:
        """Limit the range to that of another result for the same version."""
        self.narrow(other.first, other.until)
        self._answers |= other._answers

    def contains(self, minor: int) -> bool:
        """Check whether a version is in the range."""
        if not self.first <= minor < self.until:
            return False
        return all(question(minor) == answer for question, answer in self._answers.items())
