"""A parser of patterns with the grammar and the errors of Go's `regexp/syntax` under the flags of `regexp.Compile`.

`parse_tree_builder` checks the size of a pattern, `character_classes` resolves its classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from protoc_gen_crd.regex.character_set_names import ASCII_SETS, find_unicode_set
from protoc_gen_crd.regex.pattern_tokens import (
    ASSERTION,
    BAR,
    CLASS,
    CLOSE,
    DOT,
    DOT_NL,
    END,
    FOLD,
    LAZY,
    LITERAL,
    MULTILINE,
    OPEN,
    REPEAT,
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


class RegexSyntaxError(Exception):
    """A syntax error; the message is Go's."""

    def __init__(self, reason: str, part: str) -> None:
        super().__init__(f"error parsing regexp: {reason}: `{part}`")


class PatternParser:
    """A parser of one pattern for one minor version of Go. `parse` sets `tokens` and `error`."""

    def __init__(self, pattern: str, go: int) -> None:
        self.pattern = pattern
        self.go = go
        self.tokens: list[Token] = []
        self.error: str | None = None  # with the tokens before it, which may already have exceeded a limit
        self.counted = False  # some {n} has a count of two or more
        self._at = 0
        self._flags = 0
        self._groups: list[tuple[int, int]] = []  # flags and weight to restore at the closing parenthesis
        # The weight of a counted repetition is the number of copies of its innermost part.
        self._weight = 1  # the heaviest atom of the group but the last
        self._last_weight = 0  # the last atom of the branch; zero while there is none
        self._repeat = (-1, -1)  # where the latest repetition operator began and ended

    def parse(self) -> PatternParser:
        """Parse the pattern up to its end or to the first error. Return self."""
        pattern, size = self.pattern, len(self.pattern)
        try:
            while self._at < size:
                self._HANDLERS.get(pattern[self._at], PatternParser._parse_plain)(self)
            self._finish()
        except RegexSyntaxError as error:
            self.error = str(error)
        if not pattern.isascii() and (invalid_utf8 := re.compile("[\udc80-\udcff]").search(pattern)):
            unclosed = self.error is not None and "missing closing" in self.error
            if self.error is None or unclosed or self._at > invalid_utf8.start():
                self.error = str(RegexSyntaxError("invalid UTF-8", pattern[invalid_utf8.start() :]))
        return self

    def _parse_plain(self) -> None:
        end = re.compile(_SPECIAL).search(self.pattern, self._at)
        after = end.start() if end else len(self.pattern)
        self._add_literal(self.pattern[self._at : after], after)

    def _add_atom(self, token: Token, after: int) -> None:
        self.tokens.append(token)
        self._weight = max(self._weight, self._last_weight)
        self._last_weight = 1
        self._at = after

    def _add_literal(self, literal: str, after: int) -> None:
        self._add_atom(Token(LITERAL, self._flags, literal), after)

    def _parse_dot(self) -> None:
        self._add_atom(Token(DOT, self._flags), self._at + 1)

    def _parse_assertion(self) -> None:
        self._add_atom(Token(ASSERTION, self._flags, self.pattern[self._at]), self._at + 1)

    # Groups and alternatives.

    def _parse_group_start(self) -> None:
        if self.pattern.startswith("(?", self._at):
            self._parse_perl_group()
        else:
            self._enter_group(self._at + 1, captures=True)

    def _enter_group(self, after: int, *, captures: bool) -> None:
        self.tokens.append(Token(OPEN, self._flags, captures=captures))
        self._groups.append((self._flags, max(self._weight, self._last_weight)))
        self._weight, self._last_weight, self._at = 1, 0, after

    def _parse_alternative(self) -> None:
        self.tokens.append(Token(BAR, self._flags))
        self._weight, self._last_weight = max(self._weight, self._last_weight), 0
        self._at += 1

    def _parse_group_end(self) -> None:
        self.tokens.append(Token(CLOSE, self._flags))
        if not self._groups:
            raise RegexSyntaxError("unexpected )", self.pattern)
        weight = max(self._weight, self._last_weight)
        self._flags, self._weight = self._groups.pop()
        self._last_weight = weight
        self._at += 1

    def _finish(self) -> None:
        self.tokens.append(Token(END, self._flags))
        if self._groups:
            raise RegexSyntaxError("missing closing )", self.pattern)

    def _parse_perl_group(self) -> None:
        start = self._at
        for opening in ("(?P<", "(?<") if self.go >= 22 else ("(?P<",):
            if self.pattern.startswith(opening, start) and len(self.pattern) > start + len(opening):
                self._parse_named_group(len(opening))
                return
        flags, negative, has_flag, position = self._flags, False, False, start + 1
        for position in range(start + 2, len(self.pattern)):
            char = self.pattern[position]
            if flag := _FLAGS.get(char, 0):
                flags, has_flag = flags & ~flag if negative else flags | flag, True
            elif char == "-" and not negative:
                negative, has_flag = True, False
            elif char in ":)" and (has_flag or not negative):
                self._at = position + 1
                if char == ":":
                    self._enter_group(position + 1, captures=False)
                self._flags = flags
                return
            else:
                break
        raise RegexSyntaxError("invalid or unsupported Perl syntax", self.pattern[start : position + 1])

    def _parse_named_group(self, opening: int) -> None:
        start, end = self._at, self.pattern.find(">", self._at)
        if end < 0:
            raise RegexSyntaxError("invalid named capture", self.pattern[start:])
        name = self.pattern[start + opening : end]
        if not name.isascii() or not name.replace("_", "0").isalnum():
            raise RegexSyntaxError("invalid named capture", self.pattern[start : end + 1])
        self._enter_group(end + 1, captures=True)

    # Repetition.

    def _parse_quantifier(self) -> None:
        self._add_repetition(self.pattern[self._at], 0, 0, self._at + 1)

    def _parse_count(self) -> None:
        count = re.compile(_COUNT).match(self.pattern, self._at)
        if not count:
            self._add_literal("{", self._at + 1)
            return
        low = _parse_bounded_int(count[1])
        high = low if count[2] is None else -1 if count[3] is None else _parse_bounded_int(count[3])
        if max(low, high) > _MAX_REPEAT or -1 < high < low:
            raise RegexSyntaxError("invalid repeat count", count[0])
        self.counted |= max(low, high) > 1
        self._add_repetition("{", low, high, count.end())

    def _add_repetition(self, operator: str, low: int, high: int, after: int) -> None:
        start, flags = self._at, self._flags
        if self.pattern.startswith("?", after):
            after, flags = after + 1, flags ^ LAZY
        if self._repeat[1] == start:
            raise RegexSyntaxError("invalid nested repetition operator", self.pattern[self._repeat[0] : after])
        if not self._last_weight:
            raise RegexSyntaxError("missing argument to repetition operator", self.pattern[start:after])
        self.tokens.append(Token(REPEAT, flags, operator, low=low, high=high))
        if operator == "{":
            self._last_weight = 1 if high == 0 else self._last_weight * max(1, high, low)
            if self._last_weight > _MAX_REPEAT:
                raise RegexSyntaxError("invalid repeat count", self.pattern[start:after])
        self._repeat, self._at = (start, after), after

    # Escapes.

    def _parse_escape(self) -> None:
        start, char = self._at, self.pattern[self._at + 1 : self._at + 2]
        if char == "Q":
            self._parse_quoted()
        elif char and char in "AbBz":
            self._add_atom(Token(ASSERTION, self._flags, self.pattern[start : start + 2]), start + 2)
        elif member := self._parse_set():
            self._add_atom(Token(CLASS, self._flags, members=(member,)), self._at)
        else:
            self._add_literal(chr(self._parse_character()), self._at)

    def _parse_quoted(self) -> None:
        start = self._at + 2
        end = self.pattern.find("\\E", start)
        literal, self._at = (self.pattern[start:], len(self.pattern)) if end < 0 else (self.pattern[start:end], end + 2)
        if literal:
            self._add_literal(literal, self._at)

    def _parse_set(self) -> Member | None:
        r"""Parse \d, \pN and the like. Return None for anything else and leave it unread."""
        escape = self.pattern[self._at : self._at + 2]
        if escape in ("\\p", "\\P"):
            return self._parse_unicode_set(negated=escape == "\\P")
        if escape.lower() not in ASCII_SETS:
            return None
        self._at += 2
        return escape.lower(), escape.isupper()

    def _parse_unicode_set(self, *, negated: bool) -> Member:
        start, after = self._at, self._at + 3
        name = self.pattern[start + 2 : after]
        if name == "{":
            after = self.pattern.find("}", start) + 1
            if not after:
                raise RegexSyntaxError("invalid character class range", self.pattern[start:])
            name = self.pattern[start + 3 : after - 1]
        set_name = find_unicode_set(name.removeprefix("^"), self.go)
        if not set_name:
            raise RegexSyntaxError("invalid character class range", self.pattern[start:after])
        self._at = min(after, len(self.pattern))
        return set_name, negated != name.startswith("^")

    def _parse_character(self) -> int:
        """Parse the escape of one character and return its code point."""
        pattern, start = self.pattern, self._at
        if start + 1 == len(pattern):
            raise RegexSyntaxError("trailing backslash at end of expression", "")
        char = pattern[start + 1]
        self._at = start + 2
        if char in _CONTROLS:
            return _CONTROLS[char]
        if char == "x":
            return self._parse_hexadecimal()
        if char in "01234567" and (octal := re.compile(_OCTAL).match(pattern, start)):
            self._at = octal.end()
            return int(octal[1], 8)
        if char.isalnum() or not char.isascii():
            raise RegexSyntaxError("invalid escape sequence", pattern[start : self._at])
        return ord(char)

    def _parse_hexadecimal(self) -> int:
        start = self._at
        if self.pattern.startswith("{", start):
            return self._parse_braced()
        digits = self.pattern[start : start + 2]
        if len(digits) < 2 or not _HEX_DIGITS.keys() >= set(digits):
            raise RegexSyntaxError("invalid escape sequence", self.pattern[start - 2 : start + 2])
        self._at += 2
        return int(digits, 16)

    def _parse_braced(self) -> int:
        start, value = self._at, 0
        end = start + 1
        while value <= _MAX_CHARACTER and (digit := _HEX_DIGITS.get(self.pattern[end : end + 1])) is not None:
            value, end = value * 16 + digit, end + 1
        if value > _MAX_CHARACTER:
            raise RegexSyntaxError("invalid escape sequence", self.pattern[start - 2 : end])
        if end == start + 1 or not self.pattern.startswith("}", end):
            raise RegexSyntaxError("invalid escape sequence", self.pattern[start - 2 : end + 1])
        self._at = end + 1
        return value

    # Classes.

    def _parse_class(self) -> None:
        start = self._at
        negated = self.pattern.startswith("^", start + 1)
        self._at = first = start + 1 + negated
        members: list[Member] = []
        while self._at == first or not self.pattern.startswith("]", self._at):
            char = self.pattern[self._at : self._at + 1]
            named = self._parse_posix_set() if char == "[" else self._parse_set() if char == "\\" else None
            members.append(named or self._parse_range(start))
        self._add_atom(Token(CLASS, self._flags, members=tuple(members), negated=negated), self._at + 1)

    def _parse_posix_set(self) -> Member | None:
        start = self._at
        end = self.pattern.find(":]", start + 2) if self.pattern.startswith(":", start + 1) else -1
        if end < 0:
            return None
        name = self.pattern[start : end + 2]
        positive = name.replace("[:^", "[:", 1)
        if positive not in ASCII_SETS:
            raise RegexSyntaxError("invalid character class range", name)
        self._at = end + 2
        return positive, positive != name

    def _parse_range(self, start: int) -> Member:
        first = self._at
        low = high = self._parse_class_character(start)
        if self.pattern.startswith("-", self._at) and self.pattern[self._at + 1 : self._at + 2] not in ("", "]"):
            self._at += 1
            high = self._parse_class_character(start)
            if high < low:
                raise RegexSyntaxError("invalid character class range", self.pattern[first : self._at])
        return low, high

    def _parse_class_character(self, start: int) -> int:
        char = self.pattern[self._at : self._at + 1]
        if not char:
            raise RegexSyntaxError("missing closing ]", self.pattern[start:])
        if char == "\\":
            return self._parse_character()
        self._at += 1
        return ord(char)

    _HANDLERS: ClassVar[dict[str, Callable[[PatternParser], None]]] = {
        "(": _parse_group_start,
        ")": _parse_group_end,
        "*": _parse_quantifier,
        "+": _parse_quantifier,
        ".": _parse_dot,
        "?": _parse_quantifier,
        "[": _parse_class,
        "\\": _parse_escape,
        "^": _parse_assertion,
        "$": _parse_assertion,
        "{": _parse_count,
        "|": _parse_alternative,
    }


def _parse_bounded_int(digits: str) -> int:
    """Return the number, or a number above the limit if there are too many digits."""
    return int(digits) if len(digits) < 5 else _MAX_REPEAT + 1
