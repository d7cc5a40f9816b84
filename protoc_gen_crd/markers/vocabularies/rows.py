"""What a row of a vocabulary is: what becomes of one field of one of its messages.

A row of constraints makes `Said`s, each in two forms: keywords of message Schema where they say exactly the same, and a
CEL rule, which serves map keys, zero values that are let pass, and keywords that are taken.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.model import Enum


class Target(Record):
    """The values that rules are about: their kind, in CEL the expression `x` for one, the enum they are of.

    `item` is the kind of what a list holds. What is `numbered` may have numbers for names of the enum.
    """

    kind: str
    x: str = "self"
    enum: Enum | None = None
    item: str = ""
    numbered: bool = False


class Said(Record):
    """One constraint. Without a rule it only repeats what another one implies, in keywords, for cheaper rules.

    `zero` tells whether the zero value of the type keeps it.
    """

    rule: str
    message: str
    keywords: tuple[tuple[str, Any], ...] = ()
    zero: bool = False


# What a row makes of a value, for a target and beside the other rules of its message; a text is why it makes nothing.
Made = Said | tuple[Said, ...] | str
Make = Callable[[Any, Target, Mapping[str, Any]], Made]


class Row(Record):
    """`becomes` are words for people: what is made, or why nothing is. `make` is missing where the reader has code."""

    becomes: str
    make: Make | None = None
    refused: bool = False


def refused(reason: str) -> Row:
    """A row of what neither OpenAPI nor CEL can say: found in a file, it is reported."""
    return Row(reason, lambda *_: reason, refused=True)


def without_effect(reason: str) -> Row:
    """A row of what needs nothing to hold."""
    return Row(reason, lambda *_: ())


def read_elsewhere(becomes: str) -> Row:
    """A row whose code stands in the reader of its message."""
    return Row(becomes)


def text(value: str | bytes) -> str:
    """A text, or bytes, as a CEL literal."""
    from protoc_gen_crd.cel.ast import Ast, Literal  # noqa: PLC0415 - google.api alone needs no CEL
    from protoc_gen_crd.cel.unparse import unparse  # noqa: PLC0415

    return unparse(Ast("", Literal(0, 0, value), {}))


def quoted(value: str) -> str:
    """A text as the part of a regular expression that matches it alone."""
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", value)


def listed(literals: list[str]) -> str:
    """Literals as a CEL list."""
    return f"[{', '.join(literals)}]"


def example(convert: Callable[[Any], Any]) -> Row:
    """The row of examples, of which OpenAPI takes one."""
    return Row("`example`: the first one", lambda v, *_: Said("", "", (("example", convert(v[0])),), zero=True))


def short_float(value: float) -> float:
    """The shortest decimal of a 32-bit float, which is what its author wrote."""
    bits = struct.pack("<f", value)
    for digits in range(6, 10):
        if struct.pack("<f", float(shown := f"{value:.{digits}g}")) == bits:
            return float(shown)
    return value
