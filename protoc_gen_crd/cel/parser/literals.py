"""The values of literals: strings, bytes, integers, and floating point numbers.

Source: cel-go v0.29 `parser/unescape.go` and the visitors of literals in `parser/parser.go`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .ast import Constant, Uint

_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_ESCAPE = r"(?s)\\(?:[xX](..)|u(.{4})|U(.{8})|([0-3]..)|(.))"
_LAST, _SIGN = 0x10FFFF, 1 << 31  # the last code point; the first number with the sign bit of 32 bits
_INT_LIMIT = 1 << 63
_MAX_DIGITS = 30  # enough to be too many


def _split_quotes(token: str) -> tuple[str, bool]:
    """Return the content between the quotes, with Unix line ends, and whether backslashes in it are escapes."""
    raw = token[0] in "rR"
    token = token[1:] if raw else token
    quotes = 3 if len(token) >= 6 and token[:3] in ('"""', "'''") else 1
    body = token[quotes:-quotes]
    if "\r" in body:
        body = body.replace("\r\n", "\n").replace("\r", "\n")
    return body, not raw and "\\" in body


def _parse_escape_code(match: re.Match[str]) -> int:
    """Return the code point or byte that an escape represents."""
    byte, short, long, octal, simple = match.groups()
    if simple is not None:
        return ord(_SIMPLE.get(simple, simple))
    return int(octal, 8) if octal is not None else int(byte or short or long, 16)


def parse_string(token: str) -> str:
    """Parse a string token. Raises ValueError with cel-go's message for an escape that is not a code point."""
    body, escaped = _split_quotes(token)
    return re.sub(_ESCAPE, _decode_character, body) if escaped else body


def parse_string_legacy(token: str) -> str:
    """Parse a string token as cel-go up to 0.22, which replaces most escapes that are not code points by U+FFFD."""
    body, escaped = _split_quotes(token)
    return re.sub(_ESCAPE, _decode_character_legacy, body) if escaped else body


def _decode_character(match: re.Match[str]) -> str:
    code = _parse_escape_code(match)
    if _is_character(code):
        return chr(code)
    raise ValueError("invalid unicode code point")


def _decode_character_legacy(match: re.Match[str]) -> str:
    code = _parse_escape_code(match)
    if code >= _SIGN:  # negative in Go, therefore less than 128 and a byte
        return bytes([code & 0xFF]).decode("utf-8", "surrogateescape")
    if code > _LAST:
        raise ValueError("unable to unescape string")
    return chr(code) if _is_character(code) else "\ufffd"


def _is_character(code: int) -> bool:
    return code <= _LAST and not 0xD800 <= code <= 0xDFFF


def parse_bytes(token: str) -> bytes:
    """Parse a bytes token. Raises ValueError with cel-go's message for an escape that is not a byte."""
    body, escaped = _split_quotes(token[1:])
    if not escaped:
        return body.encode()
    pieces, end = [], 0
    for match in re.finditer(_ESCAPE, body):
        if match[2] or match[3]:
            raise ValueError("unable to unescape string")
        code = _parse_escape_code(match)
        pieces += [body[end : match.start()].encode(), bytes([code])]
        end = match.end()
    return b"".join([*pieces, body[end:].encode()])


def _parse_whole(token: str) -> int:
    """Parse an integer; Python's `int` limits decimal digits to 4,300 and accepts no sign before 0x."""
    sign, digits = (-1, token[1:]) if token[0] == "-" else (1, token)
    if digits[:2] == "0x":
        return sign * int(digits, 16)
    digits = digits.lstrip("0")
    return sign * int(digits[:_MAX_DIGITS] or "0")


def parse_int(token: str) -> int:
    """Parse an integer with its sign. Raises ValueError if it does not fit into 64 bits."""
    value = _parse_whole(token)
    if not -_INT_LIMIT <= value < _INT_LIMIT:
        raise ValueError("invalid int literal")
    return value


def parse_uint(token: str) -> Uint:
    """Parse an integer with the suffix `u`. Raises ValueError if it does not fit into 64 bits."""
    value = _parse_whole(token[:-1])
    if value >= 2 * _INT_LIMIT:
        raise ValueError("invalid uint literal")
    return Uint(value)


def parse_double(token: str) -> float:
    """Parse a floating point number with its sign. Raises ValueError if it is too large."""
    value = float(token)
    if value in (float("inf"), float("-inf")):
        raise ValueError("invalid double literal")
    return value


PARSERS: dict[str, Callable[[str], Constant]] = {
    "string": parse_string,
    "bytes": parse_bytes,
    "int": parse_int,
    "uint": parse_uint,
    "float": parse_double,
    "true": lambda _: True,
    "false": lambda _: False,
    "null": lambda _: None,
}
LEGACY_PARSERS = {**PARSERS, "string": parse_string_legacy}


def get_parsers(*, modern: bool) -> dict[str, Callable[[str], Constant]]:
    """Return the parser for each kind of literal token; `modern` means cel-go 0.23 or newer."""
    return PARSERS if modern else LEGACY_PARSERS
