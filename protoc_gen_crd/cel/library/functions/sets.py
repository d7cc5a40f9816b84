"""Lists taken as sets. Source: cel-go v0.29 `ext/sets.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.values.list_values import ConcatenatedList, SchemaList
from protoc_gen_crd.cel.values.values import CelError, Unreadable, Value, list_parts

from .lists import is_exact
from .operators import is_in


def contains(items: list[Value], others: list[Value]) -> bool:
    """Whether all of the others are among the items. Raises CelError."""
    if is_exact([*list_parts(items), *list_parts(others)]):
        return set(items) >= set(others)
    return all(_is_contained(other, items) for other in list_parts(others))


def _is_contained(item: Value, items: list[Value]) -> bool:
    """The same of an item, which lists of data do not look for if it failed."""
    if type(item) is not Unreadable:
        return is_in(item, items)
    if isinstance(items, SchemaList) and not isinstance(items, ConcatenatedList):
        raise item
    return False


def intersects(items: list[Value], others: list[Value]) -> bool:
    """Whether one of the items is among the others."""
    if is_exact([*list_parts(items), *list_parts(others)]):
        return not set(items).isdisjoint(others)
    return any(_is_found(item, others) for item in list_parts(items))


def _is_found(item: Value, items: list[Value]) -> bool:
    try:
        return type(item) is not Unreadable and is_in(item, items)
    except CelError:
        return False


def is_equivalent(items: list[Value], others: list[Value]) -> bool:
    """Whether each has all that the other has. Raises CelError."""
    return contains(items, others) and contains(others, items)
