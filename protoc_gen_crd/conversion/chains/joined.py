"""What comes of the words of several steps. Knows words, neither versions nor fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import floor
from typing import Any

from protoc_gen_crd.conversion.chains.links import GIVEN, NEW, OPAQUE, Words, is_said, table
from protoc_gen_crd.conversion.chains.texts import names_root, within
from protoc_gen_crd.conversion.plan.changing import Values
from protoc_gen_crd.conversion.plan.steps import Step


def joined(outer: Words, inner: Words) -> Words | None:
    """What a field is made of by way of another one, by the words of both steps; None where no words say it."""
    if OPAQUE in (outer, inner):
        return None
    if not inner or not outer:
        looks = _texts(outer, "from") + _texts(inner, "to")  # at an object that is another one there
        return None if any(map(names_root, looks)) else outer or inner
    if inner.keys() <= {"preserved", "dropped", NEW}:
        return _absent(outer, inner)
    names = outer.keys() | inner.keys()
    if names == {"default"}:
        return inner
    if names == {GIVEN}:
        return outer
    kind = next(iter(names)) if len(names) == 1 else ""
    return _JOINS[kind](outer[kind], inner[kind]) if kind in _JOINS else None


def _absent(outer: Words, inner: Words) -> Words | None:
    """What a field is that is made of one that is not there, or is a default."""
    if NEW not in inner:
        return {NEW: outer["default"]} if "default" in outer else inner
    value = inner[NEW]
    if outer.keys() == {"default"}:
        return inner
    if outer.keys() == {"factor"} and type(value) is int:
        return {NEW: floor(value * outer["factor"])}
    if outer.keys() == {"values"} and isinstance(value, str):
        return {NEW: _called(Values((), (), pairs=tuple(outer["values"])), value)}
    return None


def _texts(words: Words, way: str) -> list[str]:
    """The expression of a way, if there is one."""
    given = words.get("cel", {})
    return [given[way]] if way in given else []


def _tables(outer: Sequence[tuple[str, str]], inner: Sequence[tuple[str, str]]) -> Words | None:
    """One table for two, each of pairs of a value there and here; values that stay in one are called what they are."""
    far, near = Values((), (), pairs=tuple(inner)), Values((), (), pairs=tuple(outer))
    (back_far,), (back_near,) = far.inverse(), near.inverse()
    between = {text for pair in inner for text in pair}
    found = [(old, _called(near, new)) for old, new in inner] + [pair for pair in outer if pair[0] not in between]
    pairs = [pair for at, pair in enumerate(found) if not is_said(pair, found[:at])]
    made = Values((), (), pairs=tuple(pairs))
    (undone,) = made.inverse()
    agree = all(new == _through(old, far, near) for old, new in table(made).items())
    agree = agree and all(old == _through(new, back_near, back_far) for new, old in table(undone).items())
    return {"values": tuple(pairs)} if agree else None


def _through(text: str, *tables: Step) -> str:
    for each in tables:
        text = _called(each, text)
    return text


def _called(step: Step, text: str) -> str:
    return table(step).get(text, text)


def _expressions(outer: Mapping[str, str], inner: Mapping[str, str]) -> Words | None:
    """One expression of two each way: what the second is given is what the first makes."""
    if outer.keys() != inner.keys():
        return None
    ways = {"from": (outer, inner), "to": (inner, outer)}
    made = {name: within(last[name], first[name]) for name, (last, first) in ways.items() if name in outer}
    return {"cel": made} if all(made.values()) else None


_JOINS: Mapping[str, Callable[[Any, Any], Words | None]] = {
    "values": _tables,
    "factor": lambda outer, inner: {} if outer * inner == 1 else {"factor": outer * inner},
    "one_item": lambda *_: {},
    "cel": _expressions,
    "key": lambda outer, inner: {} if outer == inner else None,
    "value": lambda outer, inner: {} if outer == inner else None,
}
