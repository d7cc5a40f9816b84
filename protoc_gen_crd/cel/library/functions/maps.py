"""What comprehensions that make maps call. Source: cel-go v0.29 `ext/comprehensions.go`, `common/types/map.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.values import MISSING, CelError, Filling, Map, Value, key_of

from .conversions import shown


def insert(target: Map, key: Value, value: Value) -> Map:
    """A map with one more entry; a map that is being filled is changed."""
    if target.find(key) is not MISSING:
        raise CelError(f"insert failed: key {shown(key)} already exists")
    if type(target) is Filling:
        target.entries[key_of(key)] = value
        return target
    return Map.of([*target.items(), (key, value)])


def merge(target: Map, other: Map) -> Map:
    """A map with the entries of another."""
    for key, value in other.items():
        target = insert(target, key, value)
    return target
