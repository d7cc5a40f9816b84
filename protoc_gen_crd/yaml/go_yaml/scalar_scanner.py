"""Scanning of plain, quoted and block scalars to strings.

Source: go.yaml.in/yaml/v2 v2.4.4, scannerc.go.
"""

from __future__ import annotations

import re
from typing import Final

from protoc_gen_crd.yaml.go_yaml.scanner_cursor import BLANK, BLANKZ, BREAK, BREAKZ, Cursor
from protoc_gen_crd.yaml.go_yaml.utf_decoder import NUL

_FLOW = r",?\[\]{}"


def _make_plain_pattern(*, in_flow: bool, watched: bool, is_ascii: bool) -> str:
    """Return the pattern of a plain scalar on one line; of a word of it if the position of the reader matters.

    Sets with characters beyond ASCII take four times as long to compile.
    """
    ends = "".join(filter(str.isascii, BLANKZ)) if is_ascii else BLANKZ
    word = f"(?:[^{ends}:{_FLOW if in_flow else ''}]++|:(?![{ends}])|(?!))++"
    return word if watched else f"{word}(?:[{BLANK}]++(?!#){word}|(?!))*+"


_FLAGS = (False, True)
_PLAIN: Final = {
    (in_flow, watched, is_ascii): _make_plain_pattern(in_flow=in_flow, watched=watched, is_ascii=is_ascii)
    for in_flow in _FLAGS
    for watched in _FLAGS
    for is_ascii in _FLAGS
}
_IN_SINGLE = f"[^{BLANKZ}']+"
_IN_DOUBLE = f'[^{BLANKZ}"\\\\]+'
_LINE = f"[^{BREAKZ}]*"
_BLANKS = f"[{BLANK}]+"
_BLANK_OR_BREAK = frozenset(BLANK + BREAK)
_HEX = frozenset("0123456789abcdefABCDEF")

_ESCAPES: Final = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "'": "'", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_CODES: Final = {"x": 2, "u": 4, "U": 8}


class _Gap:
    """The blanks and line breaks between two words of a scalar, and their folded value."""

    __slots__ = ("blanks", "breaks", "first_break", "in_line")

    def __init__(self) -> None:
        self.in_line = True
        self.blanks = self.first_break = ""
        self.breaks: list[str] = []

    def read(self, cursor: Cursor, indent: int = 0) -> None:
        """Read the gap. Raises ReadError for a tab left of the indentation."""
        while True:
            cursor.load(1)
            if cursor.char in BLANK:
                self._read_blanks(cursor, indent)
            elif cursor.char in BREAK:
                cursor.load(2)
                if self.in_line:
                    self.in_line, self.blanks = False, ""
                    self.first_break = cursor.read_break()
                else:
                    self.breaks.append(cursor.read_break())
            else:
                return

    def _read_blanks(self, cursor: Cursor, indent: int) -> None:
        if self.in_line:
            self.blanks = cursor.skip(_BLANKS)
            return
        run = re.compile(_BLANKS).match(cursor.text, cursor.position)
        tab = run[0].find("\t") if run else -1
        if 0 <= tab < indent - cursor.column:
            cursor.advance(cursor.position + tab, 1)
            cursor.fail("found a tab character that violates indentation")
        cursor.skip(_BLANKS)

    def fold(self) -> str:
        """Return the value of the gap in the scalar."""
        if self.in_line:
            return self.blanks
        breaks = "".join(self.breaks)
        return breaks or " " if self.first_break == "\n" else self.first_break + breaks


def read_plain(cursor: Cursor, *, in_flow: bool) -> tuple[str, int, bool]:
    """Return the value of a plain scalar, its end, and whether a line break follows it."""
    pattern = _PLAIN[in_flow, cursor.characters.watched, cursor.text.isascii()]
    indent = cursor.indent + 1
    parts: list[str] = []
    gap, end = None, cursor.mark
    while True:
        cursor.load(4)
        if cursor.is_at_document_marker() or cursor.char == "#":
            break
        if word := cursor.skip(pattern, 2):
            if gap:
                parts.append(gap.fold())
            parts.append(word)
            gap, end = None, cursor.mark
        if cursor.char not in _BLANK_OR_BREAK:
            break
        gap = gap or _Gap()
        gap.read(cursor, indent)
        if not in_flow and cursor.column < indent:
            break
    return "".join(parts), end, gap is not None and not gap.in_line


def read_quoted(cursor: Cursor) -> str:
    """Return the value of a quoted scalar."""
    quote = cursor.char
    read_word = _read_single_quoted if quote == "'" else _read_double_quoted
    parts: list[str] = []
    cursor.position += 1
    while True:
        cursor.load(4)
        if cursor.is_at_document_marker():
            cursor.fail("found unexpected document indicator")
        if cursor.char == NUL:
            cursor.fail("found unexpected end of stream")
        gap = _Gap()
        gap.in_line = read_word(cursor, parts)
        cursor.load(1)
        if cursor.char == quote:
            cursor.position += 1
            return "".join(parts)
        gap.read(cursor)
        parts.append(gap.fold())


def _read_single_quoted(cursor: Cursor, parts: list[str]) -> bool:
    while cursor.char not in BLANKZ:
        if cursor.char == "'":
            if cursor.text[cursor.position + 1] != "'":
                return True
            parts.append("'")
            cursor.advance(cursor.position + 2, 2)
        else:
            parts.append(cursor.skip(_IN_SINGLE, 2))
    return True


def _read_double_quoted(cursor: Cursor, parts: list[str]) -> bool:
    """Read up to a blank or the quote; False if the line break was escaped."""
    while cursor.char not in BLANKZ and cursor.char != '"':
        if cursor.char != "\\":
            parts.append(cursor.skip(_IN_DOUBLE, 2))
            continue
        if cursor.text[cursor.position + 1] in BREAK:
            cursor.load(3)
            cursor.position += 1
            cursor.read_break()
            return False
        parts.append(_read_escape(cursor))
        cursor.load(2)
    return True


def _read_escape(cursor: Cursor) -> str:
    letter = cursor.text[cursor.position + 1]
    if letter not in _ESCAPES and letter not in _CODES:
        cursor.fail("found unknown escape character")
    cursor.position += 2
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    width = _CODES[letter]
    cursor.load(width)
    digits = cursor.text[cursor.position : cursor.position + width]
    if len(digits) < width or not _HEX.issuperset(digits):
        cursor.fail("did not find expected hexdecimal number")
    code = int(digits, 16)
    if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
        cursor.fail("found invalid Unicode character escape code")
    cursor.position += width
    return chr(code)


def read_block(cursor: Cursor) -> tuple[str, int]:
    """Return the value of a literal or folded block scalar, and its end."""
    folds = cursor.char == ">"
    cursor.position += 1
    chomping, increment = _read_block_header(cursor)
    cursor.skip_line_end()
    indent = max(cursor.indent, 0) + increment if increment else 0
    parts: list[str] = []
    line_break, was_blank = "", False
    indent, breaks, end = _skip_block_breaks(cursor, indent)
    while cursor.column == indent and cursor.char != NUL:
        is_blank = cursor.char in BLANK
        if folds and line_break == "\n" and not was_blank and not is_blank:
            line_break = "" if breaks else " "
        parts += line_break, breaks, cursor.skip(_LINE)
        was_blank = is_blank
        cursor.load(2)
        line_break = cursor.read_break()
        indent, breaks, end = _skip_block_breaks(cursor, indent)
    if chomping != "-":
        parts.append(line_break)
    if chomping == "+":
        parts.append(breaks)
    return "".join(parts), end


def _read_block_header(cursor: Cursor) -> tuple[str, int]:
    """Return the chomping indicator, empty if there is none, and the indentation indicator, 0 if there is none."""
    chomping, increment = "", 0
    cursor.load(1)
    if cursor.char in "+-":
        chomping = _read_next(cursor)
        increment = _read_block_increment(cursor)
    else:
        increment = _read_block_increment(cursor)
        if increment and cursor.char in "+-":
            chomping = _read_next(cursor)
    return chomping, increment


def _read_block_increment(cursor: Cursor) -> int:
    if cursor.char == "0":
        cursor.fail("found an indentation indicator equal to 0")
    return int(_read_next(cursor)) if cursor.char in "123456789" else 0


def _read_next(cursor: Cursor) -> str:
    char = cursor.char
    cursor.position += 1
    cursor.load(1)
    return char


def _skip_block_breaks(cursor: Cursor, indent: int) -> tuple[int, str, int]:
    """Skip indentation and empty lines. Return the indentation (detected if 0), the line breaks and their end."""
    breaks: list[str] = []
    widest, end = 0, cursor.mark
    while True:
        cursor.load(1)
        while (not indent or cursor.column < indent) and cursor.char == " ":
            cursor.advance(cursor.position + 1, 1)
        widest = max(widest, cursor.column)
        if (not indent or cursor.column < indent) and cursor.char == "\t":
            cursor.fail("found a tab character where an indentation space is expected")
        if cursor.char not in BREAK:
            return indent or max(widest, cursor.indent + 1, 1), "".join(breaks), end
        cursor.load(2)
        breaks.append(cursor.read_break())
        end = cursor.mark
