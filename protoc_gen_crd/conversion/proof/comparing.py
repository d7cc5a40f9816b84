"""Plain data compared: what stands at paths, what does not count, the first path at which two objects differ."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from protoc_gen_crd.conversion.helpers.runtime import MISSING, Object
from protoc_gen_crd.conversion.helpers.stash import same
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path, shown

_OTHERS: dict[type, Callable[[Any], Any]] = {
    str: lambda value: f"{value}x",
    int: lambda value: value + 1,
    bool: lambda value: not value,
}


def at(obj: Any, path: Path) -> Any:
    """What stands at a path, MISSING where it leads nowhere."""
    for step in path:
        if type(obj) is not dict or step not in obj:
            return MISSING
        obj = obj[step]
    return obj


def every(value: Any, path: Path) -> Iterator[Any]:
    """What stands at a path, in each item or entry that it goes through."""
    if not path:
        yield value
    elif path[0] in (ITEM, VALUE):
        for part in value.values() if type(value) is dict else value if type(value) is list else ():
            yield from every(part, path[1:])
    else:
        yield from every(value.get(path[0], MISSING) if type(value) is dict else MISSING, path[1:])


def altered(value: Object, names: Collection[str]) -> Iterator[Object]:
    """An object with one scalar of some names changed each, or taken away, lists left as they are."""
    for name, part in value.items():
        if type(part) is dict:
            yield from ({**value, name: inner} for inner in altered(part, names))
        elif name in names and type(part) is not list:
            yield {key: each for key, each in value.items() if key != name}
            other = _OTHERS.get(type(part))
            yield from [{**value, name: other(part)}] if other else []


def others_of(item: Object, keys: Collection[str]) -> Iterator[Object]:
    """An item with one scalar changed each, but for its keys."""
    for name, part in item.items():
        other = _OTHERS.get(type(part)) if name not in keys else None
        yield from [{**item, name: other(part)}] if other else []


def put_at(obj: Object, path: Path, value: Any) -> Object:
    """A copy with another value at a path."""
    if len(path) == 1:
        return {**obj, path[0]: value}
    return {**obj, path[0]: put_at(obj[path[0]], path[1:], value)}


def bare(obj: Object, without: Sequence[str] = ()) -> Object:
    """An object without some annotations, and without annotations that are empty, as servers have it."""
    metadata = obj.get("metadata")
    if type(metadata) is not dict or type(metadata.get("annotations", {})) is not dict:
        return obj
    annotations = {name: text for name, text in metadata.get("annotations", {}).items() if name not in without}
    others = {name: value for name, value in metadata.items() if name != "annotations"}
    return {**obj, "metadata": {**others, **({"annotations": annotations} if annotations else {})}}


def without(value: Any, paths: Sequence[Path]) -> Any:
    """Plain data without what stands at some paths, and without objects around it that are empty."""
    if () in paths or (paths and value == {}):
        return MISSING
    below = [path for path in paths if path]
    if not below:
        return value
    if type(value) is list:
        inner = [path[1:] for path in below if path[0] == ITEM]
        return [without(item, inner) for item in value]
    if type(value) is not dict:
        return value
    parts = {key: without(part, [path[1:] for path in below if path[0] in (key, VALUE)]) for key, part in value.items()}
    left = {key: part for key, part in parts.items() if part is not MISSING}
    return left or MISSING


def less(found: Any, wanted: Any, given: Sequence[tuple[Path, Any]]) -> Any:
    """Plain data without the defaults that fields have been given where there was nothing."""
    if not given or found is MISSING:
        return found
    if (wanted is MISSING or wanted is None) and any(not path and same(found, value) for path, value in given):
        return wanted
    if type(found) is list:
        items = [*(wanted if type(wanted) is list else ()), *(MISSING for _ in found)]
        inner = [(path[1:], value) for path, value in given if path[:1] == (ITEM,)]
        return [less(item, known, inner) for item, known in zip(found, items, strict=False)]
    if type(found) is not dict:
        return found
    known = wanted if type(wanted) is dict else {}
    parts = {
        key: less(
            part,
            known.get(key, MISSING),
            [(path[1:], value) for path, value in given if path[:1] in ((key,), (VALUE,))],
        )
        for key, part in found.items()
    }
    left = {key: part for key, part in parts.items() if part is not MISSING}
    return left if left or wanted is not MISSING else MISSING


def differing(wanted: Any, found: Any, path: Path = ()) -> tuple[str, str] | None:
    """The first path at which plain data differs, and what is found there."""
    if same(wanted, found):
        return None
    if type(wanted) is type(found) is dict:
        for key in (*wanted, *(key for key in found if key not in wanted)):
            inner = differing(wanted.get(key, MISSING), found.get(key, MISSING), (*path, key))
            if inner:
                return inner
    if type(wanted) is type(found) is list and len(wanted) == len(found):
        pairs = enumerate(zip(wanted, found, strict=True))
        return next(inner for index, pair in pairs if (inner := differing(*pair, (*path, f"[{index}]"))))
    return shown(path), f"{text(found)} instead of {text(wanted)}"


def text(value: Any) -> str:
    """Plain data as JSON, cut where it is long."""
    text = "nothing" if value is MISSING else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 120 else f"{text[:120]}..."


def plain(path: Path) -> bool:
    """Whether a path goes through no list and no map."""
    return ITEM not in path and VALUE not in path
