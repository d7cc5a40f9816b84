"""Which part of the schema of self an expression stands for: a variable and the steps from it.

Servers keep the steps in slices of Go, which may share their memory: a step added to one path can overwrite the last
step of another, and estimates then go by the wrong size. So these do the same. Source: cel-go v0.29 `checker/cost.go`;
k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go (sizeEstimator).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from protoc_gen_crd.cel.types import STRING, Declared

from .intervals import Interval

ITEMS, KEYS, VALUES, INDICES = "@items", "@keys", "@values", "@indices"
_KEY = Declared(STRING)


class Sized(Protocol):
    """What is declared of a value, as far as sizes go."""

    @property
    def most(self) -> int:
        """The largest size."""

    @property
    def item(self) -> Sized | None:
        """What a list or map holds."""

    @property
    def keyed(self) -> bool:
        """Whether it is a map."""

    @property
    def fields(self) -> Mapping[str, Sized]:
        """What an object has."""


class Path:
    """A slice: `cells` may be longer than the path and may be another path's as well."""

    __slots__ = ("cells", "length")

    def __init__(self, cells: list[str], length: int) -> None:
        self.cells, self.length = cells, length

    @property
    def steps(self) -> list[str]:
        """The variable and what leads on from it."""
        return self.cells[: self.length]


def variable(name: str) -> Path:
    """The path of a variable itself."""
    return Path([name], 1)


def extended(path: Path | None, step: str) -> Path:
    """One step more, as Go's `append` does it."""
    if path is None:
        return Path([step], 1)
    length, cells = path.length, path.cells
    if length == len(cells):
        cells = [*cells, *[""] * length]  # twice the capacity
    cells[length] = step
    return Path(cells, length + 1)


def size_at(declared: Sized | None, path: Path | None, *more: str) -> Interval | None:
    """The size of a value at a path, by its declaration; each variable counts as self."""
    if path is None or declared is None:
        return None
    part: Sized = declared
    for step in (*path.cells[1 : path.length], *more):
        below = _below(part, step)
        if below is None:
            return None
        part = below
    return 0, part.most


def _below(part: Sized, step: str) -> Sized | None:
    if step in (ITEMS, VALUES):
        return part.item
    if step == KEYS:
        return _KEY if part.keyed else None
    return part.fields.get(step)
