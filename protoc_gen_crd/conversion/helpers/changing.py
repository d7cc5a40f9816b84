"""What generated conversion modules call to make a value of others.

MISSING, what is not there, stays MISSING.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .moving import taken
from .runtime import ANYTHING, MISSING, ConversionError, Path


def present(value: Any) -> Any:
    """A value that is not null."""
    return MISSING if value is None else value


def otherwise(value: Any, default: Any) -> Any:
    """A value, or a default where there is none."""
    return default if value is MISSING else value


def needed(value: Any, at: str) -> Any:
    """A value that must be there."""
    if value is MISSING:
        raise ConversionError(f"{at.removeprefix('.')}: must be there, found nothing")
    return value


def called(value: Any, names: Mapping[str, str]) -> Any:
    """A text by a table; what is not in it stays."""
    return value if value is MISSING or value is None else names.get(value, value)


def listed(value: Any) -> Any:
    """A list of a value."""
    return MISSING if value is MISSING else [value]


def first(value: Any) -> Any:
    """The first item of a list."""
    return value[0] if type(value) is list and value else MISSING


def part(value: Any, separator: str, index: int, count: int) -> Any:
    """One of so many parts of a text; the last one has all that is left."""
    parts = value.split(separator, count - 1) if type(value) is str else []
    return parts[index] if index < len(parts) else MISSING


def joined(separator: str, *parts: Any) -> Any:
    """Texts up to the last that is there, with a separator between them.

    One that is missing before it is empty, so that each keeps its place.
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
    """A list that something is made of; MISSING for one of which nothing is made."""
    return MISSING if made is MISSING else value


def multiplied(value: Any, factor: float) -> Any:
    """A number times a factor."""
    return value if value is MISSING or value is None else value * factor


def divided(value: Any, factor: float) -> Any:
    """A number by a factor; integers by integers are rounded down."""
    if value is MISSING or value is None:
        return value
    return value // factor if type(value) is type(factor) is int else value / factor
