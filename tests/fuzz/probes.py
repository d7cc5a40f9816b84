"""Objects that probe the difference of two CRDs: nearly valid ones, with values at the bounds of either side."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

from tests.judges.objectfuzz.schemas import NUMBERS, TEXTS, Schemas

Json = Any
Node = dict[str, Any]
Path = tuple[str, ...]
ITEM, VALUE = "[]", "{}"
ABSENT = object()
UNKNOWN = "unknownField"  # a name that no schema has
_BASES = 3  # valid objects to insert values into
_TRIES = 12
_CANDIDATES = 14  # values of a node
_STEPS = (0, 1, -1)
PRESERVE = "x-kubernetes-preserve-unknown-fields"
_FIXED: tuple[Path, ...] = ((), ("apiVersion",), ("kind",))  # paths of what decides where an object is served
_LOGICAL_KEYWORDS = ("allOf", "anyOf", "oneOf")


def find_differing(old: Node, new: Node, path: Path = ()) -> Iterator[tuple[Path, Node, Node]]:
    """Yield the innermost nodes that differ, with their paths."""
    if old == new:
        return
    children = list(_pair_children(old, new))
    own = ({key: value for key, value in node.items() if key not in _CHILDREN} for node in (old, new))
    if next(own) != next(own) or any(before is None or after is None for _, before, after in children):
        yield path, old, new
    for step, before, after in children:
        if before is None or after is None:
            yield (*path, step), before or {}, after or {}
        else:
            yield from find_differing(before, after, (*path, step))


_CHILDREN = ("properties", "items", "additionalProperties")


def _pair_children(old: Node, new: Node) -> Iterator[tuple[str, Node | None, Node | None]]:
    before, after = old.get("properties", {}), new.get("properties", {})
    yield from ((name, before.get(name), after.get(name)) for name in sorted({*before, *after}))
    for keyword, step in (("items", ITEM), ("additionalProperties", VALUE)):
        sides = [side if isinstance(side := node.get(keyword), dict) else None for node in (old, new)]
        if any(sides):
            yield step, sides[0], sides[1]


def make_values(old: Node, new: Node, schemas: Schemas) -> list[Json]:
    """Return values at the bounds of either node, and random ones."""
    random = schemas.random
    values: list[Json] = [None, ABSENT, random.choice(TEXTS), random.choice(NUMBERS), True, [], {}]
    for node in (old, new):
        values += [schemas.value(node) for _ in range(2)] if node else []
        for part in (node, *_list_branches(node)):
            values += _find_bounds(part, schemas)
    random.shuffle(values)
    return values[:_CANDIDATES]


def _list_branches(node: Node) -> Iterator[Node]:
    branches = [branch for keyword in _LOGICAL_KEYWORDS for branch in node.get(keyword, ())]
    for branch in (*branches, *([node["not"]] if "not" in node else ())):
        yield branch
        yield from _list_branches(branch)


def _find_bounds(node: Node, schemas: Schemas) -> Iterator[Json]:
    yield from node.get("enum", ())
    yield from [node["default"]] if "default" in node else []
    for keyword in ("minimum", "maximum", "multipleOf"):
        yield from (node[keyword] + step for step in _STEPS if keyword in node)
    for size in _list_sizes(node, "Length"):
        yield "a" * size
    for size in _list_sizes(node, "Items"):
        yield [schemas.value(node.get("items") or {}, exact=True)] * size
    values = node.get("additionalProperties")
    children = node.get("properties") or dict.fromkeys("abcdef", values if isinstance(values, dict) else {})
    for size in (*_list_sizes(node, "Properties"), len(children)):
        names = schemas.random.sample(list(children), min(size, len(children)))
        yield {name: schemas.value(children[name], exact=True) for name in names}
    yield {name: schemas.value(children[name], exact=True) for name in node.get("required", ()) if name in children}


def _list_sizes(node: Node, unit: str) -> Iterator[int]:
    bounds = (node[keyword] for keyword in (f"min{unit}", f"max{unit}") if keyword in node)
    yield from (max(0, bound + step) for bound in bounds for step in _STEPS)


def replace_at(value: Json, path: Path, new: Json) -> Json:
    """Return a copy with another value at a path; missing parents are created."""
    if not path:
        return copy.deepcopy(new)
    step, rest = path[0], path[1:]
    if step == ITEM:
        items = value if isinstance(value, list) else []
        if new is ABSENT and not rest:
            return items[1:]
        return [replace_at(items[0] if items else None, rest, new), *items[1:]]
    members = dict(value) if isinstance(value, dict) else {}
    name = next(iter(members), "a") if step == VALUE else step
    if new is ABSENT and not rest:
        members.pop(name, None)
        return members
    return {**members, name: replace_at(members.get(name), rest, new)}


def make_objects(old: Node, new: Node, random: Random, head: Json, is_valid: Callable[[Json], bool]) -> Iterator[Json]:
    """Yield objects that probe the difference of two schemas; `head` has common fields, `is_valid` is of the first."""
    schemas = Schemas(random)
    tries = (_complete(schemas.value(old, exact=index % 2 == 0), head) for index in range(_TRIES))
    bases = list(islice(filter(is_valid, tries), _BASES)) or [head]
    yield from bases
    yield from (replace_at(base, (name,), ABSENT) for base in bases for name in base if name not in head)
    for path, before, after in find_differing(old, new):
        for value in make_values(before, after, schemas) if path[:1] not in _FIXED else ():
            yield replace_at(random.choice(bases), path, value)
        is_map = isinstance(after.get("additionalProperties"), dict)  # whose fields are new ones, not unknown ones
        if after.get(PRESERVE) and not before.get(PRESERVE) and not is_map:
            for base in bases:
                value = _add_unknown_field(schemas.value(before, exact=True))
                yield _complete(replace_at(base, path, value), head)
        yield from (replace_at(base, path[:-1], {}) for base in bases if path[1:])
    yield from (_complete(schemas.value(new), head) for _ in range(3))


def _add_unknown_field(value: Json) -> Json:
    """Return a value with an unknown field in each object, also in those of lists."""
    if isinstance(value, list):
        return [_add_unknown_field(item) for item in value]
    return {**value, UNKNOWN: 1} if isinstance(value, dict) else value


def _complete(value: Json, head: Json) -> Json:
    """Return an object with the fields that all objects have."""
    return {**(value if isinstance(value, dict) else {}), **head}
