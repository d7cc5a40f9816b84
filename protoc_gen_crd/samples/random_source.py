"""The source of random numbers. Shrinking makes numbers smaller, so 0 is always the simplest choice."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class RandomSource(Protocol):
    """A source of random numbers."""

    def draw(self, count: int) -> int:
        """Return a number from 0 to `count` - 1; `count` is at least 1."""


class SeededSource:
    """A source of pseudo-random numbers, equal for equal seeds."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret

    def draw(self, count: int) -> int:
        """Return a number from 0 to `count` - 1."""
        return self._random.randrange(count)


def choose_one(source: RandomSource, choices: Sequence[Item]) -> Item:
    """Return one of the choices, the first of which is the simplest."""
    return choices[source.draw(len(choices))]
