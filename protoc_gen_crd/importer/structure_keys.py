"""Keys of plain data: equal structures have the same key."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any


class StructureKeys:
    """Assigns a number to each different value. The order of the keys of an object does not matter."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._known: dict[int, tuple[int, Any]] = {}  # by identity; the value is kept alive

    def get_key(self, value: Any) -> int:
        """Return the key of a value."""
        kind = type(value)
        if kind is not dict and kind is not list:
            return self._number((kind, value))
        known = self._known.get(id(value))
        if known is None:
            parts: Hashable
            if kind is dict:
                parts = frozenset([(name, self.get_key(member)) for name, member in value.items()])
            else:
                parts = tuple([self.get_key(item) for item in value])
            known = self._known[id(value)] = self._number((kind, parts)), value
        return known[0]

    def _number(self, parts: Hashable) -> int:
        return self._numbers.setdefault(parts, len(self._numbers))
