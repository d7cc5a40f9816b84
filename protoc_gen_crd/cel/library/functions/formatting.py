"""`format`: texts with values in them, numbers as in English.

Source: cel-go v0.29 `ext/formatting.go`; golang.org/x/text message, internal/number.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from math import isfinite

from protoc_gen_crd.base.gotext import quote, unfilled
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.ast import Uint
from protoc_gen_crd.cel.formatting import CLAUSES, FormatError, letter
from protoc_gen_crd.cel.types import Type
from protoc_gen_crd.cel.values import (
    MISSING,
    CelError,
    Duration,
    Map,
    Panic,
    Timestamp,
    Unreadable,
    Value,
    parts,
    type_of,
)

from .conversions import bytes_to_text, double_to_text, moment_to_text, span_to_text

_DEFAULT = 6  # digits behind the point
_LARGEST_READ = 1_000_000  # a precision whose start is larger is given up
_FAULTY = Type("error", "error")  # of an item of data that is not what the schema says
_WORDS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


class Style(Record):
    """What differs between servers: the sign in %e, the name of optionals, whether messages pass through fmt again."""

    times: str = "\u00d7"
    optional: str = "optional_type"
    refilled: bool = False


_NEW, _MIDDLE = Style(), Style("\u202f\u00d7\u202f", refilled=True)
_OLD = _MIDDLE.replace(optional="optional")


def format_text(text: str, values: list[Value], style: Style = _NEW) -> str:
    """The text with its clauses replaced. Raises CelError."""
    try:
        return _formatted(text.encode("utf-8", "surrogateescape").decode("latin-1"), parts(values), style)
    except FormatError as fault:
        raise CelError(unfilled(fault.message) if style.refilled else fault.message) from None


middle_format_text, old_format_text = partial(format_text, style=_MIDDLE), partial(format_text, style=_OLD)


def _formatted(text: str, values: list[Value], style: Style) -> str:
    """A character of the text is one of its bytes."""
    pieces, used, done = [], 0, 0
    while (at := text.find("%", done)) >= 0:
        pieces.append(_whole(text[done:at]))
        if text[at + 1 : at + 2] == "%":
            pieces.append("%")
            done = at + 2
            continue
        if used >= len(values):
            raise FormatError(f"index {used} out of range")
        if at + 1 >= len(text):
            raise FormatError("unexpected end of string")
        end = letter(text, at + 1)
        pieces.append(_clause(text[end], text[at + 2 : end], values[used], style))
        used, done = used + 1, end + 1
    return "".join([*pieces, _whole(text[done:])])


def _whole(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "surrogateescape")


def _clause(name: str, digits: str, value: Value, style: Style) -> str:
    said, kinds = CLAUSES[name]
    kind = _kind(value)
    words = name in "fe" and type(value) is str and value not in _WORDS
    if kind.kind not in kinds or words:
        name_of = style.optional if kind.name == _NEW.optional else kind.name
        raise FormatError(f"error during formatting: {said}, was given {name_of}")
    precision = int(digits.lstrip("0") or 0) if digits else _DEFAULT
    try:
        return _scientific(value, precision, style.times) if name == "e" else _WRITERS[name](value, precision)
    except CelError as fault:
        text = fault.text.replace(f"for {_NEW.optional}", f"for {style.optional}")
        raise FormatError(f"error during formatting: {text}") from None


def _kind(value: Value) -> Type:
    return _FAULTY if isinstance(value, Unreadable) else type_of(value)


def _string(value: Value, _: int) -> str:
    """%s."""
    if type(value) is float:
        return double_to_text(value)
    return value if type(value) is str else _unquoted(value)


def _unquoted(value: Value) -> str:
    """A part of a list or map, or any value where that is the same. Raises CelError."""
    if isinstance(value, list):
        return f"[{', '.join([_literal(item) for item in parts(value)])}]"
    if isinstance(value, Map):
        pairs = sorted([_pair(value, key) for key in value.keys()], key=lambda pair: pair[0])  # noqa: SIM118 - no dict
        return f"{{{', '.join([f'{key}:{item}' for key, item in pairs])}}}"
    if value is None:
        return "null"
    write = _PLAIN.get(type(value))
    if write is None:
        raise CelError(f"no formatting function for {_kind(value).name}")
    return write(value)


def _literal(value: Value) -> str:
    """A part of a list or map, such that CEL could read it. Raises CelError."""
    if isinstance(value, Timestamp | Duration):
        return f"{'timestamp' if isinstance(value, Timestamp) else 'duration'}({quote(_unquoted(value))})"
    text = value if type(value) is str else _unquoted(value)
    if type(value) is bytes:
        return f"b{quote(text)}"
    return quote(text) if type(value) is str or (type(value) is float and not isfinite(value)) else text


def _pair(within: Map, key: Value) -> tuple[str, str]:
    """An entry of a map. Raises CelError, and Panic for a field that no schema declares."""
    if key is None:
        raise Panic("runtime error: invalid memory address or nil pointer dereference")
    found = within.part(key)
    if found is MISSING:
        raise CelError(f"could not find key: {quote(key)}")
    return _key(key), _literal(found)


def _key(key: Value) -> str:
    if type(key) not in (str, bool, int, Uint):
        raise CelError(f"no formatting function for map key of type {type_of(key).name}")
    return _literal(key)


def _bytes(value: bytes) -> str:
    try:
        return bytes_to_text(value)
    except CelError as fault:
        raise CelError(f"could not convert argument {quote(fault.text)} to string") from None


def _double(value: float) -> str:
    return f"{value:.6f}" if isfinite(value) else double_to_text(value)


_PLAIN: dict[type, Callable[[Value], str]] = {
    bool: lambda value: "true" if value else "false",
    int: str,
    Uint: lambda value: str(int(value)),
    float: _double,
    bytes: _bytes,
    Type: lambda value: str(value.name),
    Timestamp: moment_to_text,
    Duration: span_to_text,
}


def _fixed(value: Value, precision: int) -> str:
    """%f: the precision is kept in 16 bits, and in 8 for the least number of digits."""
    number = _WORDS[value] if type(value) is str else value
    if precision // 10 > _LARGEST_READ:
        return "%!(NOVERB)"
    if not isfinite(number):
        return _not_finite(number)
    most, least = (precision + (1 << 15)) % (1 << 16) - (1 << 15), precision % (1 << 8)
    exact = Decimal(number) if most >= 0 else Decimal(repr(number))
    whole, _, fraction = f"{exact:,.{most}f}".partition(".") if most >= 0 else f"{exact:,f}".partition(".")
    fraction = fraction.rstrip("0").ljust(least, "0") if most > least or most < 0 else fraction
    sign = "" if number else "-"
    return whole.removeprefix(sign) + (f".{fraction}" if fraction else "")


def _scientific(value: Value, width: int, times: str) -> str:
    """%e: what is written as a precision is a width."""
    number = _WORDS[value] if type(value) is str else value
    if width // 10 > _LARGEST_READ:
        return "%!(NOVERB)"
    width = (width + (1 << 15)) % (1 << 16) - (1 << 15)
    if not isfinite(number):
        return _not_finite(number).rjust(width)
    mantissa, _, power = f"{number:.6e}".partition("e")
    mantissa = mantissa if number else mantissa.removeprefix("-")
    return f"{mantissa}{times}10{power.removeprefix('+').translate(_SUPERSCRIPT)}".rjust(width)


def _not_finite(number: float) -> str:
    return "NaN" if number != number else "∞" if number > 0 else "-∞"  # noqa: PLR0124 - NaN


def _hexadecimal(value: Value, _: int) -> str:
    """%x."""
    if isinstance(value, str | bytes):
        return (value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value).hex()
    return f"{int(value):x}"


_WRITERS: dict[str, Callable[[Value, int], str]] = {
    "s": _string,
    "d": lambda value, _: str(int(value)),
    "f": _fixed,
    "b": lambda value, _: f"{int(value):b}",
    "x": _hexadecimal,
    "X": lambda value, _: _hexadecimal(value, 0).upper(),
    "o": lambda value, _: f"{int(value):o}",
}
