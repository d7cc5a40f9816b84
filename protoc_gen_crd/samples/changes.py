"""Changes of plain data at paths."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.samples.judge import copied
from protoc_gen_crd.schema.types import Json

Steps = tuple[str | int, ...]


class Nothing:
    """What stands where nothing is."""

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing()


class Change(Record):
    """A value for a path; NOTHING takes away what is there."""

    path: Steps
    value: Any


def at(value: Any, path: Steps) -> Any:
    """What stands at a path, NOTHING where the path leads nowhere."""
    for step in path:
        if not _leads(value, step):
            return NOTHING
        value = value[step]
    return value


def _leads(value: Any, step: str | int) -> bool:
    if isinstance(value, list):
        return isinstance(step, int) and step < len(value)
    return isinstance(value, dict) and step in value


def changed(value: Json, changes: tuple[Change, ...]) -> Any:
    """A copy with changes made one after the other; objects that are missing on the way are made."""
    made = copied(value)
    for change in changes:
        made = _changed(made, change.path, change.value)
    return made


def _changed(value: Any, path: Steps, new: Any) -> Any:
    if not path:
        return value if new is NOTHING else copied(new)
    step = path[0]
    if isinstance(step, str):
        value = value if isinstance(value, dict) else {}
        if new is NOTHING and len(path) == 1:
            value.pop(step, None)
        elif new is not NOTHING or step in value:
            value[step] = _changed(value.get(step), path[1:], new)
    elif isinstance(value, list) and step < len(value):
        if new is NOTHING and len(path) == 1:
            del value[step]
        else:
            value[step] = _changed(value[step], path[1:], new)
    return value
