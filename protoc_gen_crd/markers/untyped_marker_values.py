"""Inference of the type of a value whose marker does not declare it, such as a default or an enum value."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.markers.marker_value_parser import (
    KEY_STOPS,
    MarkerValueReader,
    ValueReader,
    make_list_reader,
    make_map_reader,
)
from protoc_gen_crd.markers.marker_value_scanner import BAD_NUMBER, END, FLOAT, IDENT, INT

_ENDS = (",", ";", "}", END)


def read_any(reader: MarkerValueReader) -> Any:
    """Read a value of any type, including a list written `a;b`."""
    return _guess_reader(reader, lists=True)(reader)


def read_item(reader: MarkerValueReader) -> Any:
    """Read a value of any type in a list whose items are separated by `;`."""
    return _guess_reader(reader, lists=False)(reader)


_STRING: ValueReader = MarkerValueReader.read_string
_MAP = make_map_reader(read_any)
_NUMBERS: dict[str, ValueReader] = {INT: MarkerValueReader.read_integer, FLOAT: MarkerValueReader.read_number}


def _guess_reader(reader: MarkerValueReader, *, lists: bool) -> ValueReader:
    """Infer the reader of the next value; with `lists`, a `;` after the value starts a list."""
    start = reader.position
    reader.seek(start)
    value_reader = _guess_single(reader, lists=lists)
    reader.seek(start)
    if lists and _is_followed_by_semicolon(reader):
        value_reader = make_list_reader(value_reader)
    reader.position = start
    return value_reader


def _guess_single(reader: MarkerValueReader, *, lists: bool) -> ValueReader:
    first = reader.peek()
    if first == "{":
        return _guess_braces(reader, lists=lists)
    if first in ('"', "'", "`"):
        return _STRING
    kind = _peek_value(reader)
    if kind == IDENT:
        return _guess_word(reader)
    if kind == "-":
        kind = _peek_value(reader)
    if kind in _NUMBERS and (reader.dialect.eager_numbers or reader.peek() in _ENDS):
        return _NUMBERS[kind]
    return _STRING


def _guess_word(reader: MarkerValueReader) -> ValueReader:
    if reader.lexeme not in ("true", "false"):
        return _STRING
    start = reader.start
    if reader.dialect.defects or reader.peek() in _ENDS:
        return MarkerValueReader.read_boolean
    reader.mark_ambiguous(start, "it reads true or false at the start of a string as a boolean: quote the string")
    return _STRING


def _guess_braces(reader: MarkerValueReader, *, lists: bool) -> ValueReader:
    """Infer a map if the braces are empty or start with a string and a colon, else a list of the first value."""
    reader.scan()
    reader.enter_braces()
    lists = lists and not reader.dialect.defects
    if ";" in reader.text:
        reader.mark_ambiguous(reader.start, 'it reads a value before any ";" as a list, even in braces: write {a, b}')
    first, start = reader.peek(), reader.position
    reader.seek(start)
    item = _guess_single(reader, lists=lists)
    reader.position = start
    reader.depth -= 1
    if item is _STRING:
        reader.skip_string(KEY_STOPS)
        if _peek_value(reader) == ":" or first == "}":
            return _MAP
        reader.position = start
    return make_list_reader(make_list_reader(item) if lists and _is_followed_by_semicolon(reader) else item)


def _is_followed_by_semicolon(reader: MarkerValueReader) -> bool:
    """Return whether a `;` follows the next value outside braces, or replaces it."""
    if reader.dialect.defects:
        return _has_semicolon_ahead(reader)
    first = reader.peek()
    if first in ("{", ";"):
        return first == ";"
    reader.skip_string(reader.dialect.stops)
    return reader.peek() == ";"


def _has_semicolon_ahead(reader: MarkerValueReader) -> bool:
    """Return whether a `;` precedes the next comma, in braces or not."""
    while (kind := _peek_value(reader)) not in (",", ";", END):
        pass
    return kind == ";"


def _peek_value(reader: MarkerValueReader) -> str:
    kind = reader.scan()
    if kind == BAD_NUMBER and reader.dialect.eager_numbers:
        raise reader.make_error("a Go number literal", reader.start)
    return kind
