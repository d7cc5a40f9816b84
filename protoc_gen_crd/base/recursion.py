"""Room for walks over data and schemas that are nested deeper than Python expects."""

from __future__ import annotations

import sys

_FRAMES = 500_000  # bodies may be nested 10,000 deep, and walks take some frames a level


def make_room() -> None:
    """Lift the interpreter's recursion limit, for good.

    Frames need no C stack as long as Python functions call each other, not through `map`, `sorted` or generators.
    """
    if sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)
