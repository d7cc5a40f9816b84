"""Read and write single values by paths."""

from __future__ import annotations

from typing import Any

from .runtime import (
    ANY,
    ANYTHING,
    MISSING,
    OBJECT,
    Change,
    Kinds,
    Object,
    Path,
    check_type,
    make_type_error,
)


def get_value(
    source: Object,
    path: Path,
    kinds: Kinds = ANY,
    change: Change | None = None,
    at: str = "",
) -> Any:
    """Return the value at a path; MISSING if the path ends before."""
    value: Any = source
    for name in path:
        if type(value) is not dict:
            return none_of(source, path, at)
        value = value.get(name, MISSING)
        if value is MISSING:
            return MISSING
    if type(value) not in kinds:
        if value is None:
            return MISSING
        value = check_type(value, kinds, f"{at}.{'.'.join(path)}")
    return value if change is None else change(value, f"{at}.{'.'.join(path)}")


def none_of(source: Object, path: Path, at: str) -> Any:
    """Return MISSING if a path has null. Raises ConversionError for other values."""
    value: Any = source
    for depth, name in enumerate(path):
        if value is None:
            break
        if type(value) is not dict:
            raise make_type_error(at + "." + ".".join(path[:depth]), "an object", value)
        value = value.get(name)
    return MISSING


def put(result: Object, path: Path, value: Any, present_depth: int = 0) -> None:
    """Write a value, if the required number of objects around it is present.

    MISSING writes nothing.
    """
    if value is MISSING:
        return
    if len(path) == 2:  # the most frequent case
        parent = result.get(path[0])
        if type(parent) is dict:
            parent[path[1]] = value
            return
    for depth, name in enumerate(path[:-1]):
        inner = result.get(name)
        if type(inner) is not dict:
            if depth < present_depth:
                return
            inner = result[name] = {}
        result = inner
    result[path[-1]] = value


def fill(result: Object, path: Path, value: Any, present_depth: int) -> None:
    """Write a default, if the required number of objects around it is present."""
    if get_value(result, path, ANYTHING) is MISSING:
        put(result, path, value, present_depth)


def check_field(
    result: Object, path: Path, kinds: Kinds, change: Change | None, at: str
) -> None:
    """Reject a value that its field does not accept."""
    value = get_value(result, path, ANYTHING)
    if value is not MISSING:
        value = check_type(value, kinds, at)
        put(result, path, value if change is None else change(value, at))


def if_object_present(source: Object, path: Path, value: Any) -> Any:
    """Return a value if its object is present, else MISSING."""
    return MISSING if get_value(source, path, OBJECT) is MISSING else value


def remove(result: Object, path: Path) -> None:
    """Remove the value at a path."""
    for name in path[:-1]:
        result = result.get(name, MISSING)
        if type(result) is not dict:
            return
    result.pop(path[-1], None)


def own(result: Object, path: Path) -> None:
    """Copy the objects around a metadata value, so that it can be written."""
    for name in path[:-1]:
        inner = result.get(name)
        if type(inner) is not dict:
            return
        inner = result[name] = dict(inner)
        result = inner


def move(result: Object, path: Path) -> None:
    """Remove a label or annotation that was moved, and a map that is left empty."""
    own(result, path)
    holder = get_value(result, path[:-1], OBJECT)
    if holder is not MISSING and path[-1] in holder:
        holder.pop(path[-1])
        if not holder:
            remove(result, path[:-1])
