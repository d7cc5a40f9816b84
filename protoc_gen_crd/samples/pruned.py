"""Values less all that can be taken away, one member or item after the other; knows no schemas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.samples.changes import NOTHING, Change, Steps, at, changed
from protoc_gen_crd.schema.types import Json

_TRIES = 400


def pruned(value: Json, accepted: Callable[[Json], bool], kept: frozenset[str]) -> Json:
    """A value of which no more can be taken away, or as far as the tries go; members named `kept` stay as they are."""
    left = _TRIES
    smaller = True
    while smaller:
        smaller = False
        for path in list(_paths(value, (), kept)):
            if at(value, path) is NOTHING:
                continue  # gone with what it was a part of
            if not left:
                return value
            left -= 1
            less = changed(value, (Change(path, NOTHING),))
            if accepted(less):
                value, smaller = less, True
    return value


def _paths(value: Any, path: Steps, kept: frozenset[str] = frozenset()) -> Iterator[Steps]:
    """All that a value holds, the outermost first; the last of items come first, so that paths of others stay."""
    steps: list[str | int] = []
    if isinstance(value, dict):
        steps = [key for key in value if key not in kept]
    elif isinstance(value, list):
        steps = list(reversed(range(len(value))))
    yield from ((*path, step) for step in steps)
    for step in steps:
        yield from _paths(value[step], (*path, step))
