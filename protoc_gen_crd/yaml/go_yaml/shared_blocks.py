"""Blocks that stand in a document several times, such as the schema of a CRD's versions: read once, then shared.

A later copy is cut out of the text before it is parsed and put back into the value afterwards. Whatever makes it
doubtful that this changes nothing ends the attempt: the document is then read as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from protoc_gen_crd.yaml.go_yaml.constructor import DecodedDocument, get_mark
from protoc_gen_crd.yaml.go_yaml.events import decode_mark

_PLACEHOLDER: Final = "protoc-gen-crd-copy-"
_MIN_BLOCK_SIZE: Final = 2_000  # bytes of a block that is worth it
_BREAKS = (b"\r", b"\xc2\x85", b"\xe2\x80\xa8", b"\xe2\x80\xa9")  # line breaks to YAML, by which lines are miscounted


class RepeatedBlocks:
    """The copies in a text of what stands below a key; `text` is the text without them."""

    def __init__(self, data: bytes, key: str) -> None:
        self.text = data
        self._key = key
        self._firsts: dict[int, int] = {}  # the line of a first block's key, and the line behind the block
        self._copies: dict[str, tuple[int, int]] = {}  # the token of a copy: its line, that of its first block
        if _PLACEHOLDER.encode() not in data and not any(sign in data for sign in _BREAKS):
            self._cut_copies(data)

    def __bool__(self) -> bool:
        return bool(self._copies)

    def _cut_copies(self, data: bytes) -> None:
        pattern = re.compile(rb"^( *)%s:\n((?:\1 .*\n|\n)+)" % re.escape(self._key.encode()), re.MULTILINE)
        known: dict[tuple[bytes, bytes], int] = {}
        pieces: list[bytes] = []
        end = line = counted = 0
        for match in pattern.finditer(data):
            if len(match[2]) < _MIN_BLOCK_SIZE:
                continue
            line += data.count(b"\n", counted, match.start())
            counted = match.start()
            first = known.setdefault((match[1], match[2]), line)
            lines = match[2].count(b"\n")
            if first == line:
                self._firsts[line] = line + 1 + lines
                continue
            token = f"{_PLACEHOLDER}{len(self._copies)}"
            self._copies[token] = line, first
            pieces += [data[end : match.start(2) - 1], b" " + token.encode() + b"\n" * (lines + 1)]
            end = match.end()
        self.text = b"".join([*pieces, data[end:]])

    def restore(self, built: DecodedDocument) -> bool:
        """Put the copies back; whether all is as it would have been."""
        if built.duplicates:
            return False
        found = _BlockFinder(self._key)
        found.search(built)
        ends = {first: self._firsts[first] for _, first in self._copies.values()}
        if not all(
            first in found.values and _is_block_ended(self.text, end, found.lines) for first, end in ends.items()
        ):
            return False
        if {token: place[0] for token, place in found.tokens.items()} != {
            token: line for token, (line, _) in self._copies.items()
        }:
            return False
        for token, (line, first) in self._copies.items():
            _, members, inside = found.tokens[token]
            value, place = found.values[first]
            members[self._key] = value
            inside[self._key] = inside[self._key][0], (get_mark(place), place[1], line - first)
        return True


class _BlockFinder:
    """What stands below the key all over a document, by the line of the key, and the lines on which anything starts."""

    def __init__(self, key: str) -> None:
        self._key = key
        self.values: dict[int, tuple[Any, Any]] = {}
        self.tokens: dict[str, tuple[int, dict[Any, Any], dict[str, Any]]] = {}
        self.lines: set[int] = set()

    def search(self, built: DecodedDocument) -> None:
        """Look at everything but what is below the key."""
        waiting: list[tuple[Any, Any]] = [(built.value, built.place)]
        while waiting:
            value, place = waiting.pop()
            self.lines.add(decode_mark(get_mark(place))[0])
            if isinstance(value, list):
                waiting += zip(value, place[1], strict=True)
            elif isinstance(value, dict):
                waiting += self._iterate_members(value, place[1])

    def _iterate_members(self, value: dict[Any, Any], places: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
        for key, each in value.items():
            mark, place = places[key if isinstance(key, str) else key.text]
            line = decode_mark(mark)[0]
            self.lines.add(line)
            if key != self._key:
                yield each, place
            elif isinstance(each, dict | list):
                self.values[line] = each, place
            elif isinstance(each, str) and each.startswith(_PLACEHOLDER):
                self.tokens[each] = line, value, places


def _is_block_ended(text: bytes, line: int, starts: set[int]) -> bool:
    """Whether a block ended where its text did: on the next line that says something, something starts."""
    rest = text.split(b"\n")[line:]
    says = next((index for index, each in enumerate(rest) if each.strip() and not each.lstrip().startswith(b"#")), None)
    return says is None or line + says in starts
