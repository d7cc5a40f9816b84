"""Strings with a schema's `format` as CEL values.

Source: k8s.io/apiserver pkg/cel/common valuesunstructured.go; k8s.io/kube-openapi pkg/validation/strfmt; Go
encoding/base64, time.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any

from protoc_gen_crd.cel.library.time_parser import parse_duration, read_timestamp
from protoc_gen_crd.golang import rfc3339

from .go_values import get_go_type_name
from .runtime_values import Duration, Timestamp, Unreadable, Value

_SECOND, _DAY = 10**9, 86400 * 10**9
_UNITS = (
    (("ns", "nano"), 1), (("us", "\u00b5s", "micro"), 10**3), (("ms", "milli"), 10**6), (("s", "sec"), _SECOND),
    (("m", "min"), 60 * _SECOND), (("h", "hr", "hour"), 3600 * _SECOND), (("d", "day"), _DAY),
    (("w", "wk", "week"), 7 * _DAY),
)  # fmt: skip
_WORDED = r"([0-9]+)[\t\n\f\r ]*([A-Za-z\u00b5]+)"
_LETTERS = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
_BREAKS, _PAD = frozenset(b"\r\n"), ord("=")


def _read_duration(string: str) -> Value:
    nanoseconds = parse_duration(string)
    if nanoseconds is not None:
        return Duration(nanoseconds)
    parts = [(int(digits), _parse_unit(word.lower())) for digits, word in re.findall(_WORDED, string)]
    for number, _ in parts:
        if number >= 1 << 63:
            message = f'strconv.Atoi: parsing "{number}": value out of range'
            return Unreadable(f"Invalid duration {string}: {message}")
    if not any(unit for _, unit in parts):
        return Unreadable(f"Invalid duration {string}: unable to parse {string} as duration")
    total = sum([number * unit for number, unit in parts])
    return Duration((total + (1 << 63)) % (1 << 64) - (1 << 63))  # wraps around


def _parse_unit(word: str) -> int:
    return sum([size for names, size in _UNITS if word in names or word.startswith(names[-1])])


def _read_date(string: str) -> Value:
    moment = read_timestamp(f"{string}T00:00:00Z") if len(string) == 10 else None
    if moment is None:
        return Unreadable(f"Invalid date formatted string {string}: {rfc3339.parse_error(string, rfc3339.DATE)}")
    return Timestamp(moment[0] * _SECOND)


def _read_timestamp(string: str) -> Value:
    moment = (0, 0, None) if not string else read_timestamp(string) or read_timestamp(f"{string}Z")
    if moment is None:
        return Unreadable(f"Invalid date-time formatted string {string}: {rfc3339.parse_error(string, rfc3339.LOCAL)}")
    return Timestamp(moment[0] * _SECOND + moment[1], moment[2])


def _read_bytes(string: str) -> Value:
    """Decode base64 with the URL alphabet, although the format requires the standard one."""
    data = string.encode()
    wrong = _find_corrupt_byte(data)
    if wrong is not None:
        return Unreadable(f"Invalid byte formatted string {string}: illegal base64 data at input byte {wrong}")
    return base64.urlsafe_b64decode(data)


def _find_corrupt_byte(data: bytes) -> int | None:
    """Return the offset of an error in base64, as Go counts it, or None."""
    place = 0  # position in a group of four characters
    for at, char in enumerate(data):
        if char in _LETTERS:
            place = (place + 1) % 4
        elif char not in _BREAKS:
            return _find_bad_padding(data, at, place) if char == _PAD and place >= 2 else at
    return len(data) - place if place else None


def _find_bad_padding(data: bytes, at: int, place: int) -> int | None:
    rest = [index for index in range(at + 1, len(data)) if data[index] not in _BREAKS]
    if place == 2:
        if not rest:
            return len(data)
        if data[rest[0]] != _PAD:
            return rest[0] - 1
        del rest[0]
    return rest[0] if rest else None


def _make_string_reader(read: Callable[[str], Value]) -> Callable[[Any], Value]:
    def read_string(data: Any) -> Value:
        return (
            read(data)
            if isinstance(data, str)
            else Unreadable(f"invalid data, expected string, got {get_go_type_name(data)}")
        )

    return read_string


FORMATS: dict[str, Callable[[Any], Value]] = {
    "duration": _make_string_reader(_read_duration),
    "date": _make_string_reader(_read_date),
    "date-time": _make_string_reader(_read_timestamp),
    "byte": _make_string_reader(_read_bytes),
}
