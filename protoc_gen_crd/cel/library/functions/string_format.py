"""`format`: insert values into a string, with numbers in English format.

Source: cel-go v0.29 `ext/formatting.go`; golang.org/x/text message, internal/number.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from math import isfinite

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.string_format_validator import CLAUSES, FormatError, find_clause_letter
from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.runtime_values import (
    MISSING,
    CelError,
    Duration,
    Map,
    Panic,
    Timestamp,
    Unreadable,
    Value,
    get_type,
    list_parts,
)
from protoc_gen_crd.golang.fmt import format_without_values, quote

from .type_conversions import bytes_to_string, double_to_string, duration_to_string, timestamp_to_string

_DEFAULT = 6  # digits after the decimal point
_LARGEST_READ = 1_000_000  # Go rejects a precision whose leading digits exceed this
_FAULTY = Type("error", "error")  # of an item of data that does not match its schema
_WORDS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


class FormatStyle(Record):
    """Differences between servers: the sign in %e, the name of optionals, whether messages pass through fmt again."""

    multiplication_sign: str = "\u00d7"
    optional: str = "optional_type"
    refilled: bool = False


_NEW, _MIDDLE = FormatStyle(), FormatStyle("\u202f\u00d7\u202f", refilled=True)
_OLD = _MIDDLE.replace(optional="optional")


def format_text(string: str, values: list[Value], style: FormatStyle = _NEW) -> str:
    """Replace the clauses of a format string. Raises CelError."""
    try:
        return _format_bytes_as_characters(
            string.encode("utf-8", "surrogateescape").decode("latin-1"), list_parts(values), style
        )
    except FormatError as fault:
        raise CelError(format_without_values(fault.message) if style.refilled else fault.message) from None


middle_format_text, old_format_text = partial(format_text, style=_MIDDLE), partial(format_text, style=_OLD)


def _format_bytes_as_characters(string: str, values: list[Value], style: FormatStyle) -> str:
    """Replace the clauses of a string of which each character is one byte of UTF-8. Raises FormatError."""
    pieces, used, done = [], 0, 0
    while (at := string.find("%", done)) >= 0:
        pieces.append(_format_whole(string[done:at]))
        if string[at + 1 : at + 2] == "%":
            pieces.append("%")
            done = at + 2
            continue
        if used >= len(values):
            raise FormatError(f"index {used} out of range")
        if at + 1 >= len(string):
            raise FormatError("unexpected end of string")
        end = find_clause_letter(string, at + 1)
        pieces.append(_format_clause(string[end], string[at + 2 : end], values[used], style))
        used, done = used + 1, end + 1
    return "".join([*pieces, _format_whole(string[done:])])


def _format_whole(string: str) -> str:
    return string.encode("latin-1").decode("utf-8", "surrogateescape")


def _format_clause(name: str, digits: str, value: Value, style: FormatStyle) -> str:
    message, kinds = CLAUSES[name]
    kind = _get_type(value)
    words = name in "fe" and type(value) is str and value not in _WORDS
    if kind.kind not in kinds or words:
        name_of = style.optional if kind.name == _NEW.optional else kind.name
        raise FormatError(f"error during formatting: {message}, was given {name_of}")
    precision = int(digits.lstrip("0") or 0) if digits else _DEFAULT
    try:
        return (
            _format_scientific(value, precision, style.multiplication_sign)
            if name == "e"
            else _WRITERS[name](value, precision)
        )
    except CelError as fault:
        text = fault.message.replace(f"for {_NEW.optional}", f"for {style.optional}")
        raise FormatError(f"error during formatting: {text}") from None


def _get_type(value: Value) -> Type:
    return _FAULTY if isinstance(value, Unreadable) else get_type(value)


def _format_string(value: Value, _: int) -> str:
    """Format %s."""
    if type(value) is float:
        return double_to_string(value)
    return value if type(value) is str else _format_element(value)


def _format_element(value: Value) -> str:
    """Format a part of a list or map, or any value with the same format. Raises CelError."""
    if isinstance(value, list):
        return f"[{', '.join([_format_literal(item) for item in list_parts(value)])}]"
    if isinstance(value, Map):
        pairs = sorted([_format_pair(value, key) for key in value.keys()], key=lambda pair: pair[0])  # noqa: SIM118 - no dict
        return f"{{{', '.join([f'{key}:{item}' for key, item in pairs])}}}"
    if value is None:
        return "null"
    write = _PLAIN.get(type(value))
    if write is None:
        raise CelError(f"no formatting function for {_get_type(value).name}")
    return write(value)


def _format_literal(value: Value) -> str:
    """Format a part of a list or map as a CEL literal. Raises CelError."""
    if isinstance(value, Timestamp | Duration):
        return f"{'timestamp' if isinstance(value, Timestamp) else 'duration'}({quote(_format_element(value))})"
    text = value if type(value) is str else _format_element(value)
    if type(value) is bytes:
        return f"b{quote(text)}"
    return quote(text) if type(value) is str or (type(value) is float and not isfinite(value)) else text


def _format_pair(target: Map, key: Value) -> tuple[str, str]:
    """Format an entry of a map. Raises CelError, and Panic for a field that the schema does not declare."""
    if key is None:
        raise Panic("runtime error: invalid memory address or nil pointer dereference")
    value = target.get_value(key)
    if value is MISSING:
        raise CelError(f"could not find key: {quote(key)}")
    return _format_key(key), _format_literal(value)


def _format_key(key: Value) -> str:
    if type(key) not in (str, bool, int, Uint):
        raise CelError(f"no formatting function for map key of type {get_type(key).name}")
    return _format_literal(key)


def _format_bytes(value: bytes) -> str:
    try:
        return bytes_to_string(value)
    except CelError as fault:
        raise CelError(f"could not convert argument {quote(fault.message)} to string") from None


def _format_double(value: float) -> str:
    return f"{value:.6f}" if isfinite(value) else double_to_string(value)


_PLAIN: dict[type, Callable[[Value], str]] = {
    bool: lambda value: "true" if value else "false",
    int: str,
    Uint: lambda value: str(int(value)),
    float: _format_double,
    bytes: _format_bytes,
    Type: lambda value: str(value.name),
    Timestamp: timestamp_to_string,
    Duration: duration_to_string,
}


def _format_fixed(value: Value, precision: int) -> str:
    """Format %f: the precision is stored in 16 bits, and in 8 as the minimum number of digits."""
    number = _WORDS[value] if type(value) is str else value
    if precision // 10 > _LARGEST_READ:
        return "%!(NOVERB)"
    if not isfinite(number):
        return _format_non_finite(number)
    most, least = (precision + (1 << 15)) % (1 << 16) - (1 << 15), precision % (1 << 8)
    exact = Decimal(number) if most >= 0 else Decimal(repr(number))
    whole, _, fraction = f"{exact:,.{most}f}".partition(".") if most >= 0 else f"{exact:,f}".partition(".")
    fraction = fraction.rstrip("0").ljust(least, "0") if most > least or most < 0 else fraction
    sign = "" if number else "-"
    return whole.removeprefix(sign) + (f".{fraction}" if fraction else "")


def _format_scientific(value: Value, width: int, times: str) -> str:
    """Format %e: servers use the precision as a width."""
    number = _WORDS[value] if type(value) is str else value
    if width // 10 > _LARGEST_READ:
        return "%!(NOVERB)"
    width = (width + (1 << 15)) % (1 << 16) - (1 << 15)
    if not isfinite(number):
        return _format_non_finite(number).rjust(width)
    mantissa, _, power = f"{number:.6e}".partition("e")
    mantissa = mantissa if number else mantissa.removeprefix("-")
    return f"{mantissa}{times}10{power.removeprefix('+').translate(_SUPERSCRIPT)}".rjust(width)


def _format_non_finite(number: float) -> str:
    return "NaN" if number != number else "∞" if number > 0 else "-∞"  # noqa: PLR0124 - NaN


def _format_hexadecimal(value: Value, _: int) -> str:
    """Format %x."""
    if isinstance(value, str | bytes):
        return (value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value).hex()
    return f"{int(value):x}"


_WRITERS: dict[str, Callable[[Value, int], str]] = {
    "s": _format_string,
    "d": lambda value, _: str(int(value)),
    "f": _format_fixed,
    "b": lambda value, _: f"{int(value):b}",
    "x": _format_hexadecimal,
    "X": lambda value, _: _format_hexadecimal(value, 0).upper(),
    "o": lambda value, _: f"{int(value):o}",
}
