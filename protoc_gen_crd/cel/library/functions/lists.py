"""Lists. Source: k8s.io/apiserver pkg/cel/library/lists.go; cel-go v0.29 `ext/lists.go`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import isnan

from protoc_gen_crd.cel.checker.types import format_for_author
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.list_values import concatenate
from protoc_gen_crd.cel.values.runtime_values import (
    CelError,
    Duration,
    Timestamp,
    Unreadable,
    Value,
    get_type,
    is_equal,
    list_parts,
    make_no_such_overload,
)
from protoc_gen_crd.golang.sort import sort as sort_as_go

from .operators import add, make_missing_operator_error
from .ordering import compare

_ORDERED = (bool, int, Uint, float, str, bytes, Duration, Timestamp)
_EXACT = frozenset((str, int, Uint, bool, bytes))  # types whose equal values are identical
_LONGEST_RANGE = 1_000_000
_BEYOND_BUDGET = 1_100_000  # so many items exceed the cost limit on every server


def is_sorted(items: Iterable[Value]) -> bool:
    """Check whether no item is greater than the next one; items that cannot be compared are in order."""
    before: list[Value] = []
    for item in items:
        if before and _compare_items(before[0], item) > 0:
            return False
        _check(item)
        before = [item]
    return True


def find_min(items: Iterable[Value]) -> Value:
    """Return the first minimum. Raises CelError for an empty list."""
    return _find_extreme("min", items, 1)


def find_max(items: Iterable[Value]) -> Value:
    """Return the first maximum. Raises CelError for an empty list."""
    return _find_extreme("max", items, -1)


def _find_extreme(name: str, items: Iterable[Value], worse: int) -> Value:
    best: list[Value] = []
    for item in items:
        _check(item)
        if not best or _compare_items(best[0], item) == worse:
            best = [item]
    if not best:
        raise CelError(f"{name} called on empty list")
    return best[0]


def _check(item: Value) -> None:
    if type(item) not in _ORDERED:
        raise make_no_such_overload()


def _compare_items(first: Value, second: Value) -> int:
    try:
        return compare(first, second)
    except CelError:
        return 0


def _sum_items(start: Value, items: Iterable[Value]) -> Value:
    total = start
    for item in items:
        total = add(total, item)
    return total


sum_int, sum_uint, sum_double = partial(_sum_items, 0), partial(_sum_items, Uint(0)), partial(_sum_items, 0.0)
sum_duration = partial(_sum_items, Duration(0))


def index_of(items: list[Value], item: Value) -> int:
    """Return the first index of an item, or -1."""
    return next((at for at, part in enumerate(list_parts(items)) if _is_equal(part, item)), -1)


def last_index_of(items: list[Value], item: Value) -> int:
    """Return the last index of an item, or -1."""
    parts = list_parts(items)
    return next((at for at in range(len(parts) - 1, -1, -1) if _is_equal(parts[at], item)), -1)


def is_included(target: Value, item: Value) -> bool:
    """Check whether an item is in a list, or equals a value."""
    return index_of(target, item) >= 0 if isinstance(target, list) else _is_equal(target, item)


def _is_equal(first: Value, second: Value) -> bool:
    """Check whether values are equal; values that cannot be compared are not."""
    try:
        return type(first) is not Unreadable and is_equal(first, second)
    except CelError:
        return False


def slice_list(items: list[Value], start: int, end: int) -> list[Value]:
    """Evaluate `slice`. Raises CelError."""
    if start < 0 or end < 0:
        raise CelError(f"cannot slice({start}, {end}), negative indexes not supported")
    if start > end:
        raise CelError(f"cannot slice({start}, {end}), start index must be less than or equal to end index")
    if end > len(items):
        raise CelError(f"cannot slice({start}, {end}), list is length {len(items)}")
    return concatenate([], list_parts(items)[start:end])


def flatten(items: Value, *depths: Value) -> list[Value]:
    """Replace nested lists by their items, as many levels as given (default: one). Raises CelError."""
    if not isinstance(items, list) or any(type(depth) is not int for depth in depths):
        types = [format_for_author(get_type(depth)) for depth in depths]
        raise CelError(f"no such overload: {format_for_author(get_type(items))}.flatten({', '.join(types)})")
    if depths and depths[0] < 0:
        raise CelError("level must be non-negative")
    return concatenate([], _flatten_to_depth(items, *depths))


def _flatten_to_depth(items: list[Value], depth: int = 1) -> list[Value]:
    flat: list[Value] = []
    for item in list_parts(items):
        if depth and isinstance(item, list):
            flat += _flatten_to_depth(item, depth - 1)
        else:
            flat.append(item)
    return flat


def sort(items: Value) -> list[Value]:
    """Sort in ascending order. Raises CelError."""
    if not isinstance(items, list):
        raise make_missing_operator_error(items, "sort")
    return sort_by(items, items)


def sort_by(items: Value, keys: list[Value]) -> list[Value]:
    """Sort by keys; items with equal keys are reordered as on a server. Raises CelError."""
    if not isinstance(items, list):
        raise make_missing_operator_error(items, "@sortByAssociatedKeys")
    if len(items) != len(keys):
        counts = f"{len(items)} and {len(keys)} elements respectively"
        message = "expected a list of the same size as the associated keys list"
        raise CelError(f"@sortByAssociatedKeys() {message}, but got {counts}")
    if not items:
        return []
    items, keys = list_parts(items), list_parts(keys)
    if type(keys[0]) not in _ORDERED:
        raise CelError("list elements must be comparable")
    if any(type(key) is not type(keys[0]) for key in keys):
        raise CelError("list elements must have the same type")
    return concatenate([], [items[place] for place in _sort_indexes(keys)])


def _sort_indexes(keys: list[Value]) -> list[int]:
    places = list(range(len(keys)))
    if type(keys[0]) in _EXACT and len(set(keys)) == len(keys):
        return sorted(places, key=keys.__getitem__)
    sort_as_go(places, lambda first, second: _compare_items(keys[first], keys[second]) < 0)
    return places


def make_range(count: int) -> list[int]:
    """Evaluate `lists.range`. Raises CelError."""
    if count < 0:
        raise CelError(f"lists.range: size must be non-negative, got {count}")
    if count > _LONGEST_RANGE:
        raise CelError(f"lists.range: size {count} exceeds maximum allowed ({_LONGEST_RANGE})")
    return list(range(count))


def make_unbounded_range(count: int) -> list[int]:
    """Evaluate `lists.range` before 1.37, where only the cost limit bounds it."""
    return list(range(min(count, _BEYOND_BUDGET)))


def reverse(items: list[Value]) -> list[Value]:
    """Evaluate `reverse`."""
    return concatenate([], list_parts(items)[::-1])


def is_exact(items: Iterable[Value]) -> bool:
    """Check whether all items are of one type for which Python's equality is CEL's."""
    kinds = {type(item) for item in items}
    return len(kinds) == 1 and (kinds <= _EXACT or (kinds == {float} and not any(map(isnan, items))))


def drop_duplicates(items: list[Value]) -> list[Value]:
    """Return the first of each group of equal items."""
    parts = list_parts(items)
    if is_exact(parts):
        return list(dict.fromkeys(parts))
    unique: list[Value] = []
    for item in parts:
        if not any(_is_equal(item, other) for other in unique):
            unique.append(item)
    return concatenate([], unique)
