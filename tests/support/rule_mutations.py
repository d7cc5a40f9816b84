"""Seeded mutations of conversion rules: plausible mistakes in an APIConversion."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

Slot = tuple[Any, Any]  # a mapping or list, and a key or index of it
_VALUES: tuple[Any, ...] = (
    None, "", 0, True, [], {}, "self", "key", "[]", "spec", "spec.x[key].y[]", ["a"], {"a": "key"},
)  # fmt: skip


def mutate(rules: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return a copy of an APIConversion with one to three mutations below spec."""
    source = random.Random(seed)  # noqa: S311 - not for secrets
    mutant = copy.deepcopy(rules)
    for _ in range(source.randint(1, 3)):
        slots = list(_slots(mutant["spec"])) if isinstance(mutant.get("spec"), dict) else []
        if slots:
            source.choice(_MUTATIONS)(source, slots)
    return mutant


def _slots(value: Any) -> Iterator[Slot]:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _slots(value[key])


def _remove(source: random.Random, slots: list[Slot]) -> None:
    holder, key = source.choice(slots)
    del holder[key]


def _replace(source: random.Random, slots: list[Slot]) -> None:
    holder, key = source.choice(slots)
    holder[key] = copy.deepcopy(source.choice(_VALUES))


def _exchange(source: random.Random, slots: list[Slot]) -> None:
    (first, key), (other, name) = source.choice(slots), source.choice(slots)
    first[key], other[name] = copy.deepcopy(other[name]), copy.deepcopy(first[key])


def _copy(source: random.Random, slots: list[Slot]) -> None:
    (first, key), (other, name) = source.choice(slots), source.choice(slots)
    first[key] = copy.deepcopy(other[name])


def _repeat(source: random.Random, slots: list[Slot]) -> None:
    holder, key = source.choice(slots)
    if isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))


def _edit(source: random.Random, slots: list[Slot]) -> None:
    strings = [(holder, key) for holder, key in slots if isinstance(holder[key], str) and holder[key]]
    if strings:
        holder, key = source.choice(strings)
        text = holder[key]
        other = source.choice(strings)
        start, end = sorted((source.randrange(len(text) + 1), source.randrange(len(text) + 1)))
        inserted = source.choice(("", "[]", "[key]", "[0]", ".", "self.", other[0][other[1]]))
        holder[key] = text[:start] + inserted + text[end:]


def _nest(source: random.Random, slots: list[Slot]) -> None:
    holder, key = source.choice(slots)
    holder[key] = source.choice(([holder[key]], {"itemRules": holder[key]}, {key: holder[key]}))


_MUTATIONS = (_remove, _replace, _exchange, _copy, _repeat, _edit, _edit, _edit, _nest)
