"""Reads a pattern as Go's `regexp/syntax` does with the flags of `regexp.Compile`: into tokens, or to Go's refusal.

Knows the grammar only. How large a pattern may grow is `limits`' matter, what its classes contain `classes`'.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from protoc_gen_crd.regex.sets import ASCII_SETS, unicode_set
from protoc_gen_crd.regex.tokens import (
    ASSERTION,
    BAR,
    CLASS,
    CLOSE,
    DOT,
    DOT_NL,
    END,
    FOLD,
    LAZY,
    MULTILINE,
    OPEN,
    REPEAT,
    TEXT,
    Member,
    Token,
)

_FLAGS = {"i": FOLD, "s": DOT_NL, "m": MULTILINE, "U": LAZY}
_SPECIAL = r"[\\^$.\[|()*+?{]"
_COUNT = r"\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}"
_OCTAL = r"\\(0[0-7]{0,2}|[1-7][0-7]{1,2})"
_CONTROLS = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_HEX_DIGITS = {digit: int(digit, 16) for digit in "0123456789abcdefABCDEF"}
_MAX_REPEAT = 1000
_MAX_CHARACTER = 0x10FFFF


class Refusal(Exception):  # noqa: N818 - an answer, not a failure
    """What Go says instead of compiling."""

    def __init__(self, reason: str, part: str) -> None:
        super().__init__(f"error parsing regexp: {reason}: `{part}`")


class Reader:
    """One pass over one pattern for one Go (the minor version); `tokens` and `error` hold the outcome of `read`."""

    def __init__(self, pattern: str, go: int) -> None:
        self.pattern = pattern
        self.go = go
        self.tokens: list[Token] = []
        self.error: str | None = None  # with the tokens before it, which may already have exceeded a limit
        self.counted = False  # some {n} asks for two or more
        self._at = 0
        self._flags = 0
        self._groups: list[tuple[int, int]] = []  # flags and weight to restore at the closing parenthesis
        # Weights are how many copies of its innermost part a counted repetition stands for.
        self._weight = 1  # the heaviest atom of the group but the last
        self._last_weight = 0  # the last atom of the branch; zero while there is none
        self._repeat = (-1, -1)  # where the latest repetition operator began and ended

    def read(self) -> Reader:
        """Read the pattern to its end or to the first thing that Go refuses."""
        pattern, size = self.pattern, len(self.pattern)
        try:
            while self._at < size:
                self._HANDLERS.get(pattern[self._at], Reader._plain)(self)
            self._end()
        except Refusal as refusal:
            self.error = str(refusal)
        if not pattern.isascii() and (broken := re.compile("[\udc80-\udcff]").search(pattern)):
            open_still = self.error is not None and "missing closing" in self.error
            if self.error is None or open_still or self._at > broken.start():
                self.error = str(Refusal("invalid UTF-8", pattern[broken.start() :]))
        return self

    def _plain(self) -> None:
        end = re.compile(_SPECIAL).search(self.pattern, self._at)
        after = end.start() if end else len(self.pattern)
        self._text(self.pattern[self._at : after], after)

    def _atom(self, token: Token, after: int) -> None:
        self.tokens.append(token)
        self._weight = max(self._weight, self._last_weight)
        self._last_weight = 1
        self._at = after

    def _text(self, text: str, after: int) -> None:
        self._atom(Token(TEXT, self._flags, text), after)

    def _dot(self) -> None:
        self._atom(Token(DOT, self._flags), self._at + 1)

    def _assertion(self) -> None:
        self._atom(Token(ASSERTION, self._flags, self.pattern[self._at]), self._at + 1)

    # Groups and alternatives.

    def _open(self) -> None:
        if self.pattern.startswith("(?", self._at):
            self._perl_group()
        else:
            self._enter(self._at + 1, captures=True)

    def _enter(self, after: int, *, captures: bool) -> None:
        self.tokens.append(Token(OPEN, self._flags, captures=captures))
        self._groups.append((self._flags, max(self._weight, self._last_weight)))
        self._weight, self._last_weight, self._at = 1, 0, after

    def _bar(self) -> None:
        self.tokens.append(Token(BAR, self._flags))
        self._weight, self._last_weight = max(self._weight, self._last_weight), 0
        self._at += 1

    def _close(self) -> None:
        self.tokens.append(Token(CLOSE, self._flags))
        if not self._groups:
            raise Refusal("unexpected )", self.pattern)
        weight = max(self._weight, self._last_weight)
        self._flags, self._weight = self._groups.pop()
        self._last_weight = weight
        self._at += 1

    def _end(self) -> None:
        self.tokens.append(Token(END, self._flags))
        if self._groups:
            raise Refusal("missing closing )", self.pattern)

    def _perl_group(self) -> None:
        start = self._at
        for opening in ("(?P<", "(?<") if self.go >= 22 else ("(?P<",):
            if self.pattern.startswith(opening, start) and len(self.pattern) > start + len(opening):
                self._named_group(len(opening))
                return
        flags, off, seen, position = self._flags, False, False, start + 1
        for position in range(start + 2, len(self.pattern)):
            char = self.pattern[position]
            if flag := _FLAGS.get(char, 0):
                flags, seen = flags & ~flag if off else flags | flag, True
            elif char == "-" and not off:
                off, seen = True, False
            elif char in ":)" and (seen or not off):
                self._at = position + 1
                if char == ":":
                    self._enter(position + 1, captures=False)
                self._flags = flags
                return
            else:
                break
        raise Refusal("invalid or unsupported Perl syntax", self.pattern[start : position + 1])

    def _named_group(self, opening: int) -> None:
        start, end = self._at, self.pattern.find(">", self._at)
        if end < 0:
            raise Refusal("invalid named capture", self.pattern[start:])
        name = self.pattern[start + opening : end]
        if not name.isascii() or not name.replace("_", "0").isalnum():
            raise Refusal("invalid named capture", self.pattern[start : end + 1])
        self._enter(end + 1, captures=True)

    # Repetition.

    def _quantifier(self) -> None:
        self._repeated(self.pattern[self._at], 0, 0, self._at + 1)

    def _count(self) -> None:
        count = re.compile(_COUNT).match(self.pattern, self._at)
        if not count:
            self._text("{", self._at + 1)
            return
        low = _bounded(count[1])
        high = low if count[2] is None else -1 if count[3] is None else _bounded(count[3])
        if max(low, high) > _MAX_REPEAT or -1 < high < low:
            raise Refusal("invalid repeat count", count[0])
        self.counted |= max(low, high) > 1
        self._repeated("{", low, high, count.end())

    def _repeated(self, operator: str, low: int, high: int, after: int) -> None:
        start, flags = self._at, self._flags
        if self.pattern.startswith("?", after):
            after, flags = after + 1, flags ^ LAZY
        if self._repeat[1] == start:
            raise Refusal("invalid nested repetition operator", self.pattern[self._repeat[0] : after])
        if not self._last_weight:
            raise Refusal("missing argument to repetition operator", self.pattern[start:after])
        self.tokens.append(Token(REPEAT, flags, operator, low=low, high=high))
        if operator == "{":
            self._last_weight = 1 if high == 0 else self._last_weight * max(1, high, low)
            if self._last_weight > _MAX_REPEAT:
                raise Refusal("invalid repeat count", self.pattern[start:after])
        self._repeat, self._at = (start, after), after

    # Escapes.

    def _escape(self) -> None:
        start, char = self._at, self.pattern[self._at + 1 : self._at + 2]
        if char == "Q":
            self._quoted()
        elif char and char in "AbBz":
            self._atom(Token(ASSERTION, self._flags, self.pattern[start : start + 2]), start + 2)
        elif member := self._set():
            self._atom(Token(CLASS, self._flags, members=(member,)), self._at)
        else:
            self._text(chr(self._character()), self._at)

    def _quoted(self) -> None:
        start = self._at + 2
        end = self.pattern.find("\\E", start)
        text, self._at = (self.pattern[start:], len(self.pattern)) if end < 0 else (self.pattern[start:end], end + 2)
        if text:
            self._text(text, self._at)

    def _set(self) -> Member | None:
        r"""Step over \d, \pN and the like; anything else stays for others to read."""
        escape = self.pattern[self._at : self._at + 2]
        if escape in ("\\p", "\\P"):
            return self._unicode_set(negated=escape == "\\P")
        if escape.lower() not in ASCII_SETS:
            return None
        self._at += 2
        return escape.lower(), escape.isupper()

    def _unicode_set(self, *, negated: bool) -> Member:
        start, after = self._at, self._at + 3
        name = self.pattern[start + 2 : after]
        if name == "{":
            after = self.pattern.find("}", start) + 1
            if not after:
                raise Refusal("invalid character class range", self.pattern[start:])
            name = self.pattern[start + 3 : after - 1]
        known = unicode_set(name.removeprefix("^"), self.go)
        if not known:
            raise Refusal("invalid character class range", self.pattern[start:after])
        self._at = min(after, len(self.pattern))
        return known, negated != name.startswith("^")

    def _character(self) -> int:
        """Step over the escape of one character."""
        pattern, start = self.pattern, self._at
        if start + 1 == len(pattern):
            raise Refusal("trailing backslash at end of expression", "")
        char = pattern[start + 1]
        self._at = start + 2
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char == "x":
            return self._hexadecimal()
        if octal := re.compile(_OCTAL).match(pattern, start):
            self._at = octal.end()
            return int(octal[1], 8)
        if char.isalnum() or not char.isascii():
            raise Refusal("invalid escape sequence", pattern[start : self._at])
        return ord(char)

    def _hexadecimal(self) -> int:
        start = self._at
        if self.pattern.startswith("{", start):
            return self._braced()
        digits = self.pattern[start : start + 2]
        if len(digits) < 2 or not _HEX_DIGITS.keys() >= set(digits):
            raise Refusal("invalid escape sequence", self.pattern[start - 2 : start + 2])
        self._at += 2
        return int(digits, 16)

    def _braced(self) -> int:
        start, value = self._at, 0
        end = start + 1
        while value <= _MAX_CHARACTER and (digit := _HEX_DIGITS.get(self.pattern[end : end + 1])) is not None:
            value, end = value * 16 + digit, end + 1
        if value > _MAX_CHARACTER:
            raise Refusal("invalid escape sequence", self.pattern[start - 2 : end])
        if end == start + 1 or not self.pattern.startswith("}", end):
            raise Refusal("invalid escape sequence", self.pattern[start - 2 : end + 1])
        self._at = end + 1
        return value

    # Classes.

    def _class(self) -> None:
        start = self._at
        negated = self.pattern.startswith("^", start + 1)
        self._at = first = start + 1 + negated
        members: list[Member] = []
        while self._at == first or not self.pattern.startswith("]", self._at):
            char = self.pattern[self._at : self._at + 1]
            named = self._posix_set() if char == "[" else self._set() if char == "\\" else None
            members.append(named or self._range(start))
        self._atom(Token(CLASS, self._flags, members=tuple(members), negated=negated), self._at + 1)

    def _posix_set(self) -> Member | None:
        start = self._at
        end = self.pattern.find(":]", start + 2) if self.pattern.startswith(":", start + 1) else -1
        if end < 0:
            return None
        name = self.pattern[start : end + 2]
        positive = name.replace("[:^", "[:", 1)
        if positive not in ASCII_SETS:
            raise Refusal("invalid character class range", name)
        self._at = end + 2
        return positive, positive != name

    def _range(self, start: int) -> Member:
        first = self._at
        low = high = self._class_character(start)
        if self.pattern.startswith("-", self._at) and self.pattern[self._at + 1 : self._at + 2] not in ("", "]"):
            self._at += 1
            high = self._class_character(start)
            if high < low:
                raise Refusal("invalid character class range", self.pattern[first : self._at])
        return low, high

    def _class_character(self, start: int) -> int:
        char = self.pattern[self._at : self._at + 1]
        if not char:
            raise Refusal("missing closing ]", self.pattern[start:])
        if char == "\\":
            return self._character()
        self._at += 1
        return ord(char)

    _HANDLERS: ClassVar[dict[str, Callable[[Reader], None]]] = {
        "(": _open,
        ")": _close,
        "*": _quantifier,
        "+": _quantifier,
        ".": _dot,
        "?": _quantifier,
        "[": _class,
        "\\": _escape,
        "^": _assertion,
        "$": _assertion,
        "{": _count,
        "|": _bar,
    }


def _bounded(digits: str) -> int:
    """The number, or one that is too large in place of all that are."""
    return int(digits) if len(digits) < 5 else _MAX_REPEAT + 1
