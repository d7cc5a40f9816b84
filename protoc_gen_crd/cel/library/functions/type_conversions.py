"""Conversions of the standard library, and value formatting. Source: cel-go v0.29 `common/types` (ConvertToType)."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from math import isinf, isnan

from protoc_gen_crd.cel.checker.types import Type, make_opaque_type
from protoc_gen_crd.cel.library.time_parser import EARLIEST, LATEST, parse_duration, read_timestamp
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.runtime_values import (
    LEAST_INT,
    MISSING,
    MOST_INT,
    MOST_UINT,
    CelError,
    Duration,
    Map,
    Optional,
    Timestamp,
    Value,
    get_type,
)
from protoc_gen_crd.golang.fmt import format_number

from .operators import SECOND, check_int, check_uint, make_timestamp

_DIGITS = re.compile(r"[+-]?[0-9]+", re.ASCII)
_UNSIGNED = re.compile(r"[0-9]+", re.ASCII)
_SPACED = "[0-9](?:_?[0-9])*"
_DECIMAL = (
    rf"(?ai)[+-]?(?:(?:{_SPACED}(?:\.(?:{_SPACED})?)?|\.{_SPACED})(?:e[+-]?{_SPACED})?|(?P<odd>inf(?:inity)?|nan))"
)
_HEXADECIMAL = rf"(?ai)[+-]?0x(?=_?\.?[0-9a-f])(?:_?[0-9a-f])*\.?(?:[0-9a-f](?:_?[0-9a-f])*)?p[+-]?{_SPACED}"
_OLD_OPTIONAL = make_opaque_type("optional")
_ERA = 146097 * 86400  # seconds in 400 years, the period of the Gregorian calendar
_TRUTH = {
    **dict.fromkeys(("1", "t", "T", "TRUE", "true", "True"), True),
    **dict.fromkeys(("0", "f", "F", "FALSE", "false", "False"), False),
}


def _make_conversion_error(source: str, target: str) -> CelError:
    return CelError(f"type conversion error from '{source}' to '{target}'")


def return_value(value: Value) -> Value:
    """Return a value that already has the type."""
    return value


def convert_to_type(value: Value) -> Type:
    """Evaluate `type(x)`."""
    return get_type(value)


def convert_to_type_before_optionals(value: Value) -> Type:
    """Evaluate `type(x)` on servers where the type of optionals is called `optional`."""
    kind = get_type(value)
    return _OLD_OPTIONAL if isinstance(value, Optional) else kind


def string_to_bool(string: str) -> bool:
    """Parse a bool as Go's `strconv.ParseBool`."""
    if string not in _TRUTH:
        raise _make_conversion_error("string", "bool")
    return _TRUTH[string]


def string_to_bytes(string: str) -> bytes:
    """Encode as UTF-8."""
    return string.encode("utf-8", "surrogateescape")


def to_double(value: int) -> float:
    """Convert an int or uint to a double."""
    return float(value)


def string_to_double(string: str) -> float:
    """Parse a double as Go's `strconv.ParseFloat`."""
    match = re.fullmatch(_DECIMAL, string)
    if match is not None:
        number = float(string)
        if isinf(number) and not match["odd"]:
            raise _make_conversion_error("string", "double")
        return number
    if re.fullmatch(_HEXADECIMAL, string):
        with suppress(OverflowError):
            return float.fromhex(string.replace("_", ""))
    raise _make_conversion_error("string", "double")


def string_to_duration(string: str) -> Duration:
    """Parse a duration as Go's `time.ParseDuration`."""
    nanoseconds = parse_duration(string)
    if nanoseconds is None:
        raise _make_conversion_error("string", "google.protobuf.Duration")
    return Duration(nanoseconds)


def double_to_int(value: float) -> int:
    """Convert to an int, rounding toward zero."""
    if isnan(value) or isinf(value) or value <= LEAST_INT or value >= MOST_INT:
        raise CelError("integer overflow")
    return int(value)


def duration_to_int(value: Duration) -> int:
    """Return the nanoseconds."""
    return value.nanoseconds


def string_to_int(string: str) -> int:
    """Parse an int as Go's `strconv.ParseInt`."""
    if not _DIGITS.fullmatch(string) or len(string) > 4000 or not LEAST_INT <= (number := int(string)) <= MOST_INT:
        raise _make_conversion_error("string", "int")
    return number


def timestamp_to_int(value: Timestamp) -> int:
    """Return the seconds since 1970."""
    return value.nanoseconds // SECOND


def uint_to_int(value: Uint) -> int:
    """Convert a uint to an int."""
    return check_int(int(value))


def double_to_uint(value: float) -> Uint:
    """Convert to a uint, rounding toward zero."""
    if isnan(value) or isinf(value) or value < 0 or value >= MOST_UINT + 1:
        raise CelError("unsigned integer overflow")
    return Uint(int(value))


def int_to_uint(value: int) -> Uint:
    """Convert an int to a uint."""
    return check_uint(value)


def string_to_uint(string: str) -> Uint:
    """Parse a uint as Go's `strconv.ParseUint`."""
    if not _UNSIGNED.fullmatch(string) or len(string) > 4000 or (number := int(string)) > MOST_UINT:
        raise _make_conversion_error("string", "uint")
    return Uint(number)


def int_to_timestamp(value: int) -> Timestamp:
    """Convert seconds since 1970."""
    if not EARLIEST <= value <= LATEST:
        raise CelError("timestamp overflow")
    return Timestamp(value * SECOND)


def string_to_timestamp(string: str) -> Timestamp:
    """Parse an RFC 3339 timestamp as Go does."""
    read = read_timestamp(string)
    if read is None:
        raise _make_conversion_error("string", "google.protobuf.Timestamp")
    seconds, part, offset = read
    return make_timestamp(seconds * SECOND + part, offset)


def int_to_duration(_: int) -> Duration:
    """Raise the error of a conversion that cel-go declared but never implemented."""
    raise _make_conversion_error("int", "google.protobuf.Duration")


def bool_to_string(value: bool) -> str:  # noqa: FBT001 - the value to convert
    """Return `true` or `false`."""
    return "true" if value else "false"


def bytes_to_string(value: bytes) -> str:
    """Decode UTF-8."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise CelError("invalid UTF-8 in bytes, cannot convert to string") from None


def double_to_string(value: float) -> str:
    """Format a double with the fewest digits, as Go does."""
    return format_number(value)


def int_to_string(value: int) -> str:
    """Format an int or uint."""
    return str(int(value))


def duration_to_string(value: Duration) -> str:
    """Format a duration as seconds, a float."""
    whole, part = divmod(abs(value.nanoseconds), SECOND)
    seconds = float(whole) + part / 1e9
    return format_number(-seconds if value.nanoseconds < 0 else seconds, large=1000, small=-1000) + "s"


def timestamp_to_string(value: Timestamp) -> str:
    """Format a timestamp as RFC 3339 in its original zone."""
    seconds, part = divmod(value.nanoseconds, SECOND)
    fraction = f".{part:09d}".rstrip("0") if part else ""
    return _format_local_time(seconds + (value.offset or 0)) + fraction + _format_zone(value.offset)


_DAWN = 9223372028741760000


def _format_local_time(seconds: int) -> str:
    seconds = (seconds + _DAWN) % (1 << 64) - _DAWN  # Go counts in 64 bits from March of its first year
    era, rest = divmod(seconds - EARLIEST, _ERA)
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415 - few rules convert times

    moved = datetime(1, 1, 1, tzinfo=UTC) + timedelta(seconds=rest)
    return f"{moved.year + era * 400:04d}-{moved:%m-%dT%H:%M:%S}"


def _format_zone(offset: int | None) -> str:
    if not offset:
        return "Z"
    hours, minutes = divmod(abs(offset) // 60, 60)
    return f"{'-' if offset < 0 else '+'}{hours:02d}:{minutes:02d}"


def format_for_error(value: Value) -> str:
    """Format a value as in error messages."""
    if type(value) is bool:
        return bool_to_string(value)
    if type(value) is float:
        return format_number(value)
    if value is None:
        return "0"  # Go's value for null
    if isinstance(value, list):
        return f"[{', '.join([format_for_error(item) for item in value])}]"
    if isinstance(value, Map):
        entries = [(key, value.get_entry_value(key)) for key in value.keys()]  # noqa: SIM118
        return f"{{{', '.join([f'{format_for_error(key)}: {format_for_error(entry)}' for key, entry in entries])}}}"
    return _SHOWN.get(type(value), str)(value)


def _format_go_duration(value: Duration) -> str:
    """Format a duration as Go's `time.Duration`."""
    left = abs(value.nanoseconds)
    unit = next((candidate for candidate in _SMALL if left < candidate[1] * 1000), None) if left < SECOND else None
    if unit is not None:
        string = f"{format_number(left / unit[1])}{unit[0]}" if left else "0s"
    else:
        minutes, rest = divmod(left, 60 * SECOND)
        seconds = f"{rest // SECOND}.{rest % SECOND:09d}".rstrip("0").rstrip(".") + "s"
        hours = f"{minutes // 60}h" if minutes >= 60 else ""
        string = f"{hours}{minutes % 60}m{seconds}" if minutes else seconds
    return f"-{string}" if value.nanoseconds < 0 else string


def _format_go_time(value: Timestamp) -> str:
    """Format a timestamp as Go's `time.Time`."""
    zone = _format_zone(value.offset).replace(":", "")
    local = timestamp_to_string(value)[: -len(_format_zone(value.offset))].replace("T", " ")
    return f"{local} {f'{zone} {zone}' if value.offset else '+0000 UTC'}"


_SMALL = (("ns", 1), ("µs", 1000), ("ms", 1_000_000))
_SHOWN: dict[type, Callable[[Value], str]] = {
    bytes: lambda value: f"[{' '.join(map(str, value))}]",
    Duration: _format_go_duration,
    Timestamp: _format_go_time,
    Type: lambda value: value.name,
    Optional: lambda value: (
        f"optional({format_for_error(value.value)})" if value.value is not MISSING else "optional.none()"
    ),
}
