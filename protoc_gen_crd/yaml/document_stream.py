"""Splitting of a stream into documents, as apimachinery's reader of JSON or YAML does.

Source: k8s.io/apimachinery v0.37.2, pkg/util/yaml/decoder.go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from protoc_gen_crd.yaml.go_yaml.events import ReadError, encode_mark
from protoc_gen_crd.yaml.go_yaml.scalar_resolver import decode_utf8

_DETECTION_BYTES: Final = 4096  # bytes in which a brace is looked for to detect JSON
_RUNE: Final = 4
_BUFFER: Final = 4096
_RETURN: Final = ord("\r")
_BREAK: Final = ord("\n")
_SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_DASHES: Final = b"---"
_SEPARATOR: Final = rb"---([^\n]*)(\n|\Z)"  # at the start of a line


def can_be_json(data: bytes) -> bool:
    """Return whether the first character after white space is a brace."""
    return decode_utf8(data[:_DETECTION_BYTES]).lstrip(_SPACE).startswith("{")


def find_yaml_start(data: bytes, position: int) -> int | None:
    """Return where YAML may start after JSON that ends at a position: after blanks and one line break.

    None if only white space follows.
    """
    while len(data) - position >= _RUNE:
        char = decode_utf8(data[position : position + _RUNE])[0]
        if char == "\ufffd":
            return None
        if char not in _SPACE:
            return position
        position += len(char.encode())
        if char == "\n":
            return position
    return None


def split_documents(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the documents of a YAML stream with their first lines, from 0. Raises ReadError for a bad separator.

    A separator with nothing before it belongs to the document after it; all others are dropped.
    """
    for line, start, end in _find_documents(data):
        yield line, _normalize_breaks(data[start:end])


def blank_documents(data: bytes, is_blanked: Callable[[bytes], bool]) -> bytes:
    """Return a YAML stream with only the line breaks of some documents. Raises ReadError for a bad separator."""
    pieces, position = list[bytes](), 0
    for _, start, end in _find_documents(data):
        if is_blanked(_normalize_breaks(data[start:end])):
            pieces += [data[position:start], b"\n" * data.count(b"\n", start, end)]
            position = end
    return b"".join([*pieces, data[position:]])


def _find_documents(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the first line, the start and the end of each document."""
    start = line = 0
    end = len(data) - _count_lost_bytes(data)
    for separator in _find_separators(data):
        separator_line = line + data.count(b"\n", start, separator.start())
        suffix = decode_utf8(separator[1]).strip(_SPACE)
        if suffix and not suffix.startswith("#"):
            raise ReadError(f"invalid Yaml document separator: {suffix}", encode_mark(separator_line, 0))
        if separator.start() > start:
            yield line, start, separator.start()
            start, line = separator.end(), separator_line + 1
    if start < end:
        yield line, start, end


def _find_separators(data: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the lines that start with dashes; a regular expression alone would take four times as long to find them."""
    at = data.find(_DASHES)
    while at >= 0:
        separator = re.compile(_SEPARATOR).match(data, at) if not at or data[at - 1] == _BREAK else None
        if separator:
            yield separator
        at = data.find(_DASHES, separator.end() if separator else at + 1)


def _count_lost_bytes(data: bytes) -> int:
    """Return the length of the last line if Go's reader loses it, otherwise 0.

    It loses a line without a line break that fills its buffer exactly.
    """
    line = data[data.rfind(b"\n") + 1 :]
    left = len(line)
    while left >= _BUFFER:
        left -= _BUFFER - (line[len(line) - left + _BUFFER - 1] == _RETURN)  # "\r" stays in the buffer with its "\n"
    return 0 if left else len(line)


def _normalize_breaks(data: bytes) -> bytes:
    lines = data.replace(b"\r\n", b"\n") if b"\r" in data else data
    return lines if lines.endswith(b"\n") else lines + b"\n"
