"""Which part of the schema of self an expression stands for: a variable and the steps from it.

Servers keep the steps in slices of Go, which may share their memory: a step added to one path can overwrite the last
step of another, and estimates then go by the wrong size. So these do the same. Source: cel-go v0.29 `checker/cost.go`;
k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel compilation.go (sizeEstimator).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from protoc_gen_crd.cel.checker.types import STRING, Declaration

from .intervals import Interval

ITEMS, KEYS, VALUES, INDICES = "@items", "@keys", "@values", "@indices"
_KEY = Declaration(STRING)


class SizedDeclaration(Protocol):
    """What is declared of a value, as far as sizes go."""

    @property
    def max_size(self) -> int:
        """The largest size."""

    @property
    def item(self) -> SizedDeclaration | None:
        """What a list or map holds."""

    @property
    def is_map(self) -> bool:
        """Whether it is a map."""

    @property
    def fields(self) -> Mapping[str, SizedDeclaration]:
        """What an object has."""


class SchemaPath:
    """A slice: `cells` may be longer than the path and may be another path's as well."""

    __slots__ = ("cells", "length")

    def __init__(self, cells: list[str], length: int) -> None:
        self.cells, self.length = cells, length

    @property
    def steps(self) -> list[str]:
        """The variable and what leads on from it."""
        return self.cells[: self.length]


def make_variable_path(name: str) -> SchemaPath:
    """The path of a variable itself."""
    return SchemaPath([name], 1)


def append_step(path: SchemaPath | None, step: str) -> SchemaPath:
    """One step more, as Go's `append` does it."""
    if path is None:
        return SchemaPath([step], 1)
    length, cells = path.length, path.cells
    if length == len(cells):
        cells = [*cells, *[""] * length]  # twice the capacity
    cells[length] = step
    return SchemaPath(cells, length + 1)


def find_size(declared: SizedDeclaration | None, path: SchemaPath | None, *more: str) -> Interval | None:
    """The size of a value at a path, by its declaration; each variable counts as self."""
    if path is None or declared is None:
        return None
    part: SizedDeclaration = declared
    for step in (*path.cells[1 : path.length], *more):
        below = _get_child(part, step)
        if below is None:
            return None
        part = below
    return 0, part.max_size


def _get_child(part: SizedDeclaration, step: str) -> SizedDeclaration | None:
    if step in (ITEMS, VALUES):
        return part.item
    if step == KEYS:
        return _KEY if part.is_map else None
    return part.fields.get(step)
