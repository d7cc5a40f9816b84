"""Accessors of timestamps, in a time zone, and of durations.

Named zones come from the machine's database, as on a server. Source: cel-go v0.29 `common/stdlib/standard.go`,
`common/types/duration.go`; Go time zoneinfo.go.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from errno import ENOENT
from functools import lru_cache
from stat import S_ISDIR

from protoc_gen_crd.cel.values.runtime_values import CelError, Duration, Timestamp
from protoc_gen_crd.golang.fmt import format_without_values, quote

_SECOND, _MINUTE, _HOUR = 10**9, 60 * 10**9, 3600 * 10**9
_DAY = 86400
_ERA_DAYS, _ERA_YEARS = 146097, 400  # period of the Gregorian calendar
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WORD = 1 << 64
_NUMBER = re.compile("[-+]?[0-9]+")


def _get_local_seconds(moment: Timestamp, zone: str) -> int:
    """Return local seconds since 1970."""
    return moment.nanoseconds // _SECOND + _get_zone_offset(zone, moment.nanoseconds // _SECOND)


def _get_zone_offset(zone: str, seconds: int) -> int:
    """Return seconds east of UTC. Raises CelError."""
    if zone in ("", "UTC", "Local"):
        return 0
    hours, colon, minutes = zone.partition(":")
    if not colon:
        return _load_zone(zone)(seconds)
    east = _parse_int(hours) * 60
    east += -_parse_int(minutes) if zone.startswith("-") else _parse_int(minutes)
    nanoseconds = (east * _MINUTE + _WORD // 2) % _WORD - _WORD // 2
    return int(nanoseconds / _SECOND)


def _parse_int(string: str) -> int:
    """Parse a number as Go's strconv.Atoi. Raises CelError."""
    if not _NUMBER.fullmatch(string):
        raise CelError(f"strconv.Atoi: parsing {quote(string)}: invalid syntax")
    if len(string) > 4000 or not -_WORD // 2 <= int(string) < _WORD // 2:
        raise CelError(f"strconv.Atoi: parsing {quote(string)}: value out of range")
    return int(string)


@lru_cache(maxsize=64)
def _load_zone(zone: str) -> Callable[[int], int]:
    """Return the function from UTC seconds to the offset of a named zone. Raises CelError."""
    from zoneinfo import ZoneInfo  # noqa: PLC0415 - few expressions name zones

    if ".." in zone or zone[0] in "/\\":
        raise CelError("time: invalid location name")
    try:
        zone_info = ZoneInfo(zone if zone.endswith("/") else os.path.normpath(zone))
    except (OSError, KeyError, ValueError):
        raise CelError(_describe_zone_error(zone)) from None

    def get_offset(seconds: int) -> int:
        inside = min(max(seconds, -62135424000), 253402128000)  # two days from the limits of Python's calendar
        at = (_EPOCH + timedelta(seconds=inside)).astimezone(zone_info).utcoffset()
        return int(at.total_seconds()) if at else 0

    return get_offset


def _describe_zone_error(zone: str) -> str:
    """Return the server's error message for a zone that cannot be loaded."""
    from zoneinfo import TZPATH  # noqa: PLC0415 - few expressions name unknown zones

    for folder in TZPATH:
        try:
            mode = os.stat(f"{folder}/{zone}").st_mode  # noqa: PTH116 - importing pathlib is slow
        except OSError as fault:
            if fault.errno != ENOENT:
                return os.strerror(fault.errno or 0).lower()
        except ValueError:
            return "invalid argument"
        else:
            return "is a directory" if S_ISDIR(mode) else "malformed time zone information"
    return f"unknown time zone {zone}"


def _split_date(moment: Timestamp, zone: str) -> tuple[int, datetime]:
    """Return the year, and the same day in an equivalent year of Python's calendar."""
    eras, days = divmod(_get_local_seconds(moment, zone) // _DAY + 719162, _ERA_DAYS)
    day = datetime(1, 1, 1, tzinfo=UTC) + timedelta(days=days)
    return day.year + eras * _ERA_YEARS, day


def year(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the year."""
    return _split_date(moment, zone)[0]


def month(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the month, from 0."""
    return _split_date(moment, zone)[1].month - 1


def day_of_year(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the day of the year, from 0."""
    return _split_date(moment, zone)[1].timetuple().tm_yday - 1


def day_of_month(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the day of the month, from 0."""
    return day_of_month_1_based(moment, zone) - 1


def day_of_month_1_based(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the day of the month, from 1."""
    return _split_date(moment, zone)[1].day


def day_of_week(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the day of the week, from 0 for Sunday."""
    return (_get_local_seconds(moment, zone) // _DAY + 4) % 7


def hours(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the hour of the day."""
    return _get_local_seconds(moment, zone) % _DAY // 3600


def minutes(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the minute of the hour."""
    return _get_local_seconds(moment, zone) % 3600 // 60


def seconds(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the second of the minute."""
    return _get_local_seconds(moment, zone) % 60


def milliseconds(moment: Timestamp, zone: str = "UTC") -> int:
    """Return the millisecond of the second."""
    _get_zone_offset(zone, 0)
    return moment.nanoseconds % _SECOND // 10**6


def _make_formatted_error_part(part: Callable[[Timestamp, str], int]) -> Callable[[Timestamp, str], int]:
    """Wrap an accessor for servers that use the error about a zone as a format string."""

    def get_part(moment: Timestamp, zone: str) -> int:
        try:
            return part(moment, zone)
        except CelError as error:
            raise CelError(format_without_values(error.message)) from None

    return get_part


old_year, old_month, old_day_of_year = (
    _make_formatted_error_part(year),
    _make_formatted_error_part(month),
    _make_formatted_error_part(day_of_year),
)
old_day_of_month, old_day_of_month_1_based = (
    _make_formatted_error_part(day_of_month),
    _make_formatted_error_part(day_of_month_1_based),
)
old_day_of_week, old_hours, old_minutes = (
    _make_formatted_error_part(day_of_week),
    _make_formatted_error_part(hours),
    _make_formatted_error_part(minutes),
)
old_seconds, old_milliseconds = _make_formatted_error_part(seconds), _make_formatted_error_part(milliseconds)


def hours_of(span: Duration) -> int:
    """Return whole hours, computed as a float."""
    return _divide_whole(span, _HOUR)


def minutes_of(span: Duration) -> int:
    """Return whole minutes, computed as a float."""
    return _divide_whole(span, _MINUTE)


def seconds_of(span: Duration) -> int:
    """Return whole seconds, computed as a float."""
    return _divide_whole(span, _SECOND)


def milliseconds_of(span: Duration) -> int:
    """Return whole milliseconds."""
    size = abs(span.nanoseconds) // 10**6
    return -size if span.nanoseconds < 0 else size


def _divide_whole(span: Duration, unit: int) -> int:
    units, rest = divmod(abs(span.nanoseconds), unit)
    size = int(float(units) + float(rest) / unit)
    return -size if span.nanoseconds < 0 else size
