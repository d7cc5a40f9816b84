"""Lists as sets. Source: cel-go v0.29 `ext/sets.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.values.list_values import ConcatenatedList, SchemaList
from protoc_gen_crd.cel.values.runtime_values import CelError, Unreadable, Value, list_parts

from .lists import is_exact
from .operators import is_in


def contains(items: list[Value], others: list[Value]) -> bool:
    """Check whether the items contain all of the others. Raises CelError."""
    if is_exact([*list_parts(items), *list_parts(others)]):
        return set(items) >= set(others)
    return all(_is_contained(other, items) for other in list_parts(others))


def _is_contained(item: Value, items: list[Value]) -> bool:
    """Check whether the items contain an item; lists read from data do not search for an invalid one."""
    if type(item) is not Unreadable:
        return is_in(item, items)
    if isinstance(items, SchemaList) and not isinstance(items, ConcatenatedList):
        raise item
    return False


def intersects(items: list[Value], others: list[Value]) -> bool:
    """Check whether the lists have a common item."""
    if is_exact([*list_parts(items), *list_parts(others)]):
        return not set(items).isdisjoint(others)
    return any(_is_found(item, others) for item in list_parts(items))


def _is_found(item: Value, items: list[Value]) -> bool:
    try:
        return type(item) is not Unreadable and is_in(item, items)
    except CelError:
        return False


def is_equivalent(items: list[Value], others: list[Value]) -> bool:
    """Check whether each list contains the other. Raises CelError."""
    return contains(items, others) and contains(others, items)
