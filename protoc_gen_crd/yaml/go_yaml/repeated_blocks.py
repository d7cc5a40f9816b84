"""Repeated blocks of a document, such as equal schemas of a CRD's versions, which are read once and shared.

Later copies are removed before the document is parsed, and restored in the value afterwards. If it is not certain that
this has no effect, the document is parsed as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from protoc_gen_crd.yaml.go_yaml.decoder import DecodedDocument, get_mark
from protoc_gen_crd.yaml.go_yaml.events import decode_mark

_PLACEHOLDER: Final = "protoc-gen-crd-copy-"
_MIN_BLOCK_SIZE: Final = 2_000  # bytes from which a block is shared
_UNICODE_BREAKS = b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9"


class RepeatedBlocks:
    """The repeated blocks below a key; `text` is the input without the copies."""

    def __init__(self, data: bytes, key: str) -> None:
        self.text = data
        self._key = key
        self._firsts: dict[int, int] = {}  # the line of the key of a first block, and the line after the block
        self._copies: dict[str, tuple[int, int]] = {}  # by placeholder: the line of a copy, and that of its first block
        if _PLACEHOLDER.encode() not in data and not _has_other_breaks(data):
            self._cut_copies(data)

    @property
    def key_lines(self) -> dict[int, bool]:
        """The lines of the keys of first blocks and copies, if there are copies; True for copies."""
        pairs = self._copies.values()
        return {**{first: False for _, first in pairs}, **{line: True for line, _ in pairs}}

    def __bool__(self) -> bool:
        return bool(self._copies)

    def _cut_copies(self, data: bytes) -> None:
        first_lines: dict[tuple[bytes, bytes], int] = {}
        pieces: list[bytes] = []
        end = line = counted = 0
        for match in _find_blocks(data, self._key.encode()):
            if len(match[2]) < _MIN_BLOCK_SIZE:
                continue
            line += data.count(b"\n", counted, match.start())
            counted = match.start()
            first = first_lines.setdefault((match[1], match[2]), line)
            lines = match[2].count(b"\n")
            if first == line:
                self._firsts[line] = line + 1 + lines
                continue
            placeholder = f"{_PLACEHOLDER}{len(self._copies)}"
            self._copies[placeholder] = line, first
            pieces += [data[end : match.start(2) - 1], b" " + placeholder.encode() + b"\n" * (lines + 1)]
            end = match.end()
        self.text = b"".join([*pieces, data[end:]])

    def restore(self, document: DecodedDocument) -> bool:
        """Restore the copies. Return False if the value may differ from that of the whole input."""
        if document.duplicates:
            return False
        finder = _BlockFinder(self._key)
        finder.search(document)
        ends = {first: self._firsts[first] for _, first in self._copies.values()}
        lines = self.text.split(b"\n")
        if not all(first in finder.values and _is_block_ended(lines, end, finder.lines) for first, end in ends.items()):
            return False
        if {placeholder: place[0] for placeholder, place in finder.placeholders.items()} != {
            placeholder: line for placeholder, (line, _) in self._copies.items()
        }:
            return False
        for placeholder, (line, first) in self._copies.items():
            _, members, member_places = finder.placeholders[placeholder]
            value, place = finder.values[first]
            offset = line - first + (place[2] if len(place) == 3 else 0)
            members[self._key] = value
            member_places[self._key] = member_places[self._key][0], (get_mark(place), place[1], offset)
        return True


def _find_blocks(data: bytes, key: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the key with its lines, which are indented more, with the indentation and the lines as groups."""
    line = b"%s:\n" % key
    pattern = re.compile(rb"( *)%s((?:\1 .*\n|\n)+)" % re.escape(line))
    at = data.find(line)
    while at >= 0:
        match = pattern.match(data, data.rfind(b"\n", 0, at) + 1)
        if match:
            yield match
        at = data.find(line, match.end() if match else at + 1)


def _has_other_breaks(data: bytes) -> bool:
    """Return whether there are line breaks that would be miscounted."""
    return b"\r" in data or (not data.isascii() and any(sign in data for sign in _UNICODE_BREAKS))


class _BlockFinder:
    """A search for the values of a key, by the line of the key, and for the lines on which keys and values start."""

    def __init__(self, key: str) -> None:
        self._key = key
        self.values: dict[int, tuple[Any, Any]] = {}
        self.placeholders: dict[str, tuple[int, dict[Any, Any], dict[str, Any]]] = {}
        self.lines: set[int] = set()

    def search(self, document: DecodedDocument) -> None:
        """Visit all values except those below the key."""
        pending: list[tuple[Any, Any]] = [(document.value, document.place)]
        while pending:
            value, place = pending.pop()
            if isinstance(place, tuple) and len(place) == 3:
                continue  # restored, with the marks of another place
            self.lines.add(decode_mark(get_mark(place))[0])
            if isinstance(value, list):
                pending += zip(value, place[1], strict=True)
            elif isinstance(value, dict):
                pending += self._iterate_members(value, place[1])

    def _iterate_members(self, value: dict[Any, Any], places: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
        for key, item in value.items():
            mark, place = places[key if isinstance(key, str) else key.text]
            line = decode_mark(mark)[0]
            self.lines.add(line)
            if key != self._key:
                yield item, place
            elif isinstance(item, dict | list):
                self.values[line] = item, place
            elif isinstance(item, str) and item.startswith(_PLACEHOLDER):
                self.placeholders[item] = line, value, places


def _is_block_ended(lines: Sequence[bytes], end: int, starts: set[int]) -> bool:
    """Return whether a block ends before a line: a key or a value starts on the next line that is not blank."""
    contents = ((at, lines[at].lstrip()) for at in range(end, len(lines)))
    following = next((at for at, content in contents if content and not content.startswith(b"#")), None)
    return following is None or following in starts
