"""What the YAML modules hand to each other: events, marks and errors. Knows no syntax.

An event is a tuple (kind, value, tag, plain, anchor, mark), since a text has ten thousands of them. `plain` says
whether the kind of an untagged scalar is to be guessed from its text; an alias has the anchor's name in `anchor`.
A mark is a line and a column, both from 0, packed into one integer that sorts as the text does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

SCALAR, MAPPING, SEQUENCE, END, ALIAS = range(5)

MAX_DEPTH = 10_000
LINE = 1 << 32

Event: TypeAlias = tuple[int, str, str | None, bool, str | None, int]
Events: TypeAlias = Iterator[Event]


def encode_mark(line: int, column: int) -> int:
    """The mark of a place."""
    return line * LINE + column


def decode_mark(mark: int) -> tuple[int, int]:
    """Line and column of a mark."""
    return divmod(mark, LINE)


class ReadError(Exception):
    """Why a document cannot be read, in Go's words, and where; without a mark the whole document is meant."""

    def __init__(self, text: str, mark: int | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.mark = mark
