"""Rows of vocabularies: the translation of one field of one of their messages.

A row makes `RuleConstraint`s, each in two forms: equivalent keywords of message Schema if there are any, and a CEL rule
for map keys, accepted zero values and keywords that are already used.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.model import Enum


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
    """One constraint. Without a rule, its keywords are implied by others and only make rules cheaper.

    `zero` is true if the zero value of the type satisfies it.
    """

    rule: str
    message: str
    keywords: tuple[tuple[str, Any], ...] = ()
    zero: bool = False


# The translation of a value for a target, with the other rules of its message; a string is the reason for none.
Made = RuleConstraint | tuple[RuleConstraint, ...] | str
Make = Callable[[Any, Target, Mapping[str, Any]], Made]


class Row(Record):
    """A row: `description` is for the reference page, `make` is None if the reader of the message has code for it."""

    description: str
    make: Make | None = None
    refused: bool = False


def make_unsupported_row(reason: str) -> Row:
    """Make a row of a field without an equivalent in OpenAPI and CEL; its use is reported."""
    return Row(reason, lambda *_: reason, refused=True)


def make_ignored_row(reason: str) -> Row:
    """Make a row of a field that needs no translation."""
    return Row(reason, lambda *_: ())


def make_external_row(becomes: str) -> Row:
    """Make a row with code in the reader of its message."""
    return Row(becomes)


def format_string(value: str | bytes) -> str:
    """Format a string or bytes as a CEL literal."""
    from protoc_gen_crd.cel.parser.ast import Ast, Literal  # noqa: PLC0415 - google.api alone needs no CEL
    from protoc_gen_crd.cel.parser.unparser import unparse  # noqa: PLC0415

    return unparse(Ast("", Literal(0, 0, value), {}))


def quote_regex(value: str) -> str:
    """Escape a string for a regular expression."""
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", value)


def format_list(literals: list[str]) -> str:
    """Format literals as a CEL list."""
    return f"[{', '.join(literals)}]"


def make_example_row(convert: Callable[[Any], Any]) -> Row:
    """Make the row of examples; OpenAPI has one example only."""
    return Row(
        "`example`: the first one", lambda v, *_: RuleConstraint("", "", (("example", convert(v[0])),), zero=True)
    )


def shorten_float(value: float) -> float:
    """The shortest decimal of a 32-bit float, which is what its author wrote."""
    bits = struct.pack("<f", value)
    for digits in range(6, 10):
        if struct.pack("<f", float(shown := f"{value:.{digits}g}")) == bits:
            return float(shown)
    return value
