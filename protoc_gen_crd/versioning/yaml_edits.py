"""Edits of YAML files that keep comments and style: copied and removed items of lists, and changed objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any

from protoc_gen_crd.base.text_edits import TextEdit, apply_edits
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.documents.document_rewriter import rewrite_objects
from protoc_gen_crd.documents.expectation_keys import Expectation
from protoc_gen_crd.yaml.reader import Document, read

YamlPath = tuple[str | int, ...]

_COMMENT_OR_BLANK = re.compile(r"[ \t]*(?:#.*)?\r?\n?")


def get_value(value: Any, path: Sequence[str | int]) -> Any:
    """Return the value at a path, None if there is none."""
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def set_value(value: Any, path: Sequence[str | int], new: Any) -> Any:
    """Return a copy of plain data with another value at a path."""
    if not path:
        return new
    copied = value.copy()
    copied[path[0]] = set_value(value[path[0]], path[1:], new)
    return copied


def rewrite(data: bytes, index: int, new: Any) -> bytes | None:
    """Return a file with another value of a document, None if it cannot be edited."""
    document = read(data, past_errors=True)[index]
    if document.value == new:
        return data
    return rewrite_objects(data, [(_make_case(document), new)])


def _make_case(document: Document) -> DocumentCase:
    return DocumentCase(document, (), document.value, document.value, Expectation(), is_test=False)


def copy_items(
    data: bytes, index: int, path: YamlPath, items: Collection[int], change: Callable[[Any], Any]
) -> bytes | None:
    """Return a file with changed copies of items of a list, each after its original; None if it cannot be edited."""
    document = read(data, past_errors=True)[index]
    values = get_value(document.value, path)
    copied = [part for at, value in enumerate(values) for part in ([value, change(value)] if at in items else [value])]
    repeated = [part for at, value in enumerate(values) for part in ([value] * (1 + (at in items)))]
    text = data.decode()
    blocks = [_find_block(text, document, (*path, at)) for at in items]
    edits = [TextEdit(end, end, _end_line(text[start:end], text, end)) for start, end in filter(None, blocks)]
    if len(edits) == len(blocks):
        candidate = apply_edits(text, edits).encode()
        if _get_document(candidate, index) == set_value(document.value, path, repeated):
            data = candidate
    return rewrite(data, index, set_value(document.value, path, copied))


def remove_items(data: bytes, index: int, path: YamlPath, items: Collection[int]) -> bytes | None:
    """Return a file without items of a list, None if it cannot be edited."""
    document = read(data, past_errors=True)[index]
    values = get_value(document.value, path)
    expected = set_value(document.value, path, [value for at, value in enumerate(values) if at not in items])
    text = data.decode()
    blocks = [_find_block(text, document, (*path, at)) for at in items]
    if all(blocks) and len(items) < len(values):
        candidate = apply_edits(text, [_remove_block(text, *block) for block in blocks if block]).encode()
        if _get_document(candidate, index) == expected:
            return candidate
    return rewrite(data, index, expected)


def _get_document(data: bytes, index: int) -> Any:
    documents = read(data, past_errors=True)
    return documents[index].value if index < len(documents) else None


def _end_line(block: str, text: str, end: int) -> str:
    """Return a block for insertion after a text that may not end its last line."""
    return block if end == 0 or text[end - 1] == "\n" else "\n" + block


def _remove_block(text: str, start: int, end: int) -> TextEdit:
    """Return the removal of the lines of an item, with the comments directly above it."""
    while start:
        line = text.rfind("\n", 0, start - 1) + 1
        if not text[line:start].lstrip(" ").startswith("#"):
            break
        start = line
    return TextEdit(start, end)


def _find_block(text: str, document: Document, path: YamlPath) -> tuple[int, int] | None:
    """Return the offsets of the lines of an item of a list in block style, without comments after it."""
    at = document.get_place(path)
    lines = text.splitlines(keepends=True)
    if not 0 < at.line <= len(lines):
        return None
    dash = re.match(r"([ \t]*)-[ \t]+", lines[at.line - 1])
    if dash is None or len(dash[0]) != at.column - 1:
        return None
    indent, last = len(dash[1]), at.line
    for number in range(at.line, len(lines)):
        line = lines[number]
        if _COMMENT_OR_BLANK.fullmatch(line):
            continue
        if len(line) - len(line.lstrip(" ")) <= indent:
            break
        last = number + 1
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    return offsets[at.line - 1], offsets[last]
