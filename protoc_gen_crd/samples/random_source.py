"""The random source. Shrinking makes numbers smaller, so 0 is always the simplest choice."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class RandomSource(Protocol):
    """Gives numbers."""

    def draw(self, count: int) -> int:
        """A number from 0 that is smaller than the count, which is at least 1."""


class SeededSource:
    """Pseudo-random numbers, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret

    def draw(self, count: int) -> int:
        """See Source."""
        return self._random.randrange(count)


def choose_one(source: RandomSource, choices: Sequence[Item]) -> Item:
    """One of the choices, the first of which is the simplest."""
    return choices[source.draw(len(choices))]
