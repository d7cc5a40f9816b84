"""Ranges of versions in which values are equal, and sequences with such ranges. Versions are ordered by age."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

_Value = TypeVar("_Value")
_Item = TypeVar("_Item", bound=Hashable)


class RangeError(Exception):
    """No range of versions can express a difference."""


def find_range(present: Sequence[str], versions: Sequence[str]) -> dict[str, str]:
    """Return `since` and `until` for some of the versions, without the ends of all. Raises RangeError for a gap."""
    start = versions.index(present[0])
    if tuple(versions[start : start + len(present)]) != tuple(present):
        raise RangeError
    since = {"since": present[0]} if present[0] != versions[0] else {}
    return {**since, **({"until": present[-1]} if present[-1] != versions[-1] else {})}


def list_runs(values: Mapping[str, _Value]) -> Iterator[tuple[dict[str, str], _Value]]:
    """Yield the ranges of subsequent versions with equal values, and the values."""
    versions = tuple(values)
    start = 0
    for end in range(1, len(versions) + 1):
        if end == len(versions) or values[versions[end]] != values[versions[start]]:
            yield find_range(versions[start:end], versions), values[versions[start]]
            start = end


def merge_sequences(sequences: Mapping[str, Sequence[_Item]]) -> list[tuple[_Item, tuple[str, ...]]]:
    """Return the items of all sequences in an order that each sequence has, with the versions that have the item.

    Raises RangeError if there is no such order.
    """
    merged: list[_Item] = []
    for sequence in reversed(list(sequences.values())):
        at = 0
        for item in sequence:
            if item not in merged:
                merged.insert(at, item)
            elif merged.index(item) < at:
                raise RangeError
            at = merged.index(item) + 1
    return [(item, tuple([name for name, sequence in sequences.items() if item in sequence])) for item in merged]
