"""Functions that comprehensions over maps call. Source: cel-go v0.29 `ext/comprehensions.go`, `common/types/map.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.values.runtime_values import MISSING, CelError, Map, MutableMap, Value, make_key

from .type_conversions import format_for_error


def insert(target: Map, key: Value, value: Value) -> Map:
    """Return a map with one more entry; a map that a comprehension builds is changed in place."""
    if target.find(key) is not MISSING:
        raise CelError(f"insert failed: key {format_for_error(key)} already exists")
    if type(target) is MutableMap:
        target.entries[make_key(key)] = value
        return target
    return Map.from_pairs([*target.items(), (key, value)])


def merge(target: Map, other: Map) -> Map:
    """Return a map with the entries of both."""
    for key, value in other.items():
        target = insert(target, key, value)
    return target
