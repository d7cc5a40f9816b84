"""Changes of plain data at paths."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.samples.sample_validator import copy_value
from protoc_gen_crd.schema.schema import Json

ValuePath = tuple[str | int, ...]


class Nothing:
    """A marker for a value that does not exist."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing()


class PathChange(Record):
    """A new value for a path; NOTHING removes the value."""

    path: ValuePath
    value: Any


def get_at(value: Any, path: ValuePath) -> Any:
    """Return the value at a path, NOTHING if it does not exist."""
    for step in path:
        if not _has_step(value, step):
            return NOTHING
        value = value[step]
    return value


def _has_step(value: Any, step: str | int) -> bool:
    if isinstance(value, list):
        return isinstance(step, int) and step < len(value)
    return isinstance(value, dict) and step in value


def apply_changes(value: Json, changes: tuple[PathChange, ...]) -> Any:
    """Return a value with the changes applied in order; see `change_at`."""
    for change in changes:
        value = change_at(value, change.path, change.value)
    return value


def change_at(value: Any, path: ValuePath, new: Any) -> Any:
    """Return a value with a copy of `new` at a path, or without the path.

    Missing parent objects are created. The given value does not change; the result shares the parts beside the path.
    """
    if not path:
        return value if new is NOTHING else copy_value(new)
    step = path[0]
    if isinstance(step, str):
        value = dict(value) if isinstance(value, dict) else {}
        if new is NOTHING and len(path) == 1:
            value.pop(step, None)
        elif new is not NOTHING or step in value:
            value[step] = change_at(value.get(step), path[1:], new)
    elif isinstance(value, list) and step < len(value):
        value = list(value)
        if new is NOTHING and len(path) == 1:
            del value[step]
        else:
            value[step] = change_at(value[step], path[1:], new)
    return value
