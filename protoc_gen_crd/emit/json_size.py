"""Size of plain data as JSON without blanks, computed once for shared data."""

from __future__ import annotations

from collections.abc import Mapping

_SHORT_ESCAPES = '"\\\n\r\t\b\f'  # characters with an escape of two characters


def measure_json(value: object, memo: dict[int, int]) -> int:
    """Return the size of a value in bytes. `memo` caches mappings by identity; the caller keeps them alive."""
    if isinstance(value, str):
        return _measure_string(value)
    if isinstance(value, Mapping):
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
    size = 2 + (len(string) if string.isascii() else len(string.encode("utf-8", "surrogatepass")))
    if string.isprintable() and '"' not in string and "\\" not in string:
        return size
    short = sum([string.count(character) for character in _SHORT_ESCAPES])
    return size + short + 5 * sum([character < " " and character not in _SHORT_ESCAPES for character in string])
