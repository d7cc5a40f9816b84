"""Decoding of bytes as in go-yaml's reader: UTF-8 or, after a byte order mark, UTF-16.

The reader decodes chunks of 512 bytes ahead of the scanner, so an invalid byte is reported when its chunk is read, not
when the scanner reaches it. The reader also checks for a byte order mark at the start of its buffer instead of at the
current position. Both affect errors and the meaning of documents with byte order marks, so both are reproduced.

Source: go.yaml.in/yaml/v2 v2.4.4, readerc.go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from protoc_gen_crd.yaml.go_yaml.events import ReadError, encode_mark

NUL = "\0"
BOM = "\ufeff"

_CHUNK_SIZE = 512
_AHEAD = 4  # characters that the scanner reads without a check for the end
_UNBOUNDED = 1 << 62
_LINE_BREAK = "\r\n|[\n\r\x85\u2028\u2029]"
_INVALID = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"  # none is printable

_LEADS = {1: (0x80, 0x00), 2: (0xE0, 0xC0), 3: (0xF0, 0xE0), 4: (0xF8, 0xF0)}  # by width

_Problem = tuple[str, int]  # message, and the number of bytes in which it is detected; 0: only at the end


class Characters:
    """The characters of one document, followed by NULs, and the position of the reader."""

    def __init__(self, data: bytes) -> None:
        codec, skipped = _detect_encoding(data)
        text, problem = _decode(data[skipped:], codec)
        self.text = text + NUL * _AHEAD
        self.base = 0  # the start of the buffer
        self.marked = BOM in text
        self.watched = self.marked or problem is not None
        self.loaded = 0 if self.watched else _UNBOUNDED
        self._length = len(text)
        self._chunk_ends = _split_chunks(text, codec, skipped, problem) if self.watched else iter(())

    def load(self, position: int, count: int) -> None:
        """Buffer `count` characters from a position on. Raises ReadError for invalid bytes."""
        self.base = position
        while self.loaded < position + count:
            end = next(self._chunk_ends, None)
            if end is None:  # the end is represented by one NUL at a time
                self.loaded = max(self.loaded, self._length) + 1
                return
            self.loaded = end


def _detect_encoding(data: bytes) -> tuple[str, int]:
    for mark, codec in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"\xef\xbb\xbf", "utf-8")):
        if data.startswith(mark):
            return codec, len(mark)
    return "utf-8", 0


def _decode(data: bytes, codec: str) -> tuple[str, _Problem | None]:
    """Return the characters up to the first error, and the error."""
    problem: _Problem | None = None
    try:
        decoded = data.decode(codec)
    except UnicodeDecodeError as error:
        decoded = data[: error.start].decode(codec)
        problem = (_find_utf8_error if codec == "utf-8" else _find_utf16_error)(
            data[error.start : error.start + 4], codec
        )
    if not decoded.replace("\n", "").isprintable() and (invalid := re.search(_INVALID, decoded)):
        problem = "control characters are not allowed", _get_width_function(codec)(invalid[0])
        decoded = decoded[: invalid.start()]
    return decoded, problem


def _find_utf8_error(data: bytes, _: str) -> _Problem:
    lead = data[0]
    width = get_utf8_width(lead)
    if not width:
        return "invalid leading UTF-8 octet", 1
    if width > len(data):
        return "incomplete UTF-8 octet sequence", 0
    if any(octet & 0xC0 != 0x80 for octet in data[1:width]):
        return "invalid trailing UTF-8 octet", width
    overlong = lead in (0xC0, 0xC1) or (lead == 0xE0 and data[1] < 0xA0) or (lead == 0xF0 and data[1] < 0x90)
    return "invalid length of a UTF-8 sequence" if overlong else "invalid Unicode character", width


def get_utf8_width(lead: int) -> int:
    """Return the number of bytes of a character by its first byte; 0 if the byte is invalid."""
    return next((width for width, (mask, bits) in _LEADS.items() if lead & mask == bits), 0)


def _find_utf16_error(data: bytes, codec: str) -> _Problem:
    if len(data) < 2:
        return "incomplete UTF-16 character", 0
    if data[1 if codec == "utf-16-le" else 0] & 0xFC == 0xDC:
        return "unexpected low surrogate area", 2
    if len(data) < 4:
        return "incomplete UTF-16 surrogate pair", 0
    return "expected low surrogate area", 4


def _get_width_function(codec: str) -> Callable[[str], int]:
    if codec == "utf-8":
        return lambda char: len(char.encode())
    return lambda char: 2 if char < "\U00010000" else 4


def _split_chunks(text: str, codec: str, used: int, problem: _Problem | None) -> Iterator[int]:
    """Yield the ends of the chunks of characters. Raises ReadError at the position of the problem."""
    width = _get_width_function(codec)
    for index, char in enumerate(text):
        size = width(char)
        if used + size > _CHUNK_SIZE:
            yield index
            used = 0
        used += size
    if problem is None:
        yield len(text)
        return
    message, size = problem
    if not size or used + size > _CHUNK_SIZE:
        yield len(text)
    lines = re.split(_LINE_BREAK, text)
    raise ReadError(f"yaml: {message}", encode_mark(len(lines) - 1, len(lines[-1])))
