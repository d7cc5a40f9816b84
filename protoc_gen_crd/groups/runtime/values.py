"""Conversions of values between a version and the hub. A value that does not fit raises ConversionError."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any, TypeVar

from google.protobuf.message import Message

__all__ = ["replace"]

Source = TypeVar("Source")
Target = TypeVar("Target")
Key = TypeVar("Key")
AnyMessage = TypeVar("AnyMessage", bound=Message)

INVALID_ARGUMENT = "INVALID_ARGUMENT"
OUT_OF_RANGE = "OUT_OF_RANGE"
_LARGEST_FLOAT = 3.4028234663852886e38


class ConversionError(ValueError):
    """A value of a field that cannot be converted. `code` is the name of the status that a client receives."""

    def __init__(self, problem: str, path: str = "", code: str = OUT_OF_RANGE) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.problem = problem
        self.path = path
        self.code = code

    def within(self, path: str) -> ConversionError:
        """Return the same error in a field, item, or entry."""
        return ConversionError(self.problem, f"{path}.{self.path}" if self.path else path, self.code)


def check_int32(value: int, path: str) -> int:
    """Return a number that fits into int32."""
    return value if -0x80000000 <= value <= 0x7FFFFFFF else _reject(value, "int32", path)


def check_uint32(value: int, path: str) -> int:
    """Return a number that fits into uint32."""
    return value if 0 <= value <= 0xFFFFFFFF else _reject(value, "uint32", path)


def check_int64(value: int, path: str) -> int:
    """Return a number that fits into int64."""
    return value if -0x8000000000000000 <= value <= 0x7FFFFFFFFFFFFFFF else _reject(value, "int64", path)


def check_uint64(value: int, path: str) -> int:
    """Return a number that fits into uint64."""
    return value if 0 <= value <= 0xFFFFFFFFFFFFFFFF else _reject(value, "uint64", path)


def check_float(value: float, path: str) -> float:
    """Return a number in the range of float. It is rounded to the precision of float."""
    if abs(value) <= _LARGEST_FLOAT or not isfinite(value):
        return value
    raise ConversionError(f"{value} does not fit into float", path)


def _reject(value: int, kind: str, path: str) -> int:
    raise ConversionError(f"{value} does not fit into {kind}", path)


def parse_decimal(value: str, path: str) -> int:
    """Return the number in a string; an empty string is 0."""
    digits = value.removeprefix("-")
    if value and not (digits.isascii() and digits.isdecimal() and len(digits) <= 20):
        raise ConversionError(f"{value[:40]!r} is not a whole number", path, INVALID_ARGUMENT)
    return int(value or "0")


def parse_key(value: str, path: str) -> int:
    """Return the number in the key of a map. Other spellings of a number, which might collide, are an error."""
    number = parse_decimal(value, path)
    if str(number) != value:
        raise ConversionError(f"{value[:40]!r} is not the key {number}", path, INVALID_ARGUMENT)
    return number


def divide(value: int, factor: int, path: str) -> int:
    """Return a number divided by a factor. A remainder is an error."""
    result, rest = divmod(value, factor)
    if rest:
        raise ConversionError(f"{value} is not a multiple of {factor}", path)
    return result


def look_up(table: Mapping[Source, Target], value: Source, path: str) -> Target:
    """Return the value of a table."""
    try:
        return table[value]
    except KeyError:
        raise ConversionError(f"{value!r} has no counterpart", path) from None


def look_up_or_keep(table: Mapping[Source, Source], value: Source) -> Source:
    """Return the value of a table, or the value itself if the table does not have it."""
    return table.get(value, value)


def join_parts(separator: str, *parts: str) -> str:
    """Join strings, without the empty ones at the end."""
    count = len(parts)
    while count and not parts[count - 1]:
        count -= 1
    return separator.join(parts[:count])


def get_part(value: str, separator: str, index: int, count: int) -> str:
    """Return one of the parts of a string. The last part is the rest of the string; missing parts are empty."""
    parts = value.split(separator, count - 1)
    return parts[index] if index < len(parts) else ""


def get_only_item(items: Sequence[Target], path: str) -> Target:
    """Return the item of a list that must not have more than one."""
    if len(items) > 1:
        raise ConversionError(f"{len(items)} items do not fit into a single value", path)
    return items[0]


def check_keys(entries: Mapping[Key, Target], known: tuple[Key, ...], path: str) -> Mapping[Key, Target]:
    """Return a map that has no other keys."""
    for key in entries:
        if key not in known:
            raise ConversionError(f"key {key!r} has no counterpart", path)
    return entries


def make_entries(*entries: tuple[Key, Target | None]) -> dict[Key, Target]:
    """Return a map of the entries that are set."""
    return {key: value for key, value in entries if value is not None}


def index_items(items: Iterable[Target], get_key: Callable[[Target], Key], path: str) -> dict[Key, Target]:
    """Return the items of a list by key."""
    result: dict[Key, Target] = {}
    for item in items:
        if result.setdefault(get_key(item), item) is not item:
            raise ConversionError(f"duplicate key {get_key(item)!r}", path, INVALID_ARGUMENT)
    return result


def call(function: Callable[[Source], Target], value: Source, path: str) -> Target:
    """Return the result of a hand-written function. A ValueError that it raises is an invalid value of the field."""
    try:
        return function(value)
    except ConversionError as error:
        raise error.within(path) from error
    except ValueError as error:
        raise ConversionError(str(error), path, INVALID_ARGUMENT) from error


def reject_direction(value: object, path: str) -> Any:
    """Reject a value of a field without a function for this direction, which only clients of older servers need."""
    raise ConversionError(f"{value!r} cannot be converted in this direction", path)


def check_unset(*, is_set: bool, path: str, version: str) -> None:
    """Reject a field of a request that the version of the server does not have."""
    if is_set:
        raise ConversionError(f"version {version} does not have the field", path)


def nested(convert: Callable[[Source], Target], value: Source, path: str) -> Target:
    """Convert a message. Errors get the path of its field."""
    try:
        return convert(value)
    except ConversionError as error:
        raise error.within(path) from None


def fill_nested(fill: Callable[[Source, Target], None], value: Source, target: Target, path: str) -> None:
    """Fill a message. Errors get the path of its field."""
    try:
        fill(value, target)
    except ConversionError as error:
        raise error.within(path) from None


def convert_items(convert: Callable[[Source], Target], items: Iterable[Source], path: str) -> list[Target]:
    """Convert the items of a list. Errors get the path of the item."""
    result: list[Target] = []
    try:
        for item in items:
            result.append(convert(item))  # noqa: PERF401 - the length of the result locates an error
    except ConversionError as error:
        raise error.within(f"{path}[{len(result)}]") from None
    return result


def convert_entries(convert: Callable[[Source], Target], entries: Mapping[Key, Source], path: str) -> dict[Key, Target]:
    """Convert the values of a map. Errors get the path of the entry."""
    result: dict[Key, Target] = {}
    for key, value in entries.items():
        try:
            result[key] = convert(value)
        except ConversionError as error:
            raise error.within(f"{path}[{key!r}]") from None
    return result


def fill_items(
    fill: Callable[[Source, AnyMessage], None], items: Iterable[Source], add: Callable[[], AnyMessage], path: str
) -> None:
    """Fill the items of a list. Errors get the path of the item."""
    count = 0
    try:
        for item in items:
            fill(item, add())
            count += 1
    except ConversionError as error:
        raise error.within(f"{path}[{count}]") from None


def fill_entries(
    fill: Callable[[Source, AnyMessage], None],
    entries: Mapping[Key, Source],
    target: Mapping[Key, AnyMessage],
    path: str,
) -> None:
    """Fill the values of a map. Errors get the path of the entry."""
    for key, value in entries.items():
        try:
            fill(value, target[key])
        except ConversionError as error:
            raise error.within(f"{path}[{key!r}]") from None


def copy_message(kind: type[AnyMessage], value: Message) -> AnyMessage:
    """Return a copy of a message of another pool."""
    return kind.FromString(value.SerializeToString())


def fill_copy(value: Message, target: Message) -> None:
    """Fill a message with a copy of a message of another pool."""
    target.MergeFromString(value.SerializeToString())
    target.SetInParent()


def get_choice(choices: Iterable[tuple[str, Target]], path: str) -> Target | None:
    """Return the only member of a oneof that is set in a version where the members are separate fields."""
    members = list(choices)
    if len(members) > 1:
        names = ", ".join(name for name, _ in members)
        raise ConversionError(f"only one of {names} can be set", path, INVALID_ARGUMENT)
    return members[0][1] if members else None


def check_choice(value: object, known: tuple[type, ...], path: str) -> None:
    """Reject a member of a oneof that the version does not have."""
    if value is not None and not isinstance(value, known):
        raise ConversionError(f"{type(value).__name__} does not exist in this version", path)
