"""The text of a scalar to its value: which texts are numbers, booleans and null, and what a tag makes of them.

Integers are those of 64 bits, signed or not; everything larger is a float, and what no float holds stays a text.

Source: go.yaml.in/yaml/v2 v2.4.4, resolve.go. Knows no syntax.
"""

from __future__ import annotations

import re
from base64 import b64decode
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
_INTEGER = re.compile(r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+)|(0|[1-9][0-9]*))\Z")
_SIGNED_BINARY = re.compile(r"0b([+-][01]+)\Z")
_DECIMAL = re.compile(r"[+-]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][+-]?[0-9]+)?\Z")
_FROM_POINT = re.compile(r"\.[0-9]+(?:_[0-9]+)*(?:[eE][+-]?[0-9]+(?:_[0-9]+)*)?\Z")
_DIGITS = 20  # of the largest integer

_DATE = r"[0-9]{4}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12][0-9]|3[01])"
_CLOCK = r"(?:[01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9](?:[.,][0-9]+)?"
_ZONE = r"(?:Z|[+-](?:[01][0-9]|2[0-4]):(?:[0-5][0-9]|60))"
_TIME = re.compile(rf"{_DATE}(?:[Tt]{_CLOCK}{_ZONE}| +{_CLOCK})?\Z")
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z")
_STRAY_BYTE = re.compile("[\udc80-\udcff]")


def resolve_plain(text: str) -> Scalar:
    """The value of a plain scalar without a tag."""
    return _resolve_untagged(text)[1]


def resolve_tagged(tag: str, text: str, mark: int) -> Scalar:
    """The value of a scalar with a tag. Raises ReadError if it is not of that kind; unknown tags make texts."""
    kind = tag.removeprefix(_PREFIX) if tag.startswith(_PREFIX) else ""
    if kind == "binary":
        return _decode_binary(text, mark)
    if kind not in (_STR, _BOOL, _INT, _FLOAT, _NULL, _TIMESTAMP) or kind == _STR:
        return text
    if kind == _TIMESTAMP and _is_timestamp(text):
        return text
    found, value = _resolve_untagged(text)
    if kind == _FLOAT and found == _INT and isinstance(value, int) and value <= INT64_MAX:
        return float(value)
    if found != kind:
        raise ReadError(f"yaml: cannot decode !!{found} `{text}` as a !!{kind}", mark)
    return value


def _resolve_untagged(text: str) -> tuple[str, Scalar]:
    if text in _WORDS:
        return _WORDS[text]
    if text[0] in _NUMBER_START:
        return _parse_number(text)
    return _STR, text


def _parse_number(text: str) -> tuple[str, Scalar]:
    digits = text.replace("_", "")
    whole = _parse_integer(digits)
    if whole is not None:
        return _INT, whole
    is_float = _FROM_POINT.match(text) if text.startswith(".") else _DECIMAL.match(digits)
    if is_float and not isinf(value := float(digits)):
        return _FLOAT, value
    if (binary := _SIGNED_BINARY.match(digits)) and INT64_MIN <= (number := int(binary[1], 2)) <= INT64_MAX:
        return _INT, number
    return _STR, text


def _parse_integer(text: str) -> int | None:
    found = _INTEGER.match(text)
    if found is None:
        return None
    sign, sixteen, eight, two, ten = found.groups()
    if ten:
        value = int(ten) if len(ten) <= _DIGITS else UINT64_MAX + 1
    else:
        value = int(sixteen or eight or two, 16 if sixteen else 8 if eight else 2)
    signed = -value if sign == "-" else value
    return signed if INT64_MIN <= signed <= (INT64_MAX if sign else UINT64_MAX) else None


def _is_timestamp(text: str) -> bool:
    if not _TIME.match(text):
        return False
    year, month, day = (int(part) for part in re.split("[-Tt ]", text, maxsplit=3)[:3])
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return day <= _MONTH_DAYS[month - 1] and (leap or (month, day) != (2, 29))


def _decode_binary(text: str, mark: int) -> str:
    """The bytes of a text in base 64, read as characters as far as they are some."""
    joined = text.replace("\n", "").replace("\r", "")
    if not _BASE64.match(joined):
        raise ReadError("yaml: !!binary value contains invalid base64 data", mark)
    return decode_utf8(b64decode(joined))


def decode_utf8(data: bytes) -> str:
    """UTF-8 as Go takes it into JSON: every byte that is no part of a character becomes U+FFFD."""
    return _STRAY_BYTE.sub("\ufffd", data.decode(errors="surrogateescape"))
