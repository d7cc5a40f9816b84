"""Go's errors for strings that are not RFC 3339 times, or parts of them.

Source: Go time format.go (parse), metav1.Time.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record

DATE, LOCAL, FULL = "2006-01-02", "2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00"
ZERO = "0001-01-01T00:00:00Z"  # Go's zero time
_LENGTHS = {DATE: 5, LOCAL: 11, FULL: 12}  # elements of each layout


class _LayoutElement(Record):
    """An element of the layout: its spelling, its pattern, its name in errors, and its minimum and maximum."""

    spelling: str
    pattern: str
    name: str = ""
    minimum: int = 0
    maximum: int = 0


_ELEMENTS = (
    _LayoutElement("2006", r"\d{4}"), _LayoutElement("-", "-"), _LayoutElement("01", r"\d\d", "month", 1, 12),
    _LayoutElement("-", "-"),
    _LayoutElement("02", r"\d\d"), _LayoutElement("T", "T"), _LayoutElement("15", r"\d\d?", "hour", 0, 23),
    _LayoutElement(":", ":"),
    _LayoutElement("04", r"\d\d", "minute", 0, 59), _LayoutElement(":", ":"), _LayoutElement("05", r"\d\d", "second",
    0, 59),
    _LayoutElement("Z07:00", r"Z|[+-]\d\d:\d\d"),
)  # fmt: skip
_FRACTION = re.compile(r"[.,]\d+")


def parse_error(string: str, layout: str = FULL) -> str | None:
    """Return Go's error message; None if the string is a valid time."""
    rest, numbers, whole = string, [], _quote(string)
    for element in _ELEMENTS[: _LENGTHS[layout]]:
        match = re.match(element.pattern, rest, re.ASCII)
        if match is None:
            return f'parsing time {whole} as "{layout}": cannot parse {_quote(rest)} as "{element.spelling}"'
        rest = rest[match.end() :]
        if element.name and not element.minimum <= int(match.group()) <= element.maximum:
            return f"parsing time {whole}: {element.name} out of range"
        if element.name == "second" and (fraction := _FRACTION.match(rest)):
            rest = rest[fraction.end() :]
        if match.group().isdigit():
            numbers.append(int(match.group()))
        if element.spelling == "Z07:00" and (unit := _check_offset(match.group())):
            return f"parsing time {whole}: time zone offset {unit} out of range"
    if rest:
        return f"parsing time {whole}: extra text: {_quote(rest)}"
    return None if 1 <= numbers[2] <= _count_days(numbers[0], numbers[1]) else f"parsing time {whole}: day out of range"


def _quote(string: str) -> str:
    """Quote a string as errors of times do, with the bytes of characters outside ASCII."""
    return f'"{"".join([_escape_char(char) for char in string])}"'


def _escape_char(char: str) -> str:
    if " " <= char < "\x80":
        return f"\\{char}" if char in '"\\' else char
    return "".join([f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape")])


def _count_days(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _check_offset(zone: str) -> str:
    """Return the unit of an offset that is out of range. Go accepts 24 hours and 60 minutes."""
    hours, minutes = (int(zone[1:3]), int(zone[4:])) if zone != "Z" else (0, 0)
    return "minute" if minutes > 60 else "hour" if hours > 24 else ""


def normalize_to_utc(string: str) -> str:
    """Format a valid time as Go does: without fractions of seconds, in UTC."""
    from datetime import datetime, timedelta  # noqa: PLC0415 - few objects have times

    match = re.match(r"(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,]\d+)?(?:Z|([+-])(\d\d):(\d\d))", string)
    if match is None:
        return string
    year, month, day, hour, minute, second = (int(match[index]) for index in range(1, 7))
    ahead = timedelta(hours=int(match[8] or 0), minutes=int(match[9] or 0))
    local = datetime(2000 + year % 400, month, day, hour, minute, second)  # noqa: DTZ001 - the offset is applied below
    moment = local + ahead if match[7] == "-" else local - ahead
    year += moment.year - local.year
    return f"{'-' * (year < 0)}{abs(year):04}{moment.isoformat()[4:]}Z"
