"""Compare and edit plain data by paths."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path, format_path
from protoc_gen_crd.conversion.runtime.conversion_data import same
from protoc_gen_crd.conversion.runtime.runtime import MISSING, Object

_ALTERATIONS: dict[type, Callable[[Any], Any]] = {
    str: lambda value: f"{value}x",
    int: lambda value: value + 1,
    bool: lambda value: not value,
}


def get_value(obj: Any, path: Path) -> Any:
    """Return the value at a path, or MISSING."""
    for step in path:
        if type(obj) is not dict or step not in obj:
            return MISSING
        obj = obj[step]
    return obj


def iterate_values(value: Any, path: Path) -> Iterator[Any]:
    """Iterate over the values at a path, one for each item or entry on it."""
    if not path:
        yield value
    elif path[0] in (ITEM, VALUE):
        for part in value.values() if type(value) is dict else value if type(value) is list else ():
            yield from iterate_values(part, path[1:])
    else:
        yield from iterate_values(value.get(path[0], MISSING) if type(value) is dict else MISSING, path[1:])


def alter_fields(value: Object, names: Collection[str]) -> Iterator[Object]:
    """Yield the object with one scalar of these names changed or removed at a time, outside lists."""
    for name, part in value.items():
        if type(part) is dict:
            yield from ({**value, name: inner} for inner in alter_fields(part, names))
        elif name in names and type(part) is not list:
            yield {key: child for key, child in value.items() if key != name}
            other = _ALTERATIONS.get(type(part))
            yield from [{**value, name: other(part)}] if other else []


def alter_item(item: Object, keys: Collection[str]) -> Iterator[Object]:
    """Yield an item with one scalar changed at a time, except its keys."""
    for name, part in item.items():
        other = _ALTERATIONS.get(type(part)) if name not in keys else None
        yield from [{**item, name: other(part)}] if other else []


def replace_value(obj: Object, path: Path, value: Any) -> Object:
    """Return a copy with another value at a path."""
    if len(path) == 1:
        return {**obj, path[0]: value}
    return {**obj, path[0]: replace_value(obj[path[0]], path[1:], value)}


def remove_annotations(obj: Object, without: Sequence[str] = ()) -> Object:
    """Return an object without some annotations, and without empty annotations."""
    metadata = obj.get("metadata")
    if type(metadata) is not dict or type(metadata.get("annotations", {})) is not dict:
        return obj
    annotations = {
        name: annotation for name, annotation in metadata.get("annotations", {}).items() if name not in without
    }
    others = {name: value for name, value in metadata.items() if name != "annotations"}
    return {**obj, "metadata": {**others, **({"annotations": annotations} if annotations else {})}}


def remove_paths(value: Any, paths: Sequence[Path]) -> Any:
    """Return plain data without the values at some paths, and without objects that become empty."""
    if () in paths or (paths and value == {}):
        return MISSING
    below = [path for path in paths if path]
    if not below:
        return value
    if type(value) is list:
        inner = [path[1:] for path in below if path[0] == ITEM]
        return [remove_paths(item, inner) for item in value]
    if type(value) is not dict:
        return value
    parts = {
        key: remove_paths(part, [path[1:] for path in below if path[0] in (key, VALUE)]) for key, part in value.items()
    }
    left = {key: part for key, part in parts.items() if part is not MISSING}
    return left or MISSING


def remove_defaults(actual: Any, expected: Any, defaults: Sequence[tuple[Path, Any]]) -> Any:
    """Return plain data without defaults that were set for missing fields."""
    if not defaults or actual is MISSING:
        return actual
    if (expected is MISSING or expected is None) and any(not path and same(actual, value) for path, value in defaults):
        return expected
    if type(actual) is list:
        items = [*(expected if type(expected) is list else ()), *(MISSING for _ in actual)]
        inner = [(path[1:], value) for path, value in defaults if path[:1] == (ITEM,)]
        return [
            remove_defaults(item, expected_child, inner) for item, expected_child in zip(actual, items, strict=False)
        ]
    if type(actual) is not dict:
        return actual
    expected_child = expected if type(expected) is dict else {}
    parts = {
        key: remove_defaults(
            part,
            expected_child.get(key, MISSING),
            [(path[1:], value) for path, value in defaults if path[:1] in ((key,), (VALUE,))],
        )
        for key, part in actual.items()
    }
    left = {key: part for key, part in parts.items() if part is not MISSING}
    return left if left or expected is not MISSING else MISSING


def find_difference(expected: Any, actual: Any, path: Path = ()) -> tuple[str, str] | None:
    """Return the first path with a difference, and its description."""
    if same(expected, actual):
        return None
    if type(expected) is type(actual) is dict:
        for key in (*expected, *(key for key in actual if key not in expected)):
            inner = find_difference(expected.get(key, MISSING), actual.get(key, MISSING), (*path, key))
            if inner:
                return inner
    if type(expected) is type(actual) is list and len(expected) == len(actual):
        pairs = enumerate(zip(expected, actual, strict=True))
        return next(inner for index, pair in pairs if (inner := find_difference(*pair, (*path, f"[{index}]"))))
    return format_path(path), f"{format_value(actual)} instead of {format_value(expected)}"


def format_value(value: Any) -> str:
    """Format plain data as JSON, truncated if long."""
    formatted = "nothing" if value is MISSING else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return formatted if len(formatted) <= 120 else f"{formatted[:120]}..."


def is_outside_containers(path: Path) -> bool:
    """Return true if a path contains no list and no map."""
    return ITEM not in path and VALUE not in path
