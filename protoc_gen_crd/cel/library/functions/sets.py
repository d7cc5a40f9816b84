"""Lists taken as sets. Source: cel-go v0.29 `ext/sets.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.items import Items, Joined
from protoc_gen_crd.cel.values import CelError, Unreadable, Value, parts

from .lists import is_exact
from .operators import contained


def contains(items: list[Value], others: list[Value]) -> bool:
    """Whether all of the others are among the items. Raises CelError."""
    if is_exact([*parts(items), *parts(others)]):
        return set(items) >= set(others)
    return all(_contained(other, items) for other in parts(others))


def _contained(item: Value, items: list[Value]) -> bool:
    """The same of an item, which lists of data do not look for if it failed."""
    if type(item) is not Unreadable:
        return contained(item, items)
    if isinstance(items, Items) and not isinstance(items, Joined):
        raise item
    return False


def intersects(items: list[Value], others: list[Value]) -> bool:
    """Whether one of the items is among the others."""
    if is_exact([*parts(items), *parts(others)]):
        return not set(items).isdisjoint(others)
    return any(_found(item, others) for item in parts(items))


def _found(item: Value, items: list[Value]) -> bool:
    try:
        return type(item) is not Unreadable and contained(item, items)
    except CelError:
        return False


def equivalent(items: list[Value], others: list[Value]) -> bool:
    """Whether each has all that the other has. Raises CelError."""
    return contains(items, others) and contains(others, items)
