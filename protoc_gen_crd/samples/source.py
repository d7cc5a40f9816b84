"""Where chance comes from. Whoever shrinks what was found makes numbers smaller, so 0 is always the simplest choice."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Source(Protocol):
    """Gives numbers."""

    def below(self, count: int) -> int:
        """A number from 0 that is smaller than the count, which is at least 1."""


class Seeded:
    """Pseudo-random numbers, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)  # noqa: S311 - no secret

    def below(self, count: int) -> int:
        """See Source."""
        return self._random.randrange(count)


def one_of(source: Source, choices: Sequence[Item]) -> Item:
    """One of the choices, the first of which is the simplest."""
    return choices[source.below(len(choices))]
