"""A reader of a stream of JSON values, which yields events and has the errors of Go's decoder.

Source: Go 1.26, encoding/json scanner.go and stream.go; sigs.k8s.io/json, decode.go, for the types of numbers.
"""

from __future__ import annotations

import re
from json import loads
from math import isinf
from typing import Final, NoReturn

from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.yaml.go_yaml.events import END, MAPPING, MAX_DEPTH, SCALAR, SEQUENCE, Event, ReadError, encode_mark
from protoc_gen_crd.yaml.go_yaml.scalar_resolver import INT64_MAX, INT64_MIN, Scalar

_SPACE = re.compile(r"[ \t\r\n]*")
_CHARACTERS = re.compile(r'(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|(?!))*+')
_ESCAPE_START = re.compile(r"(?:\\(?:u[0-9a-fA-F]{0,3})?)?")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][+-]?[0-9]*)?")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
_INT_CHARACTERS: Final = 20

# States: what the next token may be.
_FIRST_ITEM, _VALUE, _FIRST_KEY, _KEY, _COLON, _AFTER_MEMBER, _AFTER_ITEM, _DONE = range(8)
_NEXT: Final = {(_COLON, ":"): _VALUE, (_AFTER_MEMBER, ","): _KEY, (_AFTER_ITEM, ","): _VALUE}
_CLOSED_BY: Final = {(_FIRST_KEY, "}"), (_AFTER_MEMBER, "}"), (_FIRST_ITEM, "]"), (_AFTER_ITEM, "]")}
_STARTS: Final = {"{": (MAPPING, _AFTER_MEMBER, _FIRST_KEY), "[": (SEQUENCE, _AFTER_ITEM, _FIRST_ITEM)}
_INSTEAD: Final = {
    _FIRST_ITEM: "looking for beginning of value",
    _VALUE: "looking for beginning of value",
    _FIRST_KEY: "looking for beginning of object key string",
    _KEY: "looking for beginning of object key string",
    _COLON: "after object key",
    _AFTER_MEMBER: "after object key:value pair",
    _AFTER_ITEM: "after array element",
}


class JsonError(ReadError):
    """A syntax error; `offset` is the number of bytes up to and including the invalid one, 0 at the end."""

    def __init__(self, message: str, mark: int, offset: int = 0) -> None:
        super().__init__(message, mark)
        self.offset = offset


def parse_literal(literal: str) -> Scalar:
    """Return the value of a literal other than a string. Integers that fit into an int64 are int, all others float."""
    if literal in _WORDS:
        return _WORDS[literal]
    if len(literal) <= _INT_CHARACTERS and not set(literal) & set(".eE") and INT64_MIN <= int(literal) <= INT64_MAX:
        return int(literal)
    return float(literal)


class JsonStream:
    """A reader of the values of a stream.

    `line` is the line of the last value, from 0; the marks of its events are relative to it. `too_large` is the error
    for the first number in it that exceeds a float.
    """

    def __init__(self, data: bytes) -> None:
        self.text = data.decode(errors="surrogateescape")
        self.position = 0
        self.line = 0
        self.too_large: ReadError | None = None
        self._end = 0
        self._line = self._line_start = 0
        self._events: list[Event] = []
        self._open: list[int] = []  # for each open collection, the state after its next value

    def read_value(self) -> list[Event] | None:
        """Return the events of the next value; None at the end. Raises JsonError."""
        self._events, self._open, self.too_large = [], [], None
        self._skip_space()
        self.line += self._line
        self._line = 0
        if self.position == len(self.text):
            return None
        state = _VALUE
        while state != _DONE:
            self._skip_space()
            state = self._read_token(state, self._peek())
        self._end = self.position
        return self._events

    def expect_end(self) -> None:
        """Raise JsonError if anything but white space follows."""
        self._skip_space()
        if self.position != len(self.text):
            self._reject("after top-level value")

    @property
    def offset(self) -> int:
        """The number of bytes up to the end of the last value."""
        return self._count_bytes(self._end)

    def _count_bytes(self, position: int) -> int:
        return len(self.text[:position].encode(errors="surrogateescape"))

    def _get_mark(self) -> int:
        return encode_mark(self._line, self.position - self._line_start)

    def _skip_space(self) -> None:
        space = self._skip(_SPACE)
        if "\n" in space:
            self._line += space.count("\n")
            self._line_start = self.text.rindex("\n", 0, self.position) + 1

    def _peek(self) -> str:
        """Return the next character. Raises JsonError at the end."""
        if self.position == len(self.text):
            raise JsonError("unexpected EOF", self._get_mark())
        return self.text[self.position]

    def _reject(self, context: str) -> NoReturn:
        """Raise JsonError for the next character."""
        byte = self._peek().encode(errors="surrogateescape")[0]
        quoted = {0x22: '"', 0x27: "\\'"}.get(byte) or quote(chr(byte))[1:-1]
        raise JsonError(
            f"invalid character '{quoted}' {context}", self._get_mark(), self._count_bytes(self.position) + 1
        )

    def _read_token(self, state: int, char: str) -> int:
        """Read one token and return the next state."""
        if (state, char) in _NEXT:
            self.position += 1
            return _NEXT[state, char]
        if (state, char) in _CLOSED_BY:
            self._events.append((END, "", None, False, None, self._get_mark()))
            self._open.pop()
            self.position += 1
        elif char == '"' and state < _COLON:
            self._read_string()
            if state in (_FIRST_KEY, _KEY):
                return _COLON
        elif state in (_FIRST_ITEM, _VALUE) and char in "{[":
            return self._read_value_start(char)
        elif state in (_FIRST_ITEM, _VALUE) and char in "-0123456789tfn":
            self._read_literal(char)
        else:
            self._reject(_INSTEAD[state])
        return self._open[-1] if self._open else _DONE

    def _read_value_start(self, char: str) -> int:
        if len(self._open) == MAX_DEPTH:
            self._reject("exceeded max depth")
        kind, after, first = _STARTS[char]
        self._events.append((kind, "", None, False, None, self._get_mark()))
        self._open.append(after)
        self.position += 1
        return first

    def _read_string(self) -> None:
        mark = self._get_mark()
        self.position += 1
        characters = self._skip(_CHARACTERS)
        if self._peek() != '"':
            self._reject_string()
        self.position += 1
        value = loads(f'"{characters}"') if "\\" in characters else characters
        self._events.append((SCALAR, _SURROGATE.sub("\ufffd", value), None, False, None, mark))

    def _reject_string(self) -> NoReturn:
        escape = self._skip(_ESCAPE_START)
        if not escape:
            self._reject("in string literal")
        self._reject("in string escape code" if escape == "\\" else "in \\u hexadecimal character escape")

    def _read_literal(self, char: str) -> None:
        mark, start = self._get_mark(), self.position
        if char in "tfn":
            self._read_word(next(word for word in _WORDS if word[0] == char))
        else:
            self._read_number()
        self._events.append((SCALAR, self.text[start : self.position], None, True, None, mark))

    def _read_word(self, word: str) -> None:
        for letter in word:
            if self._peek() != letter:
                self._reject(f"in literal {word} (expecting '{letter}')")
            self.position += 1

    def _read_number(self) -> None:
        start = self.position
        match = _NUMBER.match(self.text, start)
        whole, fraction, exponent = match.groups() if match else ("", "", "")
        self.position = match.end() if match else start
        if not whole:
            self.position = start + 1
            self._reject("in numeric literal")
        if fraction == ".":
            self.position = start + self.text[start : self.position].index(".") + 1
            self._reject("after decimal point in numeric literal")
        if exponent and not exponent[-1].isdigit():
            self._reject("in exponent of numeric literal")
        number = self.text[start : self.position]
        if not self.too_large and isinf(float(number)):
            problem = f"json: cannot unmarshal number {number} into Go value of type float64"
            self.too_large = ReadError(problem, self._get_mark() - len(number))

    def _skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return match[0] if match else ""
