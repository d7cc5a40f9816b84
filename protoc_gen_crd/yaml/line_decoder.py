"""Decoding of documents in which each line is a key, an item, or a line of a longer string, without a YAML library.

Most tools write CRDs and other objects in this form. All other documents are left to the parsers of YAML.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import compress
from typing import Any, Final

from protoc_gen_crd.yaml.go_yaml.decoder import DecodedDocument
from protoc_gen_crd.yaml.go_yaml.events import LINE
from protoc_gen_crd.yaml.go_yaml.scalar_resolver import resolve_plain

_MAX_DEPTH: Final = 100
_MAX_CACHED: Final = 8_192  # lines
_ITEM_WIDTH: Final = 2
_PRINTABLE: Final = b"\n" + bytes(range(0x20, 0x7F))  # line breaks and the printable characters of ASCII
_EMPTY: Final[dict[str, type]] = {"{}": dict, "[]": list}
# Kinds of values: none, a string that ends on its line, a plain string that may continue, another plain scalar, an
# empty collection, a list of strings in double quotes, the start of a literal, the start of a string in single quotes
# that ends on a later line.
_NONE, _ENDED, _STRING, _PLAIN, _COLLECTION, _LIST, _LITERAL, _OPEN = range(8)
# The sign of an item, a key, then a value: in quotes, an empty collection, a list, a literal, an open quote, or plain.
# A comment may follow; it is a part of the group of a plain value.
_CONTENT = re.compile(
    r"""(- )?(?:(?:([A-Za-z_$][A-Za-z0-9_./$-]{0,200})|"([^"\\]{0,200})"|'([^']{0,200})'):(?: (?! )| +(?=#)|$))?"""
    r"""(?:'((?:[^']|''|(?!))*+)'|"([^"\\]*+)"|(\{\}|\[\])|(\["[^"\\]*"(?:, ?"[^"\\]*")*\])|(\|[1-9]?-?)"""
    r"""|'((?:[^']|''|(?!))*+)|((?:[A-Za-z0-9_./$^(<=+;~\\]|[^\0-\x7f]|-[A-Za-z0-9.]).*+))?(?: *(?<= )#.*)?"""
)
_LISTED = re.compile(r'"([^"]*)"')
_BREAKS = re.compile(r"\n(\n*)")  # one is a space in a string, each further one is a line break


class _OtherFormError(Exception):
    """The document has another form."""


def decode_lines(data: bytes) -> DecodedDocument | None:
    """Return the value of a document as libyaml does; None if it has another form.

    Shortcut yaml-lines: a document in this form has one meaning only, and no duplicate keys.
    """
    if not data.endswith(b"\n") or b"<<" in data:
        return None
    try:
        text = data.decode()
        return _LineReader(text).read() if data.translate(None, _PRINTABLE).decode().isprintable() else None
    except (UnicodeDecodeError, _OtherFormError):
        return None


@lru_cache(_MAX_CACHED)
def _parse_content(content: str) -> tuple[bool, str | None, int, Any, int]:
    """Return whether a line is an item, its key, and the kind, the value and the offset of its value."""
    match = _CONTENT.fullmatch(content)
    if match is None or match.lastindex in (None, 1):
        raise _OtherFormError
    item, plain_key, double_key, single_key, single, double, empty, listed, literal, opened, plain = match.groups()
    key = next((name for name in (plain_key, double_key, single_key) if name is not None), None)
    if (key is None and item is None) or (plain_key is not None and not isinstance(resolve_plain(plain_key), str)):
        raise _OtherFormError
    kind, offset = _NONE, match.start(match.lastindex or 0)
    value: Any = None
    if plain is not None:
        plain, comment, _ = plain.partition(" #")
        plain = plain.rstrip(" ") if comment else plain
        _check_plain(plain)
        value = resolve_plain(plain)
        kind = _PLAIN if not isinstance(value, str) else _ENDED if comment else _STRING
    elif single is not None or double is not None:
        kind, value, offset = _ENDED, double if single is None else single.replace("''", "'"), offset - 1
    elif listed is not None:
        kind, value = _LIST, [(string[1], string.start()) for string in _LISTED.finditer(listed)]
    elif opened is not None:
        kind, value, offset = _OPEN, opened, offset - 1
    elif empty or literal:
        kind, value = (_COLLECTION, _EMPTY[empty]) if empty else (_LITERAL, literal)
    return item is not None, key, kind, value, offset


def _check_plain(content: str) -> None:
    """Raise _OtherFormError if a line of a plain scalar contains a key or a comment."""
    if ": " in content or " #" in content or content[-1] in ": ":
        raise _OtherFormError


class _LineReader:
    """A reader of the lines of a document, with the innermost open collection, its places and the column of its items.

    `_is_opening` is whether the next line starts the value of the last key, or of the document. `_string` is the last
    scalar if it may continue on the next lines, and `_string_line` its last line.
    """

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._document = DecodedDocument()
        self._outer: list[tuple[Any, Any, int]] = []
        self._inner: Any = []
        self._places: Any = []
        self._column = -1
        self._key, self._key_mark = "", 0
        self._is_opening = True
        self._string: str | None = None
        self._string_line = 0

    def read(self) -> DecodedDocument:
        """Return the value of the document. Raises _OtherFormError."""
        lines, document = self._lines, self._document
        values, places = self._inner, self._places
        last = 0 if lines[0] == "---" else -1
        for line in compress(range(len(lines)), lines):  # most lines of a CRD are empty if its copies have been cut
            if line <= last:
                continue
            content = lines[line].lstrip(" ")
            if not content:
                raise _OtherFormError
            if content[0] == "#":
                continue
            column = len(lines[line]) - len(content)
            if column > self._column and not self._is_opening:
                self._continue_string(line, content)
            else:
                last = self._read_line(line, column, content)
        if self._is_opening and (self._outer or lines[0] == "---"):
            raise _OtherFormError
        if values:
            document.value, document.place = values[0], places[0]
        return document

    def _read_line(self, line: int, column: int, content: str) -> int:
        """Read a line with an item or a key at a column. Return the last line that was read."""
        is_item, key, kind, value, offset = _parse_content(content)
        mark = line * LINE + column
        if self._is_opening:
            self._open(column, mark, is_item=is_item)
        elif column != self._column or isinstance(self._inner, list) is not is_item:
            self._close(column, is_item=is_item)
        if key is not None:
            if is_item:
                self._push({}, {}, column + _ITEM_WIDTH, mark + _ITEM_WIDTH)
            elif key in self._inner:
                raise _OtherFormError
            self._key, self._key_mark = key, mark + _ITEM_WIDTH * is_item
        self._string = None
        if kind == _NONE:
            self._is_opening = True
            return line
        return self._read_value(line, kind, value, mark + offset)

    def _read_value(self, line: int, kind: int, value: Any, mark: int) -> int:
        """Add a value that starts on a line, at a mark. Return the last line that was read."""
        if kind in (_STRING, _ENDED):
            if kind == _STRING:
                self._string, self._string_line = value, line
            self._add(value, mark)
        elif kind == _PLAIN:
            self._add(self._document.resolve_plain(value), mark)
        elif kind == _COLLECTION:
            self._add(value(), (mark, value()))
        elif kind == _LIST:
            self._add([string for string, _ in value], (mark, [mark + at for _, at in value]))
        else:
            return (self._read_literal if kind == _LITERAL else self._read_quoted)(line, value, mark)
        return line

    def _add(self, value: Any, place: Any) -> None:
        """Add a value to the innermost collection."""
        if isinstance(self._inner, dict):
            self._inner[self._key] = value
            self._places[self._key] = self._key_mark, place
        else:
            self._inner.append(value)
            self._places.append(place)

    def _push(self, value: Any, places: Any, column: int, mark: int) -> None:
        """Add a collection, and make it the innermost one."""
        if len(self._outer) >= _MAX_DEPTH:
            raise _OtherFormError
        self._add(value, (mark, places))
        self._outer.append((self._inner, self._places, self._column))
        self._inner, self._places, self._column = value, places, column

    def _open(self, column: int, mark: int, *, is_item: bool) -> None:
        """Start the collection of the last key, or of the document."""
        if column < self._column or (column == self._column and not is_item):
            raise _OtherFormError
        self._is_opening = False
        if is_item:
            self._push([], [], column, mark)
        else:
            self._push({}, {}, column, mark)

    def _close(self, column: int, *, is_item: bool) -> None:
        """End the collections that end before an item or a key at a column."""
        while self._column > column or (self._column == column and not is_item and isinstance(self._inner, list)):
            self._inner, self._places, self._column = self._outer.pop()
        if self._column != column or isinstance(self._inner, list) is not is_item:
            raise _OtherFormError

    def _continue_string(self, line: int, content: str) -> None:
        """Add a line to the last plain scalar."""
        blanks = line - self._string_line - 1
        if self._string is None or any(self._lines[self._string_line + 1 : line]):
            raise _OtherFormError
        _check_plain(content)
        self._string += "\n" * blanks + content if blanks else f" {content}"
        self._string_line = line
        self._inner[self._key if isinstance(self._inner, dict) else -1] = self._string

    def _read_quoted(self, line: int, start: str, mark: int) -> int:
        """Read the rest of a string in single quotes. Return its last line."""
        lines = self._lines
        end = next((at for at in range(line + 1, len(lines)) if "'" in lines[at].replace("''", "")), line)
        rest = lines[line + 1 : end + 1]
        stripped = [text.lstrip(" ") for text in rest]
        if any(text.endswith(" ") for text in (start, *rest)) or any(
            content and len(text) - len(content) <= self._column for text, content in zip(rest, stripped, strict=True)
        ):
            raise _OtherFormError
        if not rest or rest[-1].replace("''", "").partition("'")[2]:
            raise _OtherFormError
        joined = _BREAKS.sub(lambda breaks: breaks[1] or " ", "\n".join([start, *stripped]))
        self._add(joined[:-1].replace("''", "'"), mark)
        return end

    def _read_literal(self, line: int, header: str, mark: int) -> int:
        """Read the lines of a literal, whose header may have the width of its indentation. Return its last line."""
        lines, first = self._lines, line + 1
        filled = next((text for text in lines[first:] if text), "")
        width = header.strip("|-")
        column = self._column + int(width) if width else len(filled) - len(filled.lstrip(" "))
        end = first
        while end < len(lines) and (not lines[end] or lines[end].startswith(" " * column)):
            end += 1
        content = "\n".join([text[column:] for text in lines[first:end]]).rstrip("\n")
        if column <= self._column or not content or any(text.isspace() for text in lines[first:end]):
            raise _OtherFormError
        self._add(content if header.endswith("-") else f"{content}\n", mark)
        return end - 1
