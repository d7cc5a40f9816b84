"""Translation of enums in expressions of protovalidate, where they are numbers, to the names in objects.

Objects contain only values of the enum, so numbers without a name are omitted from lists. Source: cel-go
common/types/pb, where `package.Enum.VALUE` is a number.
"""

from __future__ import annotations

from collections.abc import Container, Sequence

from protoc_gen_crd.cel.parser.ast import Call, Expr, Ident, ListExpr, Literal, Select
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Enum

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
    return next((member.number for member in enum.values if member.name == value), None) if enum else None


def check_same_enum(first: Enum, second: Enum, *, numbered: bool) -> None:
    """Raise UntranslatableError if equal names do not imply equal numbers."""
    if numbered:
        raise UntranslatableError(f"{COMPARED}, because objects also contain numbers")
    if first is not second or len({value.number for value in first.values}) < len(first.values):
        raise UntranslatableError(COMPARED)


def make_comparison(function: str, value: Expr, numbers: Sequence[int], enum: Enum, *, numbered: bool) -> Expr:
    """Make a comparison of a value with numbers. A `numbered` value can be a number instead of a name."""
    names = _list_names(numbers, enum)
    if function != "@in" and len(names) == 1 and not numbered:
        return Call(0, 0, function, (value, names[0]))
    among = Call(0, 0, "@in", (value, ListExpr(0, 0, tuple(names))))
    if numbered:
        listed = ListExpr(0, 0, tuple([Literal(0, 0, number) for number in numbers]))
        among = Call(0, 0, "_||_", (among, Call(0, 0, "@in", (value, listed))))
    return Call(0, 0, "!_", (among,)) if function == "_!=_" else among


def make_membership(numbers: Sequence[int], values: Expr, enum: Enum, *, numbered: bool) -> Expr:
    """Make a test whether one of the numbers is in a list of enum values."""
    literals = [*_list_names(numbers, enum), *(Literal(0, 0, number) for number in numbers if numbered)]
    result, *alternatives = [Call(0, 0, "@in", (literal, values)) for literal in literals]
    for alternative in alternatives:
        result = Call(0, 0, "_||_", (result, alternative))
    return result


def get_zero_name(enum: Enum | None) -> Expr:
    """Return the name of the value 0. Raises UntranslatableError if there is none."""
    return _list_names((0,), enum)[0]


def _list_names(numbers: Sequence[int], enum: Enum | None) -> list[Expr]:
    """Return the names of numbers. Raises UntranslatableError if there are none."""
    values = enum.values if enum else ()
    names: list[Expr] = [Literal(0, 0, value.name) for number in numbers for value in values if value.number == number]
    if not names:
        subject = ", ".join(map(str, numbers)) or "an empty list"
        raise UntranslatableError(f"enums are names in objects, and {subject} has none")
    return names
