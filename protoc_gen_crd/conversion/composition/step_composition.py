"""Composition of the option members of several steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import trunc
from typing import Any

from protoc_gen_crd.conversion.composition.cel_substitution import has_context_variables, substitute_self
from protoc_gen_crd.conversion.composition.field_counterparts import (
    ABSENT_DEFAULT,
    NOT_COMPOSABLE,
    OTHER_DEFAULT,
    OptionMembers,
    get_table,
    is_redundant_pair,
)
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import ValueTable


def compose_members(outer: OptionMembers, inner: OptionMembers) -> OptionMembers | None:
    """Compose the members of two steps; None if no option describes the result."""
    if NOT_COMPOSABLE in (outer, inner):
        return None
    if not inner or not outer:
        expressions = _get_expression(outer, "from") + _get_expression(
            inner, "to"
        )  # `root` is another object in the other version
        return None if any(map(has_context_variables, expressions)) else outer or inner
    if inner.keys() <= {"preserved", "dropped", ABSENT_DEFAULT}:
        return _compose_absence(outer, inner)
    names = outer.keys() | inner.keys()
    if names == {"default"}:
        return inner
    if names == {OTHER_DEFAULT}:
        return outer
    kind = next(iter(names)) if len(names) == 1 else ""
    return _COMPOSERS[kind](outer[kind], inner[kind]) if kind in _COMPOSERS else None


def _compose_absence(outer: OptionMembers, inner: OptionMembers) -> OptionMembers | None:
    """Compose a change with a field that has no counterpart or is a default."""
    if ABSENT_DEFAULT not in inner:
        return {ABSENT_DEFAULT: outer["default"]} if "default" in outer else inner
    value = inner[ABSENT_DEFAULT]
    if outer.keys() == {"default"}:
        return inner
    if outer.keys() == {"factor"} and type(value) is int:
        return {ABSENT_DEFAULT: trunc(value * outer["factor"])}
    if outer.keys() == {"values"} and isinstance(value, str):
        return {ABSENT_DEFAULT: _map_value(ValueTable((), (), pairs=tuple(outer["values"])), value)}
    return None


def _get_expression(members: OptionMembers, direction: str) -> list[str]:
    """Return the expression of a direction, if any."""
    expressions = members.get("cel", {})
    return [expressions[direction]] if direction in expressions else []


def _compose_tables(outer: Sequence[tuple[str, str]], inner: Sequence[tuple[str, str]]) -> OptionMembers | None:
    """Compose two tables of pairs of a source and a target value."""
    far, near = ValueTable((), (), pairs=tuple(inner)), ValueTable((), (), pairs=tuple(outer))
    (back_far,), (back_near,) = far.invert(), near.invert()
    between = {value for pair in inner for value in pair}
    composed = [(old, _map_value(near, new)) for old, new in inner] + [pair for pair in outer if pair[0] not in between]
    pairs = [pair for at, pair in enumerate(composed) if not is_redundant_pair(pair, composed[:at])]
    table = ValueTable((), (), pairs=tuple(pairs))
    (undone,) = table.invert()
    agree = all(new == _map_through(old, far, near) for old, new in get_table(table).items())
    agree = agree and all(old == _map_through(new, back_near, back_far) for new, old in get_table(undone).items())
    return {"values": tuple(pairs)} if agree else None


def _map_through(value: str, *tables: Step) -> str:
    for table in tables:
        value = _map_value(table, value)
    return value


def _map_value(step: Step, value: str) -> str:
    return get_table(step).get(value, value)


def _compose_expressions(outer: Mapping[str, str], inner: Mapping[str, str]) -> OptionMembers | None:
    """Compose two expressions in each direction."""
    if outer.keys() != inner.keys():
        return None
    order = {"from": (outer, inner), "to": (inner, outer)}
    expressions = {
        name: substitute_self(last[name], first[name]) for name, (last, first) in order.items() if name in outer
    }
    return {"cel": expressions} if all(expressions.values()) else None


_COMPOSERS: Mapping[str, Callable[[Any, Any], OptionMembers | None]] = {
    "values": _compose_tables,
    "factor": lambda outer, inner: {} if outer * inner == 1 else {"factor": outer * inner},
    "one_item": lambda *_: {},
    "cel": _compose_expressions,
    "key": lambda outer, inner: {} if outer == inner else None,
    "value": lambda outer, inner: {} if outer == inner else None,
}
