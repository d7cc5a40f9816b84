"""Rows of vocabularies. A row translates a field of a message of the vocabulary.

It creates `RuleConstraint`s. Each has two forms: equivalent keywords of message Schema, if there are any, and a CEL
rule, which is used for map keys, for accepted zero values, and if the keywords are already used.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.element_model import Enum


class Target(Record):
    """The values that rules apply to: their kind, the CEL expression `x` of a value, and their enum.

    `item` is the kind of the items of a list. `numbered` values can be numbers instead of names of the enum. The
    pattern, format or enum of `overridden` values is set elsewhere.
    """

    kind: str
    x: str = "self"
    enum: Enum | None = None
    item: str = ""
    numbered: bool = False
    overridden: bool = False


class RuleConstraint(Record):
    """A constraint. Without a rule, its keywords are implied by other constraints and only make rules cheaper.

    `zero` is true if the zero value of the type satisfies the constraint.
    """

    rule: str
    message: str
    keywords: tuple[tuple[str, Any], ...] = ()
    zero: bool = False


# The translation of a value for a target. A string is the reason why there is none.
Translation = RuleConstraint | tuple[RuleConstraint, ...] | str
Translate = Callable[[Any, Target, Mapping[str, Any]], Translation]


class Row(Record):
    """A row. `description` is for the reference page. `make` is None if the reader of the message has code for it.

    The arguments of `make` are the value, the target, and the members of the same message.
    """

    description: str
    make: Translate | None = None
    unsupported: bool = False


def make_unsupported_row(reason: str) -> Row:
    """Make a row of a field without an equivalent in OpenAPI and CEL. Its use is reported."""
    return Row(reason, lambda *_: reason, unsupported=True)


def make_ignored_row(reason: str) -> Row:
    """Make a row of a field that needs no translation."""
    return Row(reason, lambda *_: ())


def make_external_row(description: str) -> Row:
    """Make a row of a field that the reader of its message translates."""
    return Row(description)


def format_string(value: str | bytes) -> str:
    """Format a string or bytes as a CEL literal."""
    from protoc_gen_crd.cel.parser.ast import Ast, Literal  # noqa: PLC0415 - google.api alone needs no CEL
    from protoc_gen_crd.cel.parser.unparser import unparse  # noqa: PLC0415

    return unparse(Ast("", Literal(0, 0, value), {}))


def format_list(literals: list[str]) -> str:
    """Format literals as a CEL list."""
    return f"[{', '.join(literals)}]"


def make_example_row(convert: Callable[[Any], Any]) -> Row:
    """Make the row of examples. OpenAPI has only one example."""

    def make(values: Sequence[Any], *_: Any) -> Translation:
        if isinstance(values[0], float) and not isfinite(values[0]):
            return f"JSON has no number {values[0]}"
        return RuleConstraint("", "", (("example", convert(values[0])),), zero=True)

    return Row("`example`: the first one", make)


def shorten_float(value: float) -> float:
    """Return the shortest decimal of a 32-bit float, as it was written."""
    bits = struct.pack("<f", value)
    for digits in range(6, 10):
        if struct.pack("<f", float(decimal := f"{value:.{digits}g}")) == bits:
            return float(decimal)
    return value
