"""Documents that were read before, whose equal blocks are not parsed again in similar documents.

The two sides of a comparison are such documents. A block below a key is removed from the text if another document has
it too, and its value is restored afterwards. If it is not certain that this has no effect, the document is parsed as it
is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.yaml.go_yaml.decoder import DecodedDocument, get_mark
from protoc_gen_crd.yaml.go_yaml.events import decode_mark

_PLACEHOLDER: Final = "protoc-gen-crd-same-"
_MIN_LINES: Final = 20  # lines from which a block is shared
_MAX_KEPT: Final = 4 << 20  # bytes of documents whose values stay in memory
_NAME: Final = re.compile(rb"^  name: (.*)$", re.MULTILINE)  # of an object


class _KnownDocument(Record):
    """The lines of a document, and its value with the places."""

    lines: Sequence[bytes]
    decoded: DecodedDocument


class SimilarDocuments:
    """The documents of one side by the names of their objects, to read those of the other side faster.

    Shortcut equal-blocks: the value of a block below a key is a function of its lines, since documents with aliases
    and tags are not added.
    """

    def __init__(self) -> None:
        self._documents: dict[bytes, _KnownDocument] = {}
        self._size = 0

    def add(self, data: bytes, decoded: DecodedDocument) -> None:
        """Add a document without aliases and tags, unless there are too many or it has duplicate keys."""
        self._size += len(data)
        if self._size <= _MAX_KEPT and not decoded.duplicates and not decoded.deepest:
            self._documents.setdefault(_get_name(data), _KnownDocument(data.split(b"\n"), decoded))

    def find_blocks(self, data: bytes, key_lines: Mapping[int, bool]) -> SharedBlocks | None:
        """Return the blocks that a document shares with the document of the same name; None if there are none.

        `key_lines` are lines of keys that must stay; True if their blocks are removed otherwise.
        """
        known = self._documents.get(_get_name(data))
        if known is None or _PLACEHOLDER.encode() in data:
            return None
        blocks = SharedBlocks(known, data.split(b"\n"), key_lines)
        return blocks if blocks.is_useful else None


def _get_name(data: bytes) -> bytes:
    match = _NAME.search(data)
    return match[1] if match else b""


class SharedBlocks:
    """The blocks of a document that a known document has too: those of the first and the last lines that are equal."""

    def __init__(self, known: _KnownDocument, lines: Sequence[bytes], key_lines: Mapping[int, bool]) -> None:
        self._lines, self._key_lines = lines, key_lines
        self._blocks: dict[str, tuple[int, int, Any, Any]] = {}  # line, line in the known document, value, place
        self._ends: dict[int, int] = {}  # by the line of the key, the line after the block
        self._first, self._last = _find_changed_lines(known.lines, lines)
        self._shift = len(lines) - len(known.lines)
        if isinstance(known.decoded.value, dict):
            self._visit(known.decoded.value, known.decoded.place, len(known.lines))

    @property
    def is_useful(self) -> bool:
        """True if there are blocks."""
        return bool(self._blocks)

    def _visit(self, value: Any, place: Any, end: int) -> None:
        """Find the largest shared blocks of a collection of the known document, which ends before a line."""
        for (line, key, item, item_place), end_line in _iterate_items(value, place, end):
            if not isinstance(item, dict | list) or not item or end_line - line < _MIN_LINES:
                continue
            shift = 0 if end_line <= self._first else self._shift if line >= self._last else None
            if key and shift is not None and self._is_block(line + shift, end_line + shift):
                self._blocks[f"{_PLACEHOLDER}{len(self._blocks)}"] = line + shift, line, item, item_place
                self._ends[line + shift] = end_line + shift
            elif len(item_place) == 2 and not self._key_lines.get(line + (shift or 0)):
                self._visit(item, item_place, end_line)

    def _is_block(self, line: int, end: int) -> bool:
        """Return whether a line has only the key of a block, and no key in the block must stay."""
        return self._lines[line].endswith(b":") and not any(line <= key_line < end for key_line in self._key_lines)

    def cut(self, text: bytes) -> bytes:
        """Return a text with the same lines as the document without the values of the blocks."""
        lines = text.split(b"\n")
        for placeholder, (line, *_) in self._blocks.items():
            end = self._ends[line]
            lines[line:end] = [lines[line] + b" " + placeholder.encode(), *[b""] * (end - line - 1)]
        return b"\n".join(lines)

    def restore(self, document: DecodedDocument) -> bool:
        """Restore the values of the blocks. Return False if the value may differ from that of the whole document."""
        if document.duplicates:
            return False
        placeholders = {item: (mark, value, places) for item, mark, value, places in _find_placeholders(document)}
        lines = {placeholder: decode_mark(mark)[0] for placeholder, (mark, _, _) in placeholders.items()}
        if lines != {placeholder: line for placeholder, (line, *_) in self._blocks.items()}:
            return False
        for placeholder, (line, known_line, item, place) in self._blocks.items():
            _, value, places = placeholders[placeholder]
            key = next(key for key, other in value.items() if other == placeholder)
            offset = line - known_line + (place[2] if len(place) == 3 else 0)
            value[key] = item
            places[key] = places[key][0], (get_mark(place), place[1], offset)
        return True


def _find_changed_lines(known: Sequence[bytes], lines: Sequence[bytes]) -> tuple[int, int]:
    """Return the first line of a known document that differs, and the line after the last one that differs."""
    shortest = min(len(known), len(lines))
    first = next((at for at in range(shortest) if known[at] != lines[at]), shortest)
    equal = next((at for at in range(shortest - first) if known[-1 - at] != lines[-1 - at]), shortest - first)
    return first, len(known) - equal


def _iterate_items(value: Any, place: Any, end: int) -> Iterator[tuple[tuple[int, str, Any, Any], int]]:
    """Yield the line, the key, the value and the place of each item of a collection, and the line after the item."""
    items: list[tuple[int, str, Any, Any]] = []
    if isinstance(value, dict):
        for key, item in value.items():
            mark, item_place = place[1][key]
            items.append((decode_mark(mark)[0], key, item, item_place))
    else:
        items += (
            (decode_mark(get_mark(nested_place))[0], "", item, nested_place)
            for item, nested_place in zip(value, place[1], strict=True)
        )
    ends = [*(line for line, *_ in items[1:]), end]
    yield from zip(items, ends, strict=True)


def _find_placeholders(document: DecodedDocument) -> Iterator[tuple[str, int, dict[Any, Any], dict[str, Any]]]:
    """Yield each placeholder, the mark of its key, and the mapping of the key with its places."""
    pending: list[tuple[Any, Any]] = [(document.value, document.place)]
    while pending:
        value, place = pending.pop()
        if isinstance(value, list):
            pending += zip(value, place[1], strict=True)
        elif isinstance(value, dict):
            for key, item in value.items():
                name = key if isinstance(key, str) else key.text
                mark, item_place = place[1][name]
                if isinstance(item, str) and item.startswith(_PLACEHOLDER):
                    yield item, mark, value, place[1]
                elif isinstance(item, dict | list):
                    pending.append((item, item_place))
