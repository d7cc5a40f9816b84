"""Tokens of the text of a .proto file, and offsets of the positions in SourceCodeInfo.

Source: google/protobuf/io/tokenizer.cc: a column counts the bytes of UTF-8, and a tab ends at a multiple of eight.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.text_edits import find_line_end

COMMENT, STRING, NUMBER, NAME, SYMBOL = "comment", "string", "number", "name", "symbol"

_TAB_WIDTH = 8
_TOKEN = re.compile(
    r"""(?P<comment>//(?:[^\n\r]|\r(?!\n))*|/\*.*?\*/)
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>\.?[0-9](?:[eE][+-]|[0-9A-Za-z_.])*)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<symbol>[^\s\ufeff])""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|[0-7]{1,3}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class Token(Record):
    """A token: its kind, and its start and end in the text."""

    kind: str
    start: int
    end: int
    text: str


def tokenize(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """Return the tokens of a part of a text, with offsets into the whole text."""
    limit = len(text) if end is None else end
    return [
        Token(match.lastgroup or SYMBOL, match.start(), match.end(), match[0])
        for match in _TOKEN.finditer(text, start, limit)
    ]


def unquote(token: Token) -> str:
    """Return the value of a string token, or the text of another one."""
    return _ESCAPE.sub(_unescape, token.text[1:-1]) if token.kind == STRING else token.text


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    if code[0] == "x" and len(code) > 1:
        return chr(int(code[1:], 16))
    return chr(int(code, 8)) if code[0] in "01234567" else _ESCAPES.get(code, code)


class SourceText:
    """The text of a .proto file with its tokens."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self._token_starts = [token.start for token in self.tokens]
        self._line_starts = [0, *accumulate(len(line) for line in re.findall(r"[^\n]*\n", text))]

    def find_offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column of SourceCodeInfo, both from 0."""
        offset = self._line_starts[line]
        at = 0
        while at < column:
            character = self.text[offset]
            at += _TAB_WIDTH - at % _TAB_WIDTH if character == "\t" else len(character.encode(errors="surrogateescape"))
            offset += 1
        return offset

    def list_tokens(self, start: int, end: int) -> list[Token]:
        """Return the tokens from one offset to another, without comments."""
        first, last = bisect_left(self._token_starts, start), bisect_left(self._token_starts, end)
        return [token for token in self.tokens[first:last] if token.kind != COMMENT]

    def find_next_token(self, offset: int) -> Token | None:
        """Return the first token at or after an offset that is no comment."""
        index = bisect_left(self._token_starts, offset)
        return next((token for token in self.tokens[index:] if token.kind != COMMENT), None)

    def find_comment_end(self, offset: int) -> int:
        """Return the offset after the comments on the rest of a line; `offset` if anything else is there."""
        line_end = find_line_end(self.text, offset)
        end = offset
        for token in self.tokens[bisect_left(self._token_starts, offset) :]:
            if token.start >= line_end:
                break
            if token.kind != COMMENT or token.end > line_end:
                return offset
            end = token.end
        return end

    def list_comments_before(self, offset: int) -> list[Token]:
        """Return the comment directly before an offset: one block, or `//` lines without a blank line between."""
        index = bisect_left(self._token_starts, offset) - 1
        comments: list[Token] = []
        while index >= 0 and self.tokens[index].kind == COMMENT:
            token = self.tokens[index]
            if comments and not (token.text.startswith("//") and self._is_above(token, comments[0])):
                break
            comments.insert(0, token)
            index -= 1
        return comments

    def _is_above(self, token: Token, other: Token) -> bool:
        """Return whether a comment fills the line above a line of another `//` comment."""
        line = self.text[self.text.rfind("\n", 0, token.start) + 1 : token.start]
        above = self.text.count("\n", token.end, other.start) == 1
        return other.text.startswith("//") and above and not line.strip()
