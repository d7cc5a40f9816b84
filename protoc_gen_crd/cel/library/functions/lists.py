"""Lists. Source: k8s.io/apiserver pkg/cel/library/lists.go; cel-go v0.29 `ext/lists.go`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import isnan

from protoc_gen_crd.base.gosort import sort as sort_as_go
from protoc_gen_crd.cel.ast import Uint
from protoc_gen_crd.cel.items import joined
from protoc_gen_crd.cel.types import spelled
from protoc_gen_crd.cel.values import (
    CelError,
    Duration,
    Timestamp,
    Unreadable,
    Value,
    equal,
    no_such_overload,
    parts,
    type_of,
)

from .operators import add, without
from .order import compare

_ORDERED = (bool, int, Uint, float, str, bytes, Duration, Timestamp)
_EXACT = frozenset((str, int, Uint, bool, bytes))  # types whose equal values are the same
_LONGEST_RANGE = 1_000_000
_BEYOND_BUDGET = 1_100_000  # items that no expression may cost, however a server counts them


def is_sorted(items: Iterable[Value]) -> bool:
    """Whether nothing is greater than what follows it; what cannot be compared is not."""
    before: list[Value] = []
    for item in items:
        if before and _compared(before[0], item) > 0:
            return False
        _check(item)
        before = [item]
    return True


def smallest(items: Iterable[Value]) -> Value:
    """The first of the least. Raises CelError for no items."""
    return _extreme("min", items, 1)


def largest(items: Iterable[Value]) -> Value:
    """The first of the greatest. Raises CelError for no items."""
    return _extreme("max", items, -1)


def _extreme(name: str, items: Iterable[Value], worse: int) -> Value:
    found: list[Value] = []
    for item in items:
        _check(item)
        if not found or _compared(found[0], item) == worse:
            found = [item]
    if not found:
        raise CelError(f"{name} called on empty list")
    return found[0]


def _check(item: Value) -> None:
    if type(item) not in _ORDERED:
        raise no_such_overload()


def _compared(one: Value, other: Value) -> int:
    try:
        return compare(one, other)
    except CelError:
        return 0


def _sum(start: Value, items: Iterable[Value]) -> Value:
    total = start
    for item in items:
        total = add(total, item)
    return total


sum_int, sum_uint, sum_double = partial(_sum, 0), partial(_sum, Uint(0)), partial(_sum, 0.0)
sum_duration = partial(_sum, Duration(0))


def index_of(items: list[Value], item: Value) -> int:
    """The first place of an item, or -1."""
    return next((at for at, each in enumerate(parts(items)) if _is(each, item)), -1)


def last_index_of(items: list[Value], item: Value) -> int:
    """The last place of an item, or -1."""
    known = parts(items)
    return next((at for at in range(len(known) - 1, -1, -1) if _is(known[at], item)), -1)


def includes(target: Value, item: Value) -> bool:
    """Whether an item is in a list, or a value is it."""
    return index_of(target, item) >= 0 if isinstance(target, list) else _is(target, item)


def _is(one: Value, other: Value) -> bool:
    """Whether values are equal; those that cannot be compared are not."""
    try:
        return type(one) is not Unreadable and equal(one, other)
    except CelError:
        return False


def part(items: list[Value], start: int, end: int) -> list[Value]:
    """`slice`. Raises CelError."""
    if start < 0 or end < 0:
        raise CelError(f"cannot slice({start}, {end}), negative indexes not supported")
    if start > end:
        raise CelError(f"cannot slice({start}, {end}), start index must be less than or equal to end index")
    if end > len(items):
        raise CelError(f"cannot slice({start}, {end}), list is length {len(items)}")
    return joined([], parts(items)[start:end])


def flatten(items: Value, *depths: Value) -> list[Value]:
    """Lists within, so many levels deep or one, replaced by their items. Raises CelError."""
    if not isinstance(items, list) or any(type(depth) is not int for depth in depths):
        types = [spelled(type_of(depth)) for depth in depths]
        raise CelError(f"no such overload: {spelled(type_of(items))}.flatten({', '.join(types)})")
    if depths and depths[0] < 0:
        raise CelError("level must be non-negative")
    return joined([], _flat(items, *depths))


def _flat(items: list[Value], depth: int = 1) -> list[Value]:
    flat: list[Value] = []
    for item in parts(items):
        if depth and isinstance(item, list):
            flat += _flat(item, depth - 1)
        else:
            flat.append(item)
    return flat


def sort(items: Value) -> list[Value]:
    """From the least to the greatest. Raises CelError."""
    if not isinstance(items, list):
        raise without(items, "sort")
    return sort_by(items, items)


def sort_by(items: Value, keys: list[Value]) -> list[Value]:
    """In the order of keys; items with equal keys change places as on a server. Raises CelError."""
    if not isinstance(items, list):
        raise without(items, "@sortByAssociatedKeys")
    if len(items) != len(keys):
        counts = f"{len(items)} and {len(keys)} elements respectively"
        said = "expected a list of the same size as the associated keys list"
        raise CelError(f"@sortByAssociatedKeys() {said}, but got {counts}")
    if not items:
        return []
    items, keys = parts(items), parts(keys)
    if type(keys[0]) not in _ORDERED:
        raise CelError("list elements must be comparable")
    if any(type(key) is not type(keys[0]) for key in keys):
        raise CelError("list elements must have the same type")
    return joined([], [items[place] for place in _order(keys)])


def _order(keys: list[Value]) -> list[int]:
    places = list(range(len(keys)))
    if type(keys[0]) in _EXACT and len(set(keys)) == len(keys):
        return sorted(places, key=keys.__getitem__)
    sort_as_go(places, lambda one, other: _compared(keys[one], keys[other]) < 0)
    return places


def numbers(count: int) -> list[int]:
    """`lists.range`. Raises CelError."""
    if count < 0:
        raise CelError(f"lists.range: size must be non-negative, got {count}")
    if count > _LONGEST_RANGE:
        raise CelError(f"lists.range: size {count} exceeds maximum allowed ({_LONGEST_RANGE})")
    return list(range(count))


def old_numbers(count: int) -> list[int]:
    """The same before 1.37, where only the budget bounds it."""
    return list(range(min(count, _BEYOND_BUDGET)))


def backwards(items: list[Value]) -> list[Value]:
    """`reverse`."""
    return joined([], parts(items)[::-1])


def is_exact(items: Iterable[Value]) -> bool:
    """Whether all items are of one type, and Python's equality is CEL's."""
    kinds = {type(item) for item in items}
    return len(kinds) == 1 and (kinds <= _EXACT or (kinds == {float} and not any(map(isnan, items))))


def distinct(items: list[Value]) -> list[Value]:
    """The first of each that are equal."""
    known = parts(items)
    if is_exact(known):
        return list(dict.fromkeys(known))
    found: list[Value] = []
    for item in known:
        if not any(_is(item, other) for other in found):
            found.append(item)
    return joined([], found)
