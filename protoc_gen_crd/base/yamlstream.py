"""A text to the documents in it, as apimachinery's reader splits a stream that may be JSON or YAML. Knows no YAML.

Source: k8s.io/apimachinery v0.37.2, pkg/util/yaml/decoder.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from protoc_gen_crd.base.goyaml.events import ReadError, mark_of
from protoc_gen_crd.base.goyaml.resolve import characters

_LOOKED_AT: Final = 4096  # bytes in which a brace must stand for a text to be taken for JSON
_RUNE: Final = 4
_BUFFER: Final = 4096
_RETURN: Final = ord("\r")
_SPACE: Final = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_SEPARATOR = re.compile(rb"^---([^\n]*)(\n|\Z)", re.MULTILINE)


def may_be_json(data: bytes) -> bool:
    """Whether the first thing in a text is a brace."""
    return characters(data[:_LOOKED_AT]).lstrip(_SPACE).startswith("{")


def rest_after_json(data: bytes, position: int) -> int | None:
    """Where YAML may start after JSON has ended at a position: past blanks and one line break. None if nothing can."""
    while len(data) - position >= _RUNE:
        char = characters(data[position : position + _RUNE])[0]
        if char == "\ufffd":
            return None
        if char not in _SPACE:
            return position
        position += len(char.encode())
        if char == "\n":
            return position
    return None


def documents(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Each document of a YAML stream, with the line from 0 on which it starts. Raises ReadError for a bad separator.

    A separator with nothing before it belongs to the document after it; every other one is dropped.
    """
    start = line = 0
    end = len(data) - _lost(data)
    for separator in _SEPARATOR.finditer(data):
        here = line + data.count(b"\n", start, separator.start())
        behind = characters(separator[1]).strip(_SPACE)
        if behind and not behind.startswith("#"):
            raise ReadError(f"invalid Yaml document separator: {behind}", mark_of(here, 0))
        if separator.start() > start:
            yield line, _with_plain_breaks(data[start : separator.start()])
            start, line = separator.end(), here + 1
    if start < end:
        yield line, _with_plain_breaks(data[start:end])


def _lost(data: bytes) -> int:
    """The length of the last line if Go's reader loses it: a line without a break that fills its buffer exactly."""
    line = data[data.rfind(b"\n") + 1 :]
    left = len(line)
    while left >= _BUFFER:
        left -= _BUFFER - (line[len(line) - left + _BUFFER - 1] == _RETURN)  # a return is kept back, with its line feed
    return 0 if left else len(line)


def _with_plain_breaks(data: bytes) -> bytes:
    lines = data.replace(b"\r\n", b"\n")
    return lines if lines.endswith(b"\n") else lines + b"\n"
