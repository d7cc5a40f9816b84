"""JSON of reviews as Go reads and writes it, read member by member, so that only one value is in memory.

The nesting and the length of a value are limited: API servers accept no longer objects.

Source: k8s.io/apiserver pkg/server/config.go (MaxRequestBodyBytes).
"""

from __future__ import annotations

import codecs
import json
import math
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, NoReturn, TypeVar

from protoc_gen_crd.webhook.review_types import MalformedError

Data = bytes | bytearray

_MAX_NESTING = 600  # frames of the C reader, one for each level
_MAX_VALUE_LENGTH = 7 << 19  # characters: 3 MiB of an API server's request, and conversion data
_CHUNK_SIZE = 1 << 21  # bytes that are decoded at a time
_NUMBER_LOOKAHEAD = 2  # characters after an integer that may still be a longer number: e-
_SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile("[\ud800-\udfff]")  # half of a surrogate pair
MemberPath = tuple[str, ...]  # names, of which a body may have any: () is the body, if it is not an object
MemberReader = Callable[[], Iterator[tuple[MemberPath, Any]]]  # each call reads the members again
ITEM: MemberPath = ("request", "objects", "[]")

T = TypeVar("T")


def _reject_constant(constant: str) -> NoReturn:
    raise ValueError(constant)


def _parse_finite(literal: str) -> float:
    number = float(literal)
    if math.isinf(number):
        raise ValueError(literal)
    return number


_READER = json.JSONDecoder(parse_constant=_reject_constant, parse_float=_parse_finite)
_WRITER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def read_members(data: Data) -> Iterator[tuple[MemberPath, Any]]:
    """Yield the members of a review, of its request, and its objects, by path; a body other than an object as a whole.

    Raises MalformedError if the body is not JSON, or if a value is too long or nested too deeply.
    """
    reader = _ReviewReader(data)
    if reader.accept("{"):
        for name in reader.read_names():
            if name == "request" and reader.accept("{"):
                yield from _read_request(reader)
            else:
                yield (name,), reader.read_value()
    else:
        yield (), reader.read_value()
    reader.expect_end()


def _read_request(reader: _ReviewReader) -> Iterator[tuple[MemberPath, Any]]:
    for name in reader.read_names():
        if name == "objects" and reader.accept("["):
            for _ in reader.iterate_until("]"):
                yield ITEM, reader.read_value()
        else:
            yield ("request", name), reader.read_value()


class _ReviewReader:
    """A reader of the JSON of a body, which is decoded in chunks."""

    def __init__(self, data: Data) -> None:
        self._data, self._bytes_read = memoryview(data), 0
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._text, self._at, self._dropped = "", 0, 0

    def read_value(self) -> Any:
        """Read the next value."""
        self._peek()
        while True:
            try:
                value, end = _limit_recursion(lambda: _READER.raw_decode(self._text, self._at))
            except RecursionError:
                raise MalformedError("the body is nested too deeply") from None
            except ValueError as error:
                if not self._decode_more():
                    raise self._make_error(getattr(error, "pos", None)) from None
            else:
                if end + _NUMBER_LOOKAHEAD < len(self._text) or not self._decode_more():
                    self._advance(end)
                    return value

    def _advance(self, end: int) -> None:
        if end - self._at > _MAX_VALUE_LENGTH:
            raise _make_too_long_error()
        self._at = end

    def accept(self, bracket: str) -> bool:
        """Skip a bracket if it is the next character. Return whether it was."""
        is_next = self._peek() == bracket
        self._at += is_next
        return is_next

    def iterate_until(self, bracket: str) -> Iterator[None]:
        """Yield at the start of each item until the closing bracket."""
        if self.accept(bracket):
            return
        yield
        while self.accept(","):
            yield
        self._expect(bracket)

    def read_names(self) -> Iterator[str]:
        """Yield the names of the members of an object, each before its value is read."""
        for _ in self.iterate_until("}"):
            if self._peek() != '"':
                raise self._make_error(self._at)
            name = self.read_value()
            self._expect(":")
            yield name

    def expect_end(self) -> None:
        """Raise MalformedError if anything but white space follows."""
        if self._peek():
            raise self._make_error(self._at)

    def _expect(self, char: str) -> None:
        if not self.accept(char):
            raise self._make_error(self._at)

    def _peek(self) -> str:
        """Return the next character after white space, empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._decode_more():
                return ""

    def _decode_more(self) -> bool:
        """Decode another chunk, and drop the characters that were read; False at the end."""
        if self._bytes_read >= len(self._data):
            return False
        if len(self._text) - self._at > _MAX_VALUE_LENGTH:
            raise _make_too_long_error()
        chunk = self._data[self._bytes_read : self._bytes_read + _CHUNK_SIZE]
        self._bytes_read += len(chunk)
        try:
            added = self._decode(chunk, final=self._bytes_read == len(self._data))
        except UnicodeDecodeError:
            raise MalformedError("the body is not valid JSON") from None
        self._dropped += self._at
        self._text, self._at = self._text[self._at :] + added, 0
        return True

    def _make_error(self, at: int | None) -> MalformedError:
        return MalformedError(
            f"the body is not valid JSON{'' if at is None else f' at character {self._dropped + at}'}"
        )


def _make_too_long_error() -> MalformedError:
    return MalformedError(f"a value of the body exceeds the limit of {_MAX_VALUE_LENGTH:,} characters")


def encode_json(value: Any) -> bytes:
    """Encode a value as JSON. Raises ValueError if it is not JSON or nested too deeply."""
    try:
        encoded = _limit_recursion(lambda: _WRITER.encode(value))
    except (RecursionError, TypeError) as error:
        raise ValueError(str(error)) from None
    try:
        return encoded.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", encoded).encode("utf-8")  # as Go reads it


def _limit_recursion(function: Callable[[], T]) -> T:
    """Call a function with a low recursion limit: the limit for Python code would overflow the C stack."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(min(limit, _MAX_NESTING))
    try:
        return function()
    finally:
        sys.setrecursionlimit(limit)
