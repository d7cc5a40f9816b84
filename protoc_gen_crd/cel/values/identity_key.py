"""Keys of maps that are found by themselves alone. Source: Go's equality of pointers."""

from __future__ import annotations

from typing import Any


class IdentityKey:
    """The key of a value that servers know by its address: it is found by itself alone."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is IdentityKey and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)
