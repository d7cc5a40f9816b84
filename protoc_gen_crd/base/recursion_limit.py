"""Room for walks over data and schemas that are nested deeper than Python expects."""

from __future__ import annotations

import sys
from typing import Any

_FRAMES = 500_000  # bodies may be nested 10,000 deep, and walks take some frames a level


def raise_recursion_limit() -> None:
    """Lift the interpreter's recursion limit, for good.

    Frames need no C stack as long as Python functions call each other, not through `map`, `sorted` or generators.
    """
    if sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)


def check_plain(value: Any) -> None:
    """Raise TypeError for values that are no plain data, ValueError where data holds itself: no walk over it ends."""
    around: set[int] = set()
    known: set[int] = set()
    waiting = [(value, False)]
    while waiting:
        each, is_done = waiting.pop()
        if is_done:
            around.discard(id(each))
            known.add(id(each))
        elif id(each) in around:
            raise ValueError("circular reference in plain data")
        elif not isinstance(each, dict | list | tuple | str | float | int | None):
            raise TypeError(f"{type(each).__name__} is not plain JSON data")
        elif isinstance(each, dict | list | tuple) and id(each) not in known:
            around.add(id(each))
            waiting.append((each, True))
            waiting += ((inner, False) for inner in (each.values() if isinstance(each, dict) else each))
