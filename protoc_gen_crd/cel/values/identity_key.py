"""Map keys that are compared by identity. Source: Go's equality of pointers."""

from __future__ import annotations

from typing import Any


class IdentityKey:
    """The key of a value that servers hold as a pointer: it equals only itself."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is IdentityKey and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)
