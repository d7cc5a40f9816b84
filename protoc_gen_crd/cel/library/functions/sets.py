"""Lists taken as sets. Source: cel-go v0.29 `ext/sets.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.values import Value

from .lists import is_exact
from .operators import contained


def contains(items: list[Value], others: list[Value]) -> bool:
    """Whether all of the others are among the items."""
    if is_exact([*items, *others]):
        return set(items) >= set(others)
    return all(contained(other, items) for other in others)


def intersects(items: list[Value], others: list[Value]) -> bool:
    """Whether one of the items is among the others."""
    if is_exact([*items, *others]):
        return not set(items).isdisjoint(others)
    return any(contained(item, others) for item in items)


def equivalent(items: list[Value], others: list[Value]) -> bool:
    """Whether each has all that the other has."""
    return contains(items, others) and contains(others, items)
