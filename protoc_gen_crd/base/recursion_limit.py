"""A higher recursion limit, for traversals of deeply nested data and schemas."""

from __future__ import annotations

import sys
from typing import Any

_FRAMES = 500_000  # bodies may be nested 10,000 deep, and traversals need several frames per level


def raise_recursion_limit() -> None:
    """Raise the interpreter's recursion limit permanently.

    Frames need no C stack as long as Python functions call each other, not through `map`, `sorted` or generators.
    """
    if sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)


def check_plain(value: Any) -> None:
    """Raise TypeError for values other than plain data, ValueError for data that contains itself."""
    ancestors: set[int] = set()
    checked: set[int] = set()
    pending = [(value, False)]
    while pending:
        item, is_done = pending.pop()
        if is_done:
            ancestors.discard(id(item))
            checked.add(id(item))
        elif id(item) in ancestors:
            raise ValueError("circular reference in plain data")
        elif not isinstance(item, dict | list | tuple | str | float | int | None):
            raise TypeError(f"{type(item).__name__} is not plain JSON data")
        elif isinstance(item, dict | list | tuple) and id(item) not in checked:
            ancestors.add(id(item))
            pending.append((item, True))
            pending += ((child, False) for child in (item.values() if isinstance(item, dict) else item))
