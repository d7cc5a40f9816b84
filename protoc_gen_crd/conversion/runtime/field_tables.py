"""Copy objects by tables of their fields."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import isfinite
from typing import Any

from .runtime import (
    ANYTHING,
    MISSING,
    TEXT,
    Change,
    ConversionError,
    Kinds,
    Object,
    check_type,
    make_type_error,
)

# The target name of a field, its types, and the conversion of its value.
Row = tuple[str, Kinds, Change | None]
Rows = Mapping[str, Row]
Part = tuple[Kinds, Change | None]  # the types of a value, and its conversion


def fields(
    source: Object, rows: Rows, at: str, others: Collection[str] | None = None
) -> Object:
    """Copy the fields of an object that a table has, each under its new name.

    For an object that preserves unknown fields, `others` are the known fields that are
    converted elsewhere; unknown fields are copied.
    """
    result: Object = {}
    get_row = rows.get
    for name, value in source.items():
        row = get_row(name)
        if row is not None:
            new, kinds, change = row
            if type(value) not in kinds:
                check_type(value, kinds, f"{at}.{name}")
            result[new] = value if change is None else change(value, f"{at}.{name}")
        elif others is not None and name not in others:
            result[name] = value
    return result


def within(rows: Rows, others: Collection[str] | None = None) -> Change:
    """Copy an object by the table of its fields; null stays null."""

    def changed(value: Any, at: str) -> Any:
        return None if value is None else fields(value, rows, at, others)

    unknown_part = None if others is None else (ANYTHING, plain)
    return with_parts(
        changed, lambda name: rows[name][1:] if name in rows else unknown_part
    )


def with_parts(change: Change, part: Callable[[str], Part | None]) -> Change:
    """Add the conversions of the parts of a value, by their names."""
    vars(change)["part"] = part
    return change


def part_of(part: Part, name: str) -> Part | None:
    """Return the types and the conversion of a part of a value; None if unknown."""
    kinds, change = part
    get_part = vars(change).get("part") if change else None
    if get_part is not None:
        inner: Part | None = get_part(name)
        return inner
    return (ANYTHING, plain) if kinds & {dict, list} else None


def every(kinds: Kinds, change: Change | None = None) -> Change:
    """Convert each item of a list."""

    def changed(value: Any, at: str) -> Any:
        if value is None:
            return value
        for item in value:
            if type(item) not in kinds:
                break
        else:
            if change is None:
                return value
            try:
                return [change(item, at) for item in value]
            except ConversionError:
                pass  # reported below, with the index of the item
        return [
            convert_value(item, kinds, change, f"{at}[{index}]")
            for index, item in enumerate(value)
        ]

    return with_parts(changed, lambda _: (kinds, change))


def entries(kinds: Kinds, change: Change | None = None) -> Change:
    """Convert each value of a map."""

    def changed(value: Any, at: str) -> Any:
        if value is None or (
            change is None and all(type(item) in kinds for item in value.values())
        ):
            return value
        return {
            key: convert_value(item, kinds, change, f"{at}[{key!r}]")
            for key, item in value.items()
        }

    return with_parts(changed, lambda _: (kinds, change))


def convert_value(value: Any, kinds: Kinds, change: Change | None, at: str) -> Any:
    """Convert a value after a check of its type."""
    check_type(value, kinds, at)
    return value if change is None else change(value, at)


def int32(value: Any, at: str) -> Any:
    """Validate an integer or null as int32; integers are not truncated."""
    return _within(value, 32, at)


def int64(value: Any, at: str) -> Any:
    """Validate an integer or null as int64; integers are not truncated."""
    return _within(value, 64, at)


def _within(value: Any, bits: int, at: str) -> Any:
    limit = 2 ** (bits - 1)
    if value is not None and not -limit <= value < limit:
        raise make_type_error(at, f"an integer between {-limit} and {limit - 1}", value)
    return value


def finite(value: Any, at: str) -> Any:
    """Validate a number or null; JSON has no infinity and no NaN."""
    if type(value) is float and not isfinite(value):
        raise make_type_error(at, "a JSON number", value)
    return value


def one_of(*members: Any) -> Change:
    """Validate a value of an enum, or null; unknown values are rejected."""
    values = frozenset(members)

    def check(value: Any, at: str) -> Any:
        if value not in values and value is not None:
            raise make_type_error(at, "one of " + ", ".join(map(repr, members)), value)
        return value

    return check


def plain(value: Any, at: str) -> Any:
    """Validate data of any form as JSON."""
    if type(value) is dict:
        for key, part in value.items():
            plain(part, f"{at}[{key!r}]")
            check_type(key, TEXT, f"a key of {at}")
    elif type(value) is list:
        for index, item in enumerate(value):
            plain(item, f"{at}[{index}]")
    elif type(value) not in ANYTHING:
        raise make_type_error(at, "a JSON value", value)
    return finite(value, at)


def check_computed(value: Any, kinds: Kinds, change: Change | None, at: str) -> Any:
    """Validate a computed value against the types of its field."""
    if value is MISSING:
        return value
    value = check_type(value, kinds, at)
    return value if change is None else change(value, at)
