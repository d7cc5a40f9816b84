"""Minimization of values by removing one member or item after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.samples.path_changes import NOTHING, PathChange, ValuePath, apply_changes, get_at
from protoc_gen_crd.schema.schema import Json

_TRIES = 400


def minimize_value(value: Json, accepted: Callable[[Json], bool], kept: frozenset[str]) -> Json:
    """A value of which no more can be taken away, or as far as the tries go; members named `kept` stay as they are."""
    left = _TRIES
    smaller = True
    while smaller:
        smaller = False
        for path in list(_iterate_paths(value, (), kept)):
            if get_at(value, path) is NOTHING:
                continue  # gone with what it was a part of
            if not left:
                return value
            left -= 1
            less = apply_changes(value, (PathChange(path, NOTHING),))
            if accepted(less):
                value, smaller = less, True
    return value


def _iterate_paths(value: Any, path: ValuePath, kept: frozenset[str] = frozenset()) -> Iterator[ValuePath]:
    """All that a value holds, the outermost first; the last of items come first, so that paths of others stay."""
    steps: list[str | int] = []
    if isinstance(value, dict):
        steps = [key for key in value if key not in kept]
    elif isinstance(value, list):
        steps = list(reversed(range(len(value))))
    yield from ((*path, step) for step in steps)
    for step in steps:
        yield from _iterate_paths(value[step], (*path, step))
