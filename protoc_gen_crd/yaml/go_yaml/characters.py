"""Bytes to characters as go-yaml's reader hands them out: UTF-8 or, after a byte order mark, UTF-16.

The reader decodes 512 bytes ahead of what the scanner asks for, so a bad byte is reported when its stretch of bytes is
wanted, not when the scanner comes to it. It also takes "a byte order mark stands here" for "at the start of what is
buffered". Both show in which error is reported and what a text with inner marks means, so both are kept.

Source: go.yaml.in/yaml/v2 v2.4.4, readerc.go. Knows nothing of YAML.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from protoc_gen_crd.yaml.go_yaml.events import ReadError

NUL = "\0"
BOM = "\ufeff"

_CHUNK_SIZE = 512
_AHEAD = 4  # characters that the scanner looks at without asking whether there are so many
_UNBOUNDED = 1 << 62
_REFUSED = re.compile("[^\\t\\n\\r\\x20-\\x7e\\x85\\xa0-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")

_LEADS = {1: (0x80, 0x00), 2: (0xE0, 0xC0), 3: (0xF0, 0xE0), 4: (0xF8, 0xF0)}  # by width

_Problem = tuple[str, int]  # text, and how many bytes must be there to see it; 0: it shows at the end only


class Characters:
    """The characters of one document, closed by NULs, and how far the reader has got with them."""

    def __init__(self, data: bytes) -> None:
        codec, skipped = _detect_encoding(data)
        text, problem = _decode(data[skipped:], codec)
        self.text = text + NUL * _AHEAD
        self.base = 0  # where what is buffered starts
        self.marked = BOM in text
        self.watched = self.marked or problem is not None
        self.loaded = 0 if self.watched else _UNBOUNDED
        self._length = len(text)
        self._stretches = _split_chunks(text, codec, skipped, problem) if self.watched else iter(())

    def load(self, position: int, count: int) -> None:
        """Buffer `count` characters from a position on. Raises ReadError for bytes that are no text."""
        self.base = position
        while self.loaded < position + count:
            end = next(self._stretches, None)
            if end is None:  # one NUL at a time stands for the end
                self.loaded = max(self.loaded, self._length) + 1
                return
            self.loaded = end


def _detect_encoding(data: bytes) -> tuple[str, int]:
    for mark, codec in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"\xef\xbb\xbf", "utf-8")):
        if data.startswith(mark):
            return codec, len(mark)
    return "utf-8", 0


def _decode(data: bytes, codec: str) -> tuple[str, _Problem | None]:
    """The text up to the first thing that is refused, and what that is."""
    problem: _Problem | None = None
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        text = data[: error.start].decode(codec)
        problem = (_find_utf8_error if codec == "utf-8" else _find_utf16_error)(
            data[error.start : error.start + 4], codec
        )
    if refused := _REFUSED.search(text):
        problem = "control characters are not allowed", _get_width_function(codec)(refused[0])
        text = text[: refused.start()]
    return text, problem


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
    """How many bytes a character has whose first byte this is; 0 if none starts so."""
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
    """Where each stretch of characters ends that is decoded at one time."""
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
    raise ReadError(f"yaml: {message}")
