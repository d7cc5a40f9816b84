"""The part of the schema of self that an expression refers to: a variable and the steps from it.

Servers keep the steps in Go slices, which may share memory: a step appended to one path can overwrite the last step of
another, and estimates then use the wrong size. This module reproduces that. Source: cel-go v0.29 `checker/cost.go`;
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
    """The sizes in the declaration of a value."""

    @property
    def max_size(self) -> int:
        """The maximum size."""

    @property
    def item(self) -> SizedDeclaration | None:
        """The declaration of the items of a list or the values of a map."""

    @property
    def is_map(self) -> bool:
        """True for a map."""

    @property
    def fields(self) -> Mapping[str, SizedDeclaration]:
        """The declarations of an object's fields."""


class SchemaPath:
    """A path as a slice: `cells` may be longer than the path and may be shared with other paths."""

    __slots__ = ("cells", "length")

    def __init__(self, cells: list[str], length: int) -> None:
        self.cells, self.length = cells, length

    @property
    def steps(self) -> list[str]:
        """The variable and the steps from it."""
        return self.cells[: self.length]


def make_variable_path(name: str) -> SchemaPath:
    """Return the path of a variable."""
    return SchemaPath([name], 1)


def append_step(path: SchemaPath | None, step: str) -> SchemaPath:
    """Append a step as Go's `append` does."""
    if path is None:
        return SchemaPath([step], 1)
    length, cells = path.length, path.cells
    if length == len(cells):
        cells = [*cells, *[""] * length]  # doubles the capacity
    cells[length] = step
    return SchemaPath(cells, length + 1)


def find_size(declared: SizedDeclaration | None, path: SchemaPath | None, *more: str) -> Interval | None:
    """Return the size of the value at a path, by its declaration; each variable counts as self."""
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
