"""Compute values from other values.

MISSING stays MISSING.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from typing import Any

from .path_access import get_value
from .runtime import ANYTHING, MISSING, ConversionError, Path


def present(value: Any) -> Any:
    """Return a value; MISSING for null."""
    return MISSING if value is None else value


def otherwise(value: Any, default: Any) -> Any:
    """Return a value, or a default if it is missing."""
    return default if value is MISSING else value


def needed(value: Any, at: str) -> Any:
    """Return a required value."""
    if value is MISSING:
        raise ConversionError(f"{at.removeprefix('.')}: required field is missing")
    return value


def called(value: Any, names: Mapping[str, str]) -> Any:
    """Map a string by a table; return a string without an entry unchanged."""
    return value if value is MISSING or value is None else names.get(value, value)


def listed(value: Any) -> Any:
    """Wrap a value in a list."""
    return MISSING if value is MISSING else [value]


def first(value: Any) -> Any:
    """Return the first item of a list; MISSING if it is empty."""
    return value[0] if type(value) is list and value else MISSING


def part(value: Any, separator: str, index: int, count: int) -> Any:
    """Return one part of a split string; the last part has the rest."""
    parts = value.split(separator, count - 1) if type(value) is str else []
    return parts[index] if index < len(parts) else MISSING


def joined(separator: str, *parts: Any) -> Any:
    """Join strings up to the last that is present.

    Missing strings before it are empty, so that all parts keep their positions.
    """
    present_parts = [part if type(part) is str else "" for part in parts]
    while present_parts and type(parts[len(present_parts) - 1]) is not str:
        present_parts.pop()
    return separator.join(present_parts) if present_parts else MISSING


def gathered(value: Any, path: Path) -> Any:
    """Return the value of the first item that has one."""
    for item in value if type(value) is list else ():
        item_value = get_value(item, path, ANYTHING) if type(item) is dict else MISSING
        if item_value is not MISSING:
            return item_value
    return MISSING


def showing(value: Any, computed: Any) -> Any:
    """Return a computed list; MISSING if none was computed."""
    return MISSING if computed is MISSING else value


def multiplied(value: Any, factor: float) -> Any:
    """Multiply a number by a factor; infinite if it is out of range."""
    if value is MISSING or value is None:
        return value
    try:
        return value * factor
    except OverflowError:
        return inf


def divided(value: Any, factor: float) -> Any:
    """Divide a number by a factor; integers round toward zero for integer factors."""
    if value is MISSING or value is None:
        return value
    if type(value) is type(factor) is int:
        quotient = abs(value) // abs(factor)
        return quotient if (value < 0) == (factor < 0) else -quotient
    try:
        return value / factor
    except OverflowError:
        return inf
