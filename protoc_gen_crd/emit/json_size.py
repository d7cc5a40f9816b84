"""Size of plain data as JSON without blanks, computed once for shared data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Bytes that JSON does not escape, and those that it escapes with one character; it writes the others as \u00XX.
_NEVER_ESCAPED = bytes(set(range(0x20, 0x100)) - {*b'"\\'})
_ESCAPED_SHORT = b'"\\\b\f\n\r\t'


def measure_json(value: Any, memo: dict[int, int]) -> int:
    """Return the size of a value in bytes. `memo` caches mappings by identity; the caller keeps them alive."""
    if isinstance(value, str):
        return _measure_string(value)
    kind = type(value)  # a check for `dict | Mapping` would create a type for each value
    if kind is list or kind is tuple:
        return sum([measure_json(item, memo) for item in value], len(value) + 1 if value else 2)
    if kind is dict or isinstance(value, Mapping):
        return _measure_mapping(value, memo)
    if value is None or value is True:
        return 4
    return 5 if value is False else len(repr(value))


def _measure_mapping(value: Mapping[str, Any], memo: dict[int, int]) -> int:
    size = memo.get(id(value))
    if size is None:
        size = 2 * len(value) + 1 if value else 2
        for key, item in value.items():
            size += _measure_string(key) + measure_json(item, memo)
        memo[id(value)] = size
    return size


def _measure_string(string: str) -> int:
    if string.isascii() and string.isalnum():  # like most keys
        return len(string) + 2
    data = string.encode("utf-8", "surrogatepass")
    escaped = data.translate(None, _NEVER_ESCAPED)
    return len(data) + 2 + len(escaped) + (4 * len(escaped.translate(None, _ESCAPED_SHORT)) if escaped else 0)
