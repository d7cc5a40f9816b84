"""What a value is guessed to be where its marker leaves the kind open, as defaults and enum values do.

Looks ahead only; reading is the reader's business.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.markers.reader import KEY_STOPS, Read, Reader, list_of, map_of
from protoc_gen_crd.markers.scanner import BAD_NUMBER, END, FLOAT, IDENT, INT

_ENDS = (",", ";", "}", END)


def any_value(reader: Reader) -> Any:
    """A value of any kind, a list written `a;b` included."""
    return _guess(reader, lists=True)(reader)


def item_value(reader: Reader) -> Any:
    """A value of any kind where a `;` separates items."""
    return _guess(reader, lists=False)(reader)


_STRING: Read = Reader.string
_MAP = map_of(any_value)
_NUMBERS: dict[str, Read] = {INT: Reader.integer, FLOAT: Reader.number}


def _guess(reader: Reader, *, lists: bool) -> Read:
    """How the value ahead is to be read; `lists`: whether a `;` behind it makes it the first item of a list."""
    start = reader.position
    reader.look(start)
    read = _one(reader, lists=lists)
    reader.look(start)
    if lists and _semicolon_follows(reader):
        read = list_of(read)
    reader.position = start
    return read


def _one(reader: Reader, *, lists: bool) -> Read:
    first = reader.peek()
    if first == "{":
        return _braces(reader, lists=lists)
    if first in ('"', "'", "`"):
        return _STRING
    kind = _ahead(reader)
    if kind == IDENT:
        return _word(reader)
    if kind == "-":
        kind = _ahead(reader)
    if kind in _NUMBERS and (reader.dialect.eager_numbers or reader.peek() in _ENDS):
        return _NUMBERS[kind]
    return _STRING


def _word(reader: Reader) -> Read:
    if reader.spelled not in ("true", "false"):
        return _STRING
    start = reader.start
    if reader.dialect.defects or reader.peek() in _ENDS:
        return Reader.boolean
    reader.mend(start, "it takes the words true and false for values wherever a text starts with them: quote the text")
    return _STRING


def _braces(reader: Reader, *, lists: bool) -> Read:
    """A map if a string with a colon behind it comes first or nothing does, else a list of what comes first."""
    reader.scan()
    reader.deepen()
    lists = lists and not reader.dialect.defects
    if ";" in reader.text:
        reader.mend(reader.start, 'it takes what a ";" follows anywhere for a list, even in braces: write {a, b}')
    first, start = reader.peek(), reader.position
    reader.look(start)
    item = _one(reader, lists=lists)
    reader.position = start
    reader.depth -= 1
    if item is _STRING:
        reader.skip_string(KEY_STOPS)
        if _ahead(reader) == ":" or first == "}":
            return _MAP
        reader.position = start
    return list_of(list_of(item) if lists and _semicolon_follows(reader) else item)


def _semicolon_follows(reader: Reader) -> bool:
    """Whether a `;` stands behind the value ahead, one that is not in braces, or in its place."""
    if reader.dialect.defects:
        return _semicolon_ahead(reader)
    first = reader.peek()
    if first in ("{", ";"):
        return first == ";"
    reader.skip_string(reader.dialect.stops)
    return reader.peek() == ";"


def _semicolon_ahead(reader: Reader) -> bool:
    """Whether a `;` comes before the next comma, braces or not."""
    while (kind := _ahead(reader)) not in (",", ";", END):
        pass
    return kind == ";"


def _ahead(reader: Reader) -> str:
    kind = reader.scan()
    if kind == BAD_NUMBER and reader.dialect.eager_numbers:
        raise reader.refused("a number is written as in Go", reader.start)
    return kind
