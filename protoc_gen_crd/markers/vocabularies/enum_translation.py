"""Enums in expressions of protovalidate, where they are numbers, as the names that objects have.

A value that an object can have is one of the enum, so a number without a name among several is left out. Source: cel-go
common/types/pb, by which `package.Enum.VALUE` is a number.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from protoc_gen_crd.cel.parser.ast import Call, Expr, Ident, ListExpr, Literal, Select
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.model import Enum

COMPARED = "enums are names in objects: compare them only with numbers and enum values"


class UntranslatableError(Exception):
    """An expression without an equivalent in the CEL of API servers."""


def find_constant(node: Expr, scope: Container[str], api: ApiSet) -> int | None:
    """Return the number of a dotted name of an enum value; None for other names."""
    parts: list[str] = []
    while isinstance(node, Select):
        parts.append(node.field)
        node = node.operand
    if not isinstance(node, Ident) or node.name in scope or not parts:
        return None
    value, *path = parts
    enum = api.find_enum(".".join([node.name, *reversed(path)]).lstrip("."))
    return next((one.number for one in enum.values if one.name == value), None) if enum else None


def check_same_enum(one: Enum, other: Enum, *, numbered: bool) -> None:
    """Raise UntranslatableError if equal names do not imply equal numbers."""
    if numbered:
        raise UntranslatableError(f"{COMPARED}, because objects also contain numbers")
    if one is not other or len({value.number for value in one.values}) < len(one.values):
        raise UntranslatableError(COMPARED)


def make_comparison(function: str, value: Expr, numbers: Sequence[int], enum: Enum, *, numbered: bool) -> Expr:
    """Make a comparison of a value with numbers; a `numbered` value can be a number instead of a name."""
    names = _list_names(numbers, enum)
    if function != "@in" and len(names) == 1 and not numbered:
        return Call(0, 0, function, (value, names[0]))
    among = Call(0, 0, "@in", (value, ListExpr(0, 0, tuple(names))))
    if numbered:
        listed = ListExpr(0, 0, tuple([Literal(0, 0, number) for number in numbers]))
        among = Call(0, 0, "_||_", (among, Call(0, 0, "@in", (value, listed))))
    return Call(0, 0, "!_", (among,)) if function == "_!=_" else among


def make_membership(numbers: Sequence[int], values: Expr, enum: Enum, *, numbered: bool) -> Expr:
    """Make a test for a number in a list of enum values."""
    spelled = [*_list_names(numbers, enum), *(Literal(0, 0, number) for number in numbers if numbered)]
    first, *others = [Call(0, 0, "@in", (one, values)) for one in spelled]
    for other in others:
        first = Call(0, 0, "_||_", (first, other))
    return first


def get_zero_name(enum: Enum | None) -> Expr:
    """The name of the value 0."""
    return _list_names((0,), enum)[0]


def _list_names(numbers: Sequence[int], enum: Enum | None) -> list[Expr]:
    """The names of numbers. Raises UntranslatableError where there are none."""
    values = enum.values if enum else ()
    names: list[Expr] = [Literal(0, 0, value.name) for number in numbers for value in values if value.number == number]
    if not names:
        found = ", ".join(map(str, numbers)) or "an empty list"
        raise UntranslatableError(f"enums are names in objects, and {found} has none")
    return names
