"""Compute values from other values.

MISSING stays MISSING.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .path_access import taken
from .runtime import ANYTHING, MISSING, ConversionError, Path


def present(value: Any) -> Any:
    """A value that is not null."""
    return MISSING if value is None else value


def otherwise(value: Any, default: Any) -> Any:
    """A value, or a default if it is missing."""
    return default if value is MISSING else value


def needed(value: Any, at: str) -> Any:
    """Return a required value."""
    if value is MISSING:
        raise ConversionError(f"{at.removeprefix('.')}: required field is missing")
    return value


def called(value: Any, names: Mapping[str, str]) -> Any:
    """Map a string by a table; a string without an entry stays as it is."""
    return value if value is MISSING or value is None else names.get(value, value)


def listed(value: Any) -> Any:
    """Wrap a value in a list."""
    return MISSING if value is MISSING else [value]


def first(value: Any) -> Any:
    """The first item of a list."""
    return value[0] if type(value) is list and value else MISSING


def part(value: Any, separator: str, index: int, count: int) -> Any:
    """Return one part of a split string; the last part has the rest."""
    parts = value.split(separator, count - 1) if type(value) is str else []
    return parts[index] if index < len(parts) else MISSING


def joined(separator: str, *parts: Any) -> Any:
    """Join strings up to the last that is present.

    Missing strings before it are empty, so that all parts keep their positions.
    """
    known = [part if type(part) is str else "" for part in parts]
    while known and type(parts[len(known) - 1]) is not str:
        known.pop()
    return separator.join(known) if known else MISSING


def gathered(value: Any, path: Path) -> Any:
    """The value of the first item that has one."""
    for item in value if type(value) is list else ():
        found = taken(item, path, ANYTHING) if type(item) is dict else MISSING
        if found is not MISSING:
            return found
    return MISSING


def showing(value: Any, made: Any) -> Any:
    """Return a computed list; MISSING if none was computed."""
    return MISSING if made is MISSING else value


def multiplied(value: Any, factor: float) -> Any:
    """Multiply a number by a factor."""
    return value if value is MISSING or value is None else value * factor


def divided(value: Any, factor: float) -> Any:
    """Divide a number by a factor; integers round down for integer factors."""
    if value is MISSING or value is None:
        return value
    return value // factor if type(value) is type(factor) is int else value / factor
