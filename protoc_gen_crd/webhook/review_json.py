"""Reviews as bytes: JSON as Go reads and writes it, member by member, so that one value is there at a time.

Bounds are on the nesting of a value and on its length: API servers take no object that is longer.

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

from protoc_gen_crd.webhook.review import MalformedError

Data = bytes | bytearray

_MAX_NESTING = 600  # frames of the C reader, one for each level
_MAX_VALUE_LENGTH = 7 << 19  # characters: 3 MiB of an API server's request, and what a conversion may put aside
_CHUNK_SIZE = 1 << 21  # bytes that are decoded at a time
_NUMBER_LOOKAHEAD = 2  # characters behind what may be a whole number, of one that goes on: e-
_SPACE = re.compile(r"[ \t\n\r]*")
_SURROGATE = re.compile("[\ud800-\udfff]")  # of a character that takes two in UTF-16
ITEM = "request.objects[]"

T = TypeVar("T")


def _reject_constant(text: str) -> NoReturn:
    raise ValueError(text)


def _parse_finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


_READER = json.JSONDecoder(parse_constant=_reject_constant, parse_float=_parse_finite)
_WRITER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def read_members(data: Data) -> Iterator[tuple[str, Any]]:
    """The members of a review and of its request, and each of its objects, by path; a value that is no object alone.

    Raises MalformedError where the body turns out to be no JSON, or has a value that is too long or nested too deep.
    """
    text = _ReviewReader(data)
    if text.accept("{"):
        for name in text.read_names():
            if name == "request" and text.accept("{"):
                yield from _read_request(text)
            else:
                yield name, text.read_value()
    else:
        yield "", text.read_value()
    text.expect_end()


def _read_request(text: _ReviewReader) -> Iterator[tuple[str, Any]]:
    for name in text.read_names():
        if name == "objects" and text.accept("["):
            for _ in text.iterate_until("]"):
                yield ITEM, text.read_value()
        else:
            yield f"request.{name}", text.read_value()


class _ReviewReader:
    """A place in the text of a body, of which as much is decoded as is being looked at."""

    def __init__(self, data: Data) -> None:
        self._data, self._read = memoryview(data), 0
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._text, self._at, self._before = "", 0, 0

    def read_value(self) -> Any:
        """The value that comes next."""
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
        """Check whether a bracket comes next; it is passed."""
        found = self._peek() == bracket
        self._at += found
        return found

    def iterate_until(self, bracket: str) -> Iterator[None]:
        """Once for each member, at which it stands, until a bracket closes them."""
        if self.accept(bracket):
            return
        yield
        while self.accept(","):
            yield
        self._expect(bracket)

    def read_names(self) -> Iterator[str]:
        """The names of an object's members, each with what follows it at its value."""
        for _ in self.iterate_until("}"):
            if self._peek() != '"':
                raise self._make_error(self._at)
            name = self.read_value()
            self._expect(":")
            yield name

    def expect_end(self) -> None:
        """There must be no more."""
        if self._peek():
            raise self._make_error(self._at)

    def _expect(self, char: str) -> None:
        if not self.accept(char):
            raise self._make_error(self._at)

    def _peek(self) -> str:
        """The next character that is no space, empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._decode_more():
                return ""

    def _decode_more(self) -> bool:
        """Decode further, and forget what has been passed; False at the end."""
        if self._read >= len(self._data):
            return False
        if len(self._text) - self._at > _MAX_VALUE_LENGTH:
            raise _make_too_long_error()
        piece = self._data[self._read : self._read + _CHUNK_SIZE]
        self._read += len(piece)
        try:
            added = self._decode(piece, final=self._read == len(self._data))
        except UnicodeDecodeError:
            raise MalformedError("the body is not valid JSON") from None
        self._before += self._at
        self._text, self._at = self._text[self._at :] + added, 0
        return True

    def _make_error(self, at: int | None) -> MalformedError:
        return MalformedError(f"the body is not valid JSON{'' if at is None else f' at character {self._before + at}'}")


def _make_too_long_error() -> MalformedError:
    return MalformedError(f"a value of the body exceeds the limit of {_MAX_VALUE_LENGTH:,} characters")


def encode_json(value: Any) -> bytes:
    """A value as a body. Raises ValueError for what is no JSON, or nested too deep."""
    try:
        text = _limit_recursion(lambda: _WRITER.encode(value))
    except (RecursionError, TypeError) as error:
        raise ValueError(str(error)) from None
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text).encode("utf-8")  # as Go reads it


def _limit_recursion(work: Callable[[], T]) -> T:
    """Do something with a low limit on recursion: the C stack would not stand the one that walks in Python need."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(min(limit, _MAX_NESTING))
    try:
        return work()
    finally:
        sys.setrecursionlimit(limit)
