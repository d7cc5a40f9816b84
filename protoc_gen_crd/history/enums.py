"""What releases say of the values of an enum: which came, which went, which are deprecated or in a later channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.history.summary import Facts
from protoc_gen_crd.schema.types import CHANNEL_VALUES, DEPRECATED_VALUES


def values_of(facts: Facts) -> Sequence[str]:
    """The values of an enum, none for what is no enum."""
    return [str(value) for value in facts.get("enum") or () if value is not None]


def lost_values(here: Facts, there: Facts) -> list[str]:
    """The values that one side has and the other has not; none where one of them is no enum."""
    others = values_of(there)
    return [name for name in values_of(here) if name not in others] if others else []


def value_notes(old: Facts, new: Facts, release: str, main: str) -> Iterator[str]:
    """What a release changes on values. Facts before an element is there are empty: its values come with it."""
    yield from (f"{name} removed since {release}" for name in lost_values(old, new))
    yield from (f"{name} since {release}" for name in lost_values(new, old))
    here = values_of(new)
    before, after = old.get(CHANNEL_VALUES) or {}, new.get(CHANNEL_VALUES) or {}
    for name in (*after, *(name for name in before if name not in after and name in here)):
        if before.get(name) != after.get(name):
            yield f"{name} {after.get(name) or main} since {release}"
    was, now = old.get(DEPRECATED_VALUES) or (), new.get(DEPRECATED_VALUES) or ()
    yield from (f"{name} deprecated since {release}" for name in now if name not in was)
    yield from (f"{name} not deprecated since {release}" for name in was if name not in now and name in here)
