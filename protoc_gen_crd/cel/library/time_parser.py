"""Parsers of durations and timestamps. Source: Go `time`."""

from __future__ import annotations

import re

_UNITS = {
    "ns": 1, "us": 10**3, "\u00b5s": 10**3, "\u03bcs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9,
    "h": 3600 * 10**9,
}  # fmt: skip
_DURATION = r"([0-9]*)(?:(\.)([0-9]*))?(ns|us|\u00b5s|\u03bcs|ms|s|m|h)(?![^0-9.])"
_TIMESTAMP = r"(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))"
EARLIEST, LATEST = -62135596800, 253402300799  # seconds: years 1 to 9999
_LONGEST = (1 << 63) - 1  # nanoseconds
_TOO_MANY, _LAST_COUNTED = 20, 400  # digits; more leading zeros of a fraction never fill 64 bits


def parse_duration(string: str) -> int | None:
    """Parse a duration such as `1h30.5m` into nanoseconds as Go's `time.ParseDuration`, or return None."""
    rest = string[1:] if string[:1] in ("+", "-") else string
    if rest == "0":
        return 0
    total, at = 0, 0
    while at < len(rest) or not at:
        match = re.compile(_DURATION).match(rest, at)
        if match is None or not (match[1] or match[3]):
            return None
        unit = _UNITS[match[4]]
        whole = (match[1] or "").lstrip("0")[:_TOO_MANY]  # this many digits overflow with any unit
        total += int(whole or 0) * unit + _parse_fraction(match[3] or "", unit)
        at = match.end()
    negative = string.startswith("-")
    return None if total > _LONGEST + negative else -total if negative else total


def _parse_fraction(digits: str, unit: int) -> int:
    """Return the nanoseconds of a decimal fraction; only digits that fit into 64 bits count."""
    number, scale = 0, 1.0
    for digit in digits[:_LAST_COUNTED]:
        longer = number * 10 + int(digit)
        if number > _LONGEST // 10 or longer > _LONGEST + 1:
            break
        number, scale = longer, scale * 10
    return int(float(number) * (unit / scale))


def parse_timestamp(value: str | int) -> tuple[int, int] | None:
    """Return seconds since 1970 and nanoseconds of an RFC 3339 string as in Go, or of seconds; None if invalid."""
    read = (value, 0, None) if isinstance(value, int) else read_timestamp(value)
    return read[:2] if read is not None and EARLIEST <= read[0] <= LATEST else None


def read_timestamp(string: str) -> tuple[int, int, int | None] | None:
    """Return seconds since 1970, nanoseconds and seconds east of UTC (None for Z) of an RFC 3339 string of any year."""
    match = re.fullmatch(_TIMESTAMP, string, re.ASCII)
    if match is None:
        return None
    year, month, day, hour, minute, second = [int(match[group]) for group in range(1, 7)]
    ahead = int(match[9] or 0), int(match[10] or 0)
    if not 1 <= month <= 12 or not 1 <= day <= _count_days_in_month(year, month) or ahead[0] > 24 or ahead[1] > 60:
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    offset = (ahead[0] * 3600 + ahead[1] * 60) * (-1 if match[8] == "-" else 1)
    seconds = _count_days_since_epoch(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
    return seconds, int((match[7] or "")[:9].ljust(9, "0")), offset if match[8] else None


def _is_leap_year(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _count_days_in_month(year: int, month: int) -> int:
    return (31, 29 if _is_leap_year(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def _count_days_since_epoch(year: int, month: int, day: int) -> int:
    """Return the days since 1970 in the Gregorian calendar, which has a year 0."""
    before = year - 1
    days = before * 365 + before // 4 - before // 100 + before // 400 - 719162
    return days + sum([_count_days_in_month(year, earlier) for earlier in range(1, month)]) + day - 1
