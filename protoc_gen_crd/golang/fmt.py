"""Formatting of strings, numbers and plain values as by Go's fmt, strconv and encoding/json.

Source: Go 1.26, strconv.Quote and strconv.FormatFloat, encoding/json encode.go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import Any

_ESCAPES = dict(zip('\a\b\f\n\r\t\v"\\', (r"\a", r"\b", r"\f", r"\n", r"\r", r"\t", r"\v", r"\"", r"\\"), strict=True))
_VERB = r"(?s)%[-+# 0]*[0-9]*(?:\.[0-9]*)?(.?)"
_HTML_ESCAPES = str.maketrans(
    {"<": r"\u003c", ">": r"\u003e", "&": r"\u0026", "\u2028": r"\u2028", "\u2029": r"\u2029"}
)
_NOT_FINITE = {"nan": "NaN", "inf": "+Inf", "-inf": "-Inf"}


def quote(string: str) -> str:
    """Format a string in double quotes, as %q does."""
    return '"' + r"\n".join(map(_escape_line, string.split("\n"))) + '"'


def _escape_line(line: str) -> str:
    if line.isprintable():
        return line.replace("\\", r"\\").replace('"', r"\"")
    return "".join(map(_escape_char, line))


def _escape_char(char: str) -> str:
    if char in _ESCAPES or char.isprintable():
        return _ESCAPES.get(char, char)
    code = ord(char)
    if 0xDC80 <= code < 0xDD00:  # a byte that is not UTF-8
        code -= 0xDC00
    if code < 0x20 or code == 0x7F or code != ord(char):
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def format_without_values(string: str) -> str:
    """Format a string that is passed to Go's fmt as a format without arguments."""
    return re.sub(_VERB, _format_missing_value, string)


def _format_missing_value(verb: re.Match[str]) -> str:
    if verb[1] == "%":
        return "%"
    return f"%!{verb[1]}(MISSING)" if verb[1] else "%!(NOVERB)"


def format_number(value: float, *, large: int = 6, small: int = -4) -> str:
    """Format a float as %v does, with the shortest digits.

    Args:
        value: The number.
        large: The power of ten from which on there is an exponent.
        small: The power of ten below which there is an exponent.
    """
    if not isfinite(value):
        return _NOT_FINITE[str(value)]
    return format_digits(repr(value), large=large, small=small)


def format_digits(number: str, *, large: int = 6, small: int = -4) -> str:
    """Format a float whose digits Python has already rounded, like `format_number`."""
    sign = "-" if number.startswith("-") else ""
    mantissa, _, exponent = number.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    power = int(exponent or 0) + len(whole) - 1 - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if not digits:
        return sign + "0"
    if small <= power < large:
        return sign + _format_positional(digits, power)
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'-' if power < 0 else '+'}{abs(power):02d}"


def _format_positional(digits: str, power: int) -> str:
    if power < 0:
        return "0." + "0" * (-power - 1) + digits
    whole = digits[: power + 1].ljust(power + 1, "0")
    return whole + ("." + digits[power + 1 :] if len(digits) > power + 1 else "")


def format_value(value: Any) -> str:
    """Format a JSON value as %v does."""
    if isinstance(value, dict):
        return f"map[{' '.join([f'{key}:{format_value(value[key])}' for key in sorted(value)])}]"
    if isinstance(value, list):
        return f"[{' '.join([format_value(item) for item in value])}]"
    if value is None:
        return "<nil>"
    if isinstance(value, bool):
        return "true" if value else "false"
    return format_number(value) if isinstance(value, float) else str(value)


def marshal_json(value: Any, other: Callable[[Any], str] | None = None) -> str:
    """Format a value as encoding/json does: keys sorted, no spaces, <, > and & escaped.

    `other` formats values that are not JSON. Raises TypeError for them without it.
    """
    if isinstance(value, dict):
        members = [f"{_marshal_string(key)}:{marshal_json(value[key], other)}" for key in sorted(value)]
        return "{" + ",".join(members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([marshal_json(item, other) for item in value]) + "]"
    scalar = _JSON_SCALARS.get(type(value)) or other
    if scalar is None:
        raise TypeError(value)
    return scalar(value)


def _marshal_string(string: str) -> str:
    from json.encoder import encode_basestring  # noqa: PLC0415 - only errors need it

    return encode_basestring(string).translate(_HTML_ESCAPES)


def _marshal_number(value: float) -> str:
    return format_number(value, large=21, small=-6).replace("e-0", "e-")


_JSON_SCALARS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: "null", bool: format_value, str: _marshal_string, int: str, float: _marshal_number,
}  # fmt: skip
