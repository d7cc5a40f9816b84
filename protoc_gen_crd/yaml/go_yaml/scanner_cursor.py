"""The position of the YAML scanner, and the operations that all its parts use.

Source: go.yaml.in/yaml/v2 v2.4.4, scannerc.go.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

from protoc_gen_crd.yaml.go_yaml.events import LINE, ReadError
from protoc_gen_crd.yaml.go_yaml.utf_decoder import NUL, Characters

BLANK: Final = " \t"
BREAK: Final = "\r\n\x85\u2028\u2029"
BREAKZ: Final = BREAK + NUL
BLANKZ: Final = BLANK + BREAKZ

_BLANKS = "[ \t]*"
_COMMENT = f"#[^{BREAKZ}]*"


class Cursor:
    """A position in the characters of one document."""

    def __init__(self, characters: Characters) -> None:
        self.characters = characters
        self.text = characters.text
        self.position = self.line = self.line_start = 0
        self.indent = -1  # column of the innermost block collection

    @property
    def char(self) -> str:
        """The next character."""
        return self.text[self.position]

    @property
    def column(self) -> int:
        """The column of the next character, from 0."""
        return self.position - self.line_start

    @property
    def mark(self) -> int:
        """The mark of the next character."""
        return self.line * LINE + self.position - self.line_start

    def fail(self, problem: str) -> NoReturn:
        """Raise ReadError at the current position."""
        where = f"line {self.line + 1}: " if self.line else ""
        raise ReadError(f"yaml: {where}{problem}", self.mark)

    def load(self, count: int) -> None:
        """Buffer at least `count` characters."""
        if self.position + count > self.characters.loaded:
            self.characters.load(self.position, count)

    def advance(self, end: int, count: int) -> None:
        """Move to a position; at every character before it, buffer `count` more."""
        characters = self.characters
        while end + count > characters.loaded:
            self.position = max(self.position, characters.loaded - count + 1)
            characters.load(self.position, count)
        self.position = end

    def skip(self, pattern: str, count: int = 1) -> str:
        """Skip and return the match of a pattern at this position; see `advance` for `count`."""
        match = re.compile(pattern).match(self.text, self.position)
        if match is None:
            return ""
        self.advance(match.end(), count)
        return match[0]

    def read_break(self) -> str:
        """Skip a line break if there is one, and return its value in a scalar."""
        char = self.text[self.position]
        if char not in BREAK:
            return ""
        self.position += 2 if self.text.startswith("\r\n", self.position) else 1
        self.line += 1
        self.line_start = self.position
        return char if char in "\u2028\u2029" else "\n"

    def is_at_document_marker(self) -> bool:
        """Return whether a line starts here with --- or ... and a blank."""
        at = self.position
        return at == self.line_start and self.text[at : at + 3] in ("---", "...") and self.text[at + 3] in BLANKZ

    def skip_blanks(self) -> None:
        """Skip blanks and tabs."""
        self.load(1)
        self.skip(_BLANKS)

    def skip_comment(self) -> None:
        """Skip a comment up to the end of the line."""
        self.load(1)
        if self.char == "#":
            self.skip(_COMMENT)

    def skip_line_end(self) -> None:
        """Skip blanks, a comment and the line break. Raises ReadError for anything else."""
        self.skip_blanks()
        self.skip_comment()
        if self.char not in BREAKZ:
            self.fail("did not find expected comment or line break")
        self.load(2)
        self.read_break()
