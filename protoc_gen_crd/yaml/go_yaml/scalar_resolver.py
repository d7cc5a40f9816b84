"""Resolution of scalars to numbers, booleans and null, by their values and tags.

Integers have 64 bits, signed or unsigned. Larger numbers are floats, and numbers that exceed a float are strings.

Source: go.yaml.in/yaml/v2 v2.4.4, resolve.go.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from math import inf, isinf, nan
from typing import TypeAlias

from protoc_gen_crd.yaml.go_yaml.events import ReadError

Scalar: TypeAlias = str | int | float | bool | None

INT64_MIN, INT64_MAX, UINT64_MAX = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1

_PREFIX = "tag:yaml.org,2002:"
_STR, _BOOL, _INT, _FLOAT, _NULL, _TIMESTAMP = "str", "bool", "int", "float", "null", "timestamp"

_WORDS: dict[str, tuple[str, Scalar]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), (_BOOL, True)),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), (_BOOL, False)),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), (_NULL, None)),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), (_FLOAT, nan)),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), (_FLOAT, inf)),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), (_FLOAT, -inf)),
}
_NUMBER_START = frozenset("+-.0123456789")
_INTEGER = r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))\Z"
_SIGNED_BINARY = r"0b([+-][01]+)\Z"
_DECIMAL = r"[+-]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][+-]?[0-9]+)?\Z"
_FROM_POINT = r"\.[0-9]+(?:_[0-9]+)*(?:[eE][+-]?[0-9]+(?:_[0-9]+)*)?\Z"
_DIGITS = 20  # of the largest integer

_DATE = r"[0-9]{4}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12][0-9]|3[01])"
_CLOCK = r"(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9](?:[.,][0-9]+)?"
_ZONE = r"(?:Z|[+-](?:[01][0-9]|2[0-4]):(?:[0-5][0-9]|60))"
_TIME = rf"{_DATE}(?:[Tt]{_CLOCK}{_ZONE}| +{_CLOCK})?\Z"
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_BASE64 = r"(?:[A-Za-z0-9+/]{4}|(?!))*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z"
_STRAY_BYTE = "[\udc80-\udcff]"


def resolve_plain(scalar: str) -> Scalar:
    """Return the value of a plain scalar without a tag."""
    return _resolve_untagged(scalar)[1]


def resolve_tagged(tag: str, scalar: str, mark: int) -> Scalar:
    """Return the value of a scalar with a tag; a string if the tag is unknown.

    Raises ReadError if the scalar does not have the type of the tag.
    """
    kind = tag.removeprefix(_PREFIX) if tag.startswith(_PREFIX) else ""
    if kind == "binary":
        return _decode_binary(scalar, mark)
    if kind not in (_STR, _BOOL, _INT, _FLOAT, _NULL, _TIMESTAMP) or kind == _STR:
        return scalar
    if kind == _TIMESTAMP and _is_timestamp(scalar):
        return scalar
    resolved_kind, value = _resolve_untagged(scalar)
    if kind == _FLOAT and resolved_kind == _INT and isinstance(value, int) and value <= INT64_MAX:
        return float(value)
    if resolved_kind != kind:
        raise ReadError(f"yaml: cannot decode !!{resolved_kind} `{scalar}` as a !!{kind}", mark)
    return value


def _resolve_untagged(scalar: str) -> tuple[str, Scalar]:
    if scalar in _WORDS:
        return _WORDS[scalar]
    if scalar[0] in _NUMBER_START:
        return _parse_number(scalar)
    return _STR, scalar


def _parse_number(scalar: str) -> tuple[str, Scalar]:
    digits = scalar.replace("_", "")
    whole = _parse_integer(digits)
    if whole is not None:
        return _INT, whole
    is_float = re.match(_FROM_POINT, scalar) if scalar.startswith(".") else re.match(_DECIMAL, digits)
    if is_float and not isinf(value := float(digits)):
        return _FLOAT, value
    if (binary := re.match(_SIGNED_BINARY, digits)) and INT64_MIN <= (number := int(binary[1], 2)) <= INT64_MAX:
        return _INT, number
    return _STR, scalar


def _parse_integer(scalar: str) -> int | None:
    match = re.match(_INTEGER, scalar)
    if match is None:
        return None
    sign, hexadecimal, octal, binary, decimal = match.groups()
    if decimal:
        value = int(decimal) if len(decimal) <= _DIGITS else UINT64_MAX + 1
    else:
        value = int(hexadecimal or octal or binary, 16 if hexadecimal else 8 if octal else 2)
    signed = -value if sign == "-" else value
    return signed if INT64_MIN <= signed <= (INT64_MAX if sign else UINT64_MAX) else None


def _is_timestamp(scalar: str) -> bool:
    if not re.match(_TIME, scalar):
        return False
    year, month, day = (int(part) for part in re.split("[-Tt ]", scalar, maxsplit=3)[:3])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _MONTH_DAYS[month - 1] and (leap or (month, day) != (2, 29))


def _decode_binary(scalar: str, mark: int) -> str:
    """Decode base64 and then UTF-8, with replacement characters for invalid bytes."""
    joined = scalar.replace("\n", "").replace("\r", "")
    if not re.match(_BASE64, joined):
        raise ReadError("yaml: !!binary value contains invalid base64 data", mark)
    return decode_utf8(a2b_base64(joined))


def decode_utf8(data: bytes) -> str:
    """Decode UTF-8 as Go does for JSON: each byte that is not part of a character is replaced by U+FFFD."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return re.sub(_STRAY_BYTE, "\ufffd", data.decode(errors="surrogateescape"))
