"""Size of plain data as JSON without blanks, computed once for shared data."""

from __future__ import annotations

from collections.abc import Mapping

# Bytes that JSON does not escape, and those that it escapes with one character; it writes the others as \u00XX.
_NEVER_ESCAPED = bytes(set(range(0x20, 0x100)) - {*b'"\\'})
_ESCAPED_SHORT = b'"\\\b\f\n\r\t'


def measure_json(value: object, memo: dict[int, int]) -> int:
    """Return the size of a value in bytes. `memo` caches mappings by identity; the caller keeps them alive."""
    if isinstance(value, str):
        return _measure_string(value)
    if isinstance(value, dict | Mapping):  # the check for a dict is faster
        size = memo.get(id(value))
        if size is None:
            members = [_measure_string(key) + 1 + measure_json(item, memo) for key, item in value.items()]
            size = memo[id(value)] = 2 + sum(members) + max(len(members) - 1, 0)
        return size
    if isinstance(value, list | tuple):
        return 2 + sum([measure_json(item, memo) for item in value]) + max(len(value) - 1, 0)
    if value is None or value is True:
        return 4
    return 5 if value is False else len(repr(value))


def _measure_string(string: str) -> int:
    if string.isascii() and string.isalnum():  # like most keys
        return len(string) + 2
    data = string.encode("utf-8", "surrogatepass")
    escaped = data.translate(None, _NEVER_ESCAPED)
    return len(data) + 2 + len(escaped) + 4 * len(escaped.translate(None, _ESCAPED_SHORT))
