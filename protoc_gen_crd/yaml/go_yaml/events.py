"""Events, marks and errors of the YAML modules.

An event is a tuple (kind, value, tag, plain, anchor, mark), since a file may have ten thousands of them. `plain` is
whether the type of an untagged scalar depends on its value; an alias has the name of the anchor in `anchor`. A mark is
a line and a column, both from 0, in one integer, so that marks sort by position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

SCALAR, MAPPING, SEQUENCE, END, ALIAS = range(5)

MERGE = "<<"  # the key that merges another mapping
MAX_DEPTH = 10_000
LINE = 1 << 32

Event: TypeAlias = tuple[int, str, str | None, bool, str | None, int]
Events: TypeAlias = Iterator[Event]


def encode_mark(line: int, column: int) -> int:
    """Return the mark of a line and a column."""
    return line * LINE + column


def decode_mark(mark: int) -> tuple[int, int]:
    """Return the line and the column of a mark."""
    return divmod(mark, LINE)


class ReadError(Exception):
    """An error with Go's message and a mark; without a mark it is about the whole document."""

    def __init__(self, text: str, mark: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.mark = mark
