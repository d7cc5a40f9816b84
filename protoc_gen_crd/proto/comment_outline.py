"""Scanner of the comments in a .proto file, each with the statements before and after it.

A request contains the comments between two statements if one of them is an element; protoc drops all others. The
scanner implements the lexical grammar and the boundaries of statements, but not their syntax.

Source: protobuf's language specification and src/google/protobuf/compiler/parser.cc.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record

_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|/\*[\s\S]*?(?:\*/|\Z))"
    r"|(?P<end>[;{}])"
    r"""|(?P<words>(?:[^;{}"'/]++|"(?:[^"\\\n]|\\.|(?!))*+"|'(?:[^'\\\n]|\\.|(?!))*+'|/(?![/*])|["']|(?!))++)"""
)
_CONTINUES = re.compile(r"\s*[^\w\s.]")


class CommentLine(Record):
    """A line of a comment: its text, its line from 1 and column from 0, and a description of the place.

    `before` and `after` are the lines of the statements that it can belong to, 0 if there is none.
    """

    text: str
    line: int
    column: int
    before: int
    after: int
    where: str


class Outline(Record):
    """The lines of comments with a plus in a file, and the lines of its first and last token."""

    gaps: tuple[CommentLine, ...]
    first: int
    last: int


def read_outline(text: str) -> Outline:
    """Scan the content of a .proto file. It must be valid, as the content of compiled files is."""
    reader = _CommentScanner()
    line = at = 0
    for token in _TOKEN.finditer(text):
        line, at = line + text.count("\n", at, token.start()), token.start()
        if token.lastgroup == "comment":
            reader.read_comment(token[0], line + 1, at - text.rfind("\n", 0, at) - 1)
        else:
            reader.read_token(token[0], token.lastgroup, line + 1)
    reader.place_comments("", 0)
    return Outline(tuple(reader.gaps), reader.first, reader.last)


class _CommentScanner:
    """Scanner of the tokens. `_start` is the line of the current statement, 0 between statements."""

    def __init__(self) -> None:
        self.gaps: list[CommentLine] = []
        self.first = self.last = 0
        self._start = 0
        self._before = 0  # line of the last statement that has ended, or whose block has started
        self._closed = 0  # line of the statement whose block has just ended
        self._around: list[int] = []
        self._waiting: list[tuple[str, int, int]] = []

    def read_comment(self, token: str, line: int, column: int) -> None:
        """Read a comment that starts at a line and column."""
        body = token[2:].removesuffix("*/") if token.startswith("/*") else token[2:]
        for number, part in enumerate(body.split("\n")):
            if "+" in part:
                self._waiting.append((part, line + number, 0 if number else column + 2))

    def read_token(self, token: str, kind: str | None, line: int) -> None:
        """Read a token other than a comment that starts on a line."""
        if kind == "end":
            self._close_statement(token, line)
        elif words := token.strip():
            line += token[: len(token) - len(token.lstrip())].count("\n")
            self.place_comments(words, line)
            self._start = self._start or (self._closed if self._closed and _CONTINUES.match(token) else line)
            self._closed = 0
            self._extend_range(line, line + words.count("\n"))

    def place_comments(self, sign: str, line: int) -> None:
        """Set the place of the comments before a token. `line` is not 0 if the token starts a statement."""
        around = (0, 0) if self._start else (self._before, line)
        for text, at, column in self._waiting:
            self.gaps.append(CommentLine(text, at, column, *around, self._describe_place(sign)))
        self._waiting.clear()

    def _describe_place(self, sign: str) -> str:
        if not sign:
            return "at the end of the file"
        if self._start:
            return "inside a statement"
        if self._closed:
            return "after a closing brace"
        return "above a closing brace" if sign == "}" else "where protoc drops it"

    def _close_statement(self, sign: str, line: int) -> None:
        self.place_comments(sign, 0)
        start = self._start or self._closed
        if sign == "{":
            self._around.append(start)
        self._closed = self._around.pop() if sign == "}" and self._around else 0
        self._before = 0 if sign == "}" else start
        self._start = 0
        self._extend_range(line, line)

    def _extend_range(self, first: int, last: int) -> None:
        self.first = self.first or first
        self.last = last
