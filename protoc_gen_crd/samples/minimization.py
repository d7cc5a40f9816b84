"""Minimization of values by removing one member or item after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.samples.path_changes import NOTHING, PathChange, ValuePath, apply_changes, get_at
from protoc_gen_crd.schema.schema import Json

_MAX_TRIES = 400


def minimize_value(value: Json, accepted: Callable[[Json], bool], kept: frozenset[str]) -> Json:
    """Remove members and items while the value remains accepted.

    Returns a value from which nothing more can be removed, or the best one when the attempts are used up. Members named
    in `kept` are not removed.
    """
    remaining_tries = _MAX_TRIES
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for path in list(_iterate_paths(value, (), kept)):
            if get_at(value, path) is NOTHING:
                continue  # removed together with its parent
            if not remaining_tries:
                return value
            remaining_tries -= 1
            smaller_value = apply_changes(value, (PathChange(path, NOTHING),))
            if accepted(smaller_value):
                value, is_smaller = smaller_value, True
    return value


def _iterate_paths(value: Any, path: ValuePath, kept: frozenset[str] = frozenset()) -> Iterator[ValuePath]:
    """Yield the paths in a value, the outermost first; last items first, so that other paths stay valid."""
    steps: list[str | int] = []
    if isinstance(value, dict):
        steps = [key for key in value if key not in kept]
    elif isinstance(value, list):
        steps = list(reversed(range(len(value))))
    yield from ((*path, step) for step in steps)
    for step in steps:
        yield from _iterate_paths(value[step], (*path, step))
