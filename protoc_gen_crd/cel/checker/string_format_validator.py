"""Validation of `format` calls whose string and list are literals.

Source: cel-go v0.29 `ext/formatting.go` (stringFormatValidator).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.cel.parser.ast import Call, Expr, ListExpr, Literal, MapExpr
from protoc_gen_crd.cel.parser.issues import Issue

from .types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    LIST,
    MAP,
    NULL,
    STRING,
    TIMESTAMP,
    TYPE,
    UINT,
    WRAPPER,
    Type,
)

_SIMPLE = (INT, UINT, DOUBLE, BOOL, STRING, TIMESTAMP, BYTES, DURATION, NULL)
_TEXTUAL = frozenset((*[kind.kind for kind in _SIMPLE], LIST, MAP, TYPE))
_LISTED = "strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"


def _make_clause(message: str, *kinds: Type) -> tuple[str, frozenset[str]]:
    return message, frozenset([kind.kind for kind in kinds])


_HEX = _make_clause("only integers, byte buffers, and strings can be formatted as hex", INT, UINT, STRING, BYTES)
CLAUSES = {
    "s": (f"string clause can only be used on {_LISTED}", _TEXTUAL),
    "d": _make_clause("decimal clause can only be used on integers", INT, UINT),
    "f": _make_clause("fixed-point clause can only be used on doubles", DOUBLE, STRING),
    "e": _make_clause("scientific clause can only be used on doubles", DOUBLE, STRING),
    "b": _make_clause("only integers and bools can be formatted as binary", INT, UINT, BOOL),
    "x": _HEX,
    "X": _HEX,
    "o": _make_clause("octal clause can only be used on integers", INT, UINT),
}


class FormatError(Exception):
    """An error in a call, and the offset of the argument that causes it, if any."""

    def __init__(self, message: str, at: int | None = None) -> None:
        super().__init__(message)
        self.message, self.at = message, at


def check_format(call: Call, types: Mapping[int, Type]) -> Iterator[Issue]:
    """Yield the issue of a call, if it has one."""
    template, args = call.target, call.args
    if len(args) != 1 or not isinstance(template, Literal) or not isinstance(template.value, str):
        return
    if not isinstance(args[0], ListExpr):
        return
    values = args[0].elements
    try:
        used = _check_clauses(template.value.encode(errors="replace").decode("latin-1"), values, types)
    except FormatError as error:
        yield Issue(error.message, call.at if error.at is None else error.at)
        return
    if len(values) > used:
        counts = f"(expected {used}, got {len(values)})"
        yield Issue(f"too many arguments supplied to string.format {counts}", call.at)


def _check_clauses(string: str, values: Sequence[Expr], types: Mapping[int, Type]) -> int:
    """Return how many values the format string uses; each character of the string is one byte of its UTF-8 form."""
    at = used = 0
    while (at := string.find("%", at)) >= 0:
        if string[at + 1 : at + 2] == "%":
            at += 2
            continue
        if at + 1 >= len(string):
            raise FormatError("unexpected end of string")
        if used >= len(values):
            raise FormatError(f"index {used} out of range")
        at = find_clause_letter(string, at + 1)
        message, kinds = CLAUSES[string[at]]
        mismatch = _find_mismatch(values[used], kinds, types)
        if mismatch is not None:
            raise FormatError(f"error during formatting: {message}, was given {types[mismatch.id].name}", mismatch.at)
        at += 1
        used += 1
    return used


def find_clause_letter(string: str, at: int) -> int:
    """Return the offset of the letter of a clause, which follows its precision."""
    if string[at] == ".":
        start = at = at + 1
        while at < len(string) and string[at] in "0123456789":
            at += 1
        if at >= len(string):
            raise _make_error("error while parsing precision: could not find end of precision specifier")
        digits = string[start:at]
        counted = digits.lstrip("0")[:20]
        if not digits or int(counted or 0) >= 1 << 63:
            fault = "value out of range" if digits else "invalid syntax"
            error = f'strconv.Atoi: parsing "{digits}": {fault}'
            raise _make_error(f"error while parsing precision: error while converting precision to integer: {error}")
    if string[at] not in CLAUSES:
        raise _make_error(f'unrecognized formatting clause "{string[at]}"')
    return at


def _make_error(message: str) -> FormatError:
    return FormatError(f"could not parse formatting clause: {message}")


def _find_mismatch(value: Expr, kinds: frozenset[str], types: Mapping[int, Type]) -> Expr | None:
    """Return the node whose type a clause does not accept: the value, or a part of a literal."""
    kind = types[value.id]
    if kind.kind != DYN.kind and (kind.name if kind.kind == WRAPPER else kind.kind) not in kinds:
        return value
    parts: Sequence[Expr] = ()
    if kinds is _TEXTUAL and isinstance(value, ListExpr):
        parts = value.elements
    elif kinds is _TEXTUAL and isinstance(value, MapExpr):
        parts = [node for entry in value.entries for node in (entry.key, entry.value)]
    for node in parts:
        mismatch = _find_mismatch(node, kinds, types)
        if mismatch is not None:
            return mismatch
    return None
