"""A text to the documents in it, as apimachinery's reader splits a stream that may be JSON or YAML. Knows no YAML.

Source: k8s.io/apimachinery v0.37.2, pkg/util/yaml/decoder.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from protoc_gen_crd.yaml.go_yaml.events import ReadError, encode_mark
from protoc_gen_crd.yaml.go_yaml.resolver import decode_utf8

_DETECTION_BYTES: Final = 4096  # bytes in which a brace must stand for a text to be taken for JSON
_RUNE: Final = 4
_BUFFER: Final = 4096
_RETURN: Final = ord("\r")
_SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_SEPARATOR = re.compile(rb"^---([^\n]*)(\n|\Z)", re.MULTILINE)


def can_be_json(data: bytes) -> bool:
    """Whether the first thing in a text is a brace."""
    return decode_utf8(data[:_DETECTION_BYTES]).lstrip(_SPACE).startswith("{")


def find_yaml_start(data: bytes, position: int) -> int | None:
    """Where YAML may start after JSON has ended at a position: past blanks and one line break. None if nothing can."""
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
    """Each document of a YAML stream, with the line from 0 on which it starts. Raises ReadError for a bad separator.

    A separator with nothing before it belongs to the document after it; every other one is dropped.
    """
    start = line = 0
    end = len(data) - _count_lost_bytes(data)
    for separator in _SEPARATOR.finditer(data):
        here = line + data.count(b"\n", start, separator.start())
        behind = decode_utf8(separator[1]).strip(_SPACE)
        if behind and not behind.startswith("#"):
            raise ReadError(f"invalid Yaml document separator: {behind}", encode_mark(here, 0))
        if separator.start() > start:
            yield line, _normalize_breaks(data[start : separator.start()])
            start, line = separator.end(), here + 1
    if start < end:
        yield line, _normalize_breaks(data[start:end])


def _count_lost_bytes(data: bytes) -> int:
    """The length of the last line if Go's reader loses it: a line without a break that fills its buffer exactly."""
    line = data[data.rfind(b"\n") + 1 :]
    left = len(line)
    while left >= _BUFFER:
        left -= _BUFFER - (line[len(line) - left + _BUFFER - 1] == _RETURN)  # a return is kept back, with its line feed
    return 0 if left else len(line)


def _normalize_breaks(data: bytes) -> bytes:
    lines = data.replace(b"\r\n", b"\n")
    return lines if lines.endswith(b"\n") else lines + b"\n"
