"""Minimization of values by removing one member or item after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.samples.path_changes import NOTHING, ValuePath, change_at, get_at
from protoc_gen_crd.samples.sample_validator import count_parts
from protoc_gen_crd.schema.schema import Json

_MAX_TRIES = 400


def minimize_value(
    value: Json, accepted: Callable[[Json], bool], kept: frozenset[str], max_parts: int | None = None
) -> Json:
    """Remove members and items while the value remains accepted.

    Returns a value from which nothing more can be removed, or the best one when the attempts are used up: their number,
    or with `max_parts` the parts of all values that `accepted` receives. Members named in `kept` are not removed.
    """
    remaining_tries, remaining_parts, parts = _MAX_TRIES, max_parts, count_parts(value)
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for path in _iterate_paths(value, (), kept):
            removed = get_at(value, path)
            if removed is NOTHING:
                continue  # removed together with its parent
            smaller_parts = parts - count_parts(removed)
            if remaining_parts is not None:
                remaining_parts -= smaller_parts
            if not remaining_tries or (remaining_parts is not None and remaining_parts <= 0):
                return value
            remaining_tries -= 1
            smaller_value = change_at(value, path, NOTHING)
            if accepted(smaller_value):
                value, parts, is_smaller = smaller_value, smaller_parts, True
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
