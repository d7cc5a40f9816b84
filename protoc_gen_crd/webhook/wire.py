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

_MOST_NESTED = 600  # frames of the C reader, one for each level
_LONGEST = 7 << 19  # characters: 3 MiB of an API server's request, and what a conversion may put aside
_PIECE = 1 << 21  # bytes that are decoded at a time
_OPEN = 2  # characters behind what may be a whole number, of one that goes on: e-
_SPACE = re.compile(r"[ \t\n\r]*")
_HALF = re.compile("[\ud800-\udfff]")  # of a character that takes two in UTF-16
ITEM = "request.objects[]"

T = TypeVar("T")


def _refused(text: str) -> NoReturn:
    raise ValueError(text)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


_READER = json.JSONDecoder(parse_constant=_refused, parse_float=_finite)
_WRITER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, ensure_ascii=False)


def members(data: Data) -> Iterator[tuple[str, Any]]:
    """The members of a review and of its request, and each of its objects, by path; a value that is no object alone.

    Raises MalformedError where the body turns out to be no JSON, or has a value that is too long or nested too deep.
    """
    text = _Text(data)
    if text.opens("{"):
        for name in text.names():
            if name == "request" and text.opens("{"):
                yield from _of_request(text)
            else:
                yield name, text.value()
    else:
        yield "", text.value()
    text.end()


def _of_request(text: _Text) -> Iterator[tuple[str, Any]]:
    for name in text.names():
        if name == "objects" and text.opens("["):
            for _ in text.until("]"):
                yield ITEM, text.value()
        else:
            yield f"request.{name}", text.value()


class _Text:
    """A place in the text of a body, of which as much is decoded as is being looked at."""

    def __init__(self, data: Data) -> None:
        self._data, self._read = memoryview(data), 0
        self._decode = codecs.getincrementaldecoder("utf-8")().decode
        self._text, self._at, self._before = "", 0, 0

    def value(self) -> Any:
        """The value that comes next."""
        self._next()
        while True:
            try:
                value, end = _shallow(lambda: _READER.raw_decode(self._text, self._at))
            except RecursionError:
                raise MalformedError("the body is nested too deep") from None
            except ValueError as error:
                if not self._more():
                    raise self._no_json(getattr(error, "pos", None)) from None
            else:
                if end + _OPEN < len(self._text) or not self._more():
                    self._pass(end)
                    return value

    def _pass(self, end: int) -> None:
        if end - self._at > _LONGEST:
            raise _too_long()
        self._at = end

    def opens(self, bracket: str) -> bool:
        """Whether a bracket comes next; it is passed."""
        found = self._next() == bracket
        self._at += found
        return found

    def until(self, bracket: str) -> Iterator[None]:
        """Once for each member, at which it stands, until a bracket closes them."""
        if self.opens(bracket):
            return
        yield
        while self.opens(","):
            yield
        self._must(bracket)

    def names(self) -> Iterator[str]:
        """The names of an object's members, each with what follows it at its value."""
        for _ in self.until("}"):
            if self._next() != '"':
                raise self._no_json(self._at)
            name = self.value()
            self._must(":")
            yield name

    def end(self) -> None:
        """There must be no more."""
        if self._next():
            raise self._no_json(self._at)

    def _must(self, char: str) -> None:
        if not self.opens(char):
            raise self._no_json(self._at)

    def _next(self) -> str:
        """The next character that is no space, empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _more(self) -> bool:
        """Decode further, and forget what has been passed; False at the end."""
        if self._read >= len(self._data):
            return False
        if len(self._text) - self._at > _LONGEST:
            raise _too_long()
        piece = self._data[self._read : self._read + _PIECE]
        self._read += len(piece)
        try:
            added = self._decode(piece, final=self._read == len(self._data))
        except UnicodeDecodeError:
            raise MalformedError("the body is no JSON") from None
        self._before += self._at
        self._text, self._at = self._text[self._at :] + added, 0
        return True

    def _no_json(self, at: int | None) -> MalformedError:
        return MalformedError(f"the body is no JSON{'' if at is None else f' at character {self._before + at}'}")


def _too_long() -> MalformedError:
    return MalformedError(f"the body must have values of at most {_LONGEST:,} characters")


def written(value: Any) -> bytes:
    """A value as a body. Raises ValueError for what is no JSON, or nested too deep."""
    try:
        text = _shallow(lambda: _WRITER.encode(value))
    except (RecursionError, TypeError) as error:
        raise ValueError(str(error)) from None
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return _HALF.sub("\ufffd", text).encode("utf-8")  # as Go reads it


def _shallow(work: Callable[[], T]) -> T:
    """Do something with a low limit on recursion: the C stack would not stand the one that walks in Python need."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(min(limit, _MOST_NESTED))
    try:
        return work()
    finally:
        sys.setrecursionlimit(limit)
