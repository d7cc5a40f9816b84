"""In-place rewriting of objects in YAML and JSON files. Comments, order and style are preserved where possible.

Unchanged lines stay as they are. A renamed field keeps its position and comments. An object of a form that cannot be
edited is replaced as a whole, in the format of Kubernetes' YAML writer. The result is parsed again and compared, so
that no content is lost.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

from protoc_gen_crd.conversion.runtime.conversion_data import same
from protoc_gen_crd.documents.document_cases import DocumentCase, get_string
from protoc_gen_crd.documents.expectation_keys import get_api_group
from protoc_gen_crd.documents.flow_style import find_object_end, format_like
from protoc_gen_crd.kubernetes.versions import NEWEST
from protoc_gen_crd.yaml.reader import Document, read
from protoc_gen_crd.yaml.writer import dump

Edit = tuple[int, int, str]  # start and end in characters, replacement
DocumentPath = tuple[str | int, ...]
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:][^:]*?)\s*:(?=\s|$)""")
_SCALAR = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s#'"|>&*!{\[][^#\n]*?)(?=\s*(?: #.*)?$)""", re.MULTILINE
)
_COMMENT = re.compile(r"[ \t]*#")
_DOCUMENT_END = re.compile(r"(?:---|\.\.\.)(?:\s|$)")


class _UneditableError(Exception):
    """The text has a form that cannot be edited."""


def rewrite_objects(
    data: bytes, wanted: Sequence[tuple[DocumentCase, dict[str, Any]]], minor: int = NEWEST
) -> bytes | None:
    """Replace objects in a file; None if the result would not parse to the wanted objects."""
    mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    try:
        made = _StreamRewriter(data[len(mark) :].decode(), minor).rewrite(wanted)
        return None if made is None else mark + made.encode()
    except (UnicodeError, IndexError):  # the latter where YAML ends lines at more than line feeds
        return None


class _StreamRewriter:
    """Rewrites the documents of a YAML or JSON stream."""

    def __init__(self, text: str, minor: int) -> None:
        self._text, self._minor = text, minor
        self._lines = _LINE.findall(text)
        self._starts = [0, *accumulate(map(len, self._lines))]
        self._end = "\r\n" if self._lines and self._lines[0].endswith("\r\n") else "\n"
        self._documents = self._read_documents(text)

    def _read_documents(self, text: str) -> list[Document]:
        return read(text, past_errors=True, minor=self._minor)

    def rewrite(self, wanted: Sequence[tuple[DocumentCase, dict[str, Any]]]) -> str | None:
        """Return the stream with the wanted objects, with as few edits as possible."""
        numbers = {_get_start(document): number for number, document in enumerate(self._documents) if document.value}
        changed: dict[int, Any] = {}
        for case, new in wanted:
            number = numbers.get(_get_start(case.document))
            if number is None:
                return None
            changed[number] = _replace_at(changed.get(number, self._documents[number].value), case.prefix, new)
        changed = {number: _update_list_version(new) for number, new in changed.items()}
        ways = {number: list(self._make_alternatives(self._documents[number], new)) for number, new in changed.items()}
        made = self._apply_edits([way[0] for way in ways.values()])
        wrong = self._find_mismatches(made, changed)
        if not wrong:
            return made
        made = self._apply_edits([way[-1] if number in wrong else way[0] for number, way in ways.items()])
        return None if self._find_mismatches(made, changed) else made

    def _make_alternatives(self, document: Document, new: Any) -> Iterator[list[Edit]]:
        """Yield the alternatives for a document: minimal edits if its form allows them, then one replacement."""
        editor = _DocumentEditor(self._lines, self._starts, document)
        if not editor.is_flow_style:
            with suppress(_UneditableError, IndexError):
                yield list(editor.edit_mapping((), document.value, new, editor.last))
        yield [editor.replace_document(new)]

    def _apply_edits(self, ways: Sequence[list[Edit]]) -> str:
        parts: list[str] = []
        last = 0
        for start, end, new in sorted(edit for way in ways for edit in way):
            parts += self._text[last:start], new.replace("\n", self._end)
            last = end
        return "".join((*parts, self._text[last:]))

    def _find_mismatches(self, text: str, changed: Mapping[int, Any]) -> set[int]:
        """Return the documents that do not parse to the wanted values, unchanged documents included."""
        found = [document.value for document in self._read_documents(text) if has_content(document)]
        wanted = {
            number: changed.get(number, each.value) for number, each in enumerate(self._documents) if has_content(each)
        }
        if len(found) != len(wanted):
            return set(wanted)
        return {number for (number, value), own in zip(wanted.items(), found, strict=True) if not is_equal(own, value)}


def has_content(document: Document) -> bool:
    """Return whether a document has more than blanks and comments."""
    return document.value is not None or document.error is not None


def _get_start(document: Document) -> tuple[int, int]:
    at = document.get_place(())
    return at.line, at.column


def _update_list_version(value: Any) -> Any:
    """Update the version of a list of one kind, such as WidgetList, to that of all its items."""
    items, kind = value.get("items"), get_string(value, "kind")
    if not isinstance(items, list) or not kind.endswith("List") or kind == "List":
        return value
    versions = [get_string(item, "apiVersion") for item in items if isinstance(item, dict)]
    group = get_api_group(get_string(value, "apiVersion"))
    if len(set(versions)) != 1 or not versions[0] or get_api_group(versions[0]) != group:
        return value
    return {**value, "apiVersion": versions[0]}


def _replace_at(value: Any, path: DocumentPath, new: Any) -> Any:
    """Return a copy of a value with the value at a path replaced."""
    if not path:
        return new
    copied = value.copy()
    copied[path[0]] = _replace_at(value[path[0]], path[1:], new)
    return copied


def is_equal(own: Any, other: Any) -> bool:
    """Return whether values are equal as in API servers: 1.0 equals 1, true does not."""
    if isinstance(own, dict) and isinstance(other, dict):
        return own.keys() == other.keys() and all(is_equal(value, other[key]) for key, value in own.items())
    if isinstance(own, list) and isinstance(other, list):
        return len(own) == len(other) and all(map(is_equal, own, other))
    return isinstance(own, bool) is isinstance(other, bool) and bool(own == other)


class _DocumentEditor:
    """Edits of one document in a list of lines."""

    def __init__(self, lines: list[str], starts: list[int], document: Document) -> None:
        self._lines, self._starts, self._document = lines, starts, document
        first, column = _get_start(document)
        self._first, self._column = first - 1, column - 1
        ends = (index for index in range(first, len(lines)) if _DOCUMENT_END.match(lines[index]))
        self.last = next(ends, len(lines))
        self.is_flow_style = lines[self._first].startswith("{", self._column)

    def replace_document(self, new: dict[str, Any]) -> Edit:
        """Return the edit that replaces the whole document."""
        start = self._starts[self._first] + self._column
        if not self.is_flow_style:
            return start, self._starts[self.last], dump(new)
        text = "".join(self._lines)
        end = find_object_end(text, start)
        return start, end, format_like(_order_keys(self._document.value, new), text[start:end])

    def edit_mapping(self, path: DocumentPath, old: dict[str, Any], new: dict[str, Any], end: int) -> Iterator[Edit]:
        """Yield the edits of a mapping in block style that ends before the line `end`."""
        keys = self._locate_keys(path, old)
        renamed = _match_renamed_keys(old, new)
        ends = self._find_ends([line for _, line, _ in keys], end)
        for (key, line, column), last in zip(keys, ends, strict=True):
            name = renamed.get(key, key)
            if name not in new:
                yield from self._remove_key(line, column, last, first=key == keys[0][0])
                continue
            if name != key:
                yield self._rename_key(line, column, name)
            if not same(old[key], new[name]):
                yield from self._edit_child((*path, key), old[key], (name, new[name]), (line, column, last))
        added = {name: new[name] for name in new if name not in old and name not in renamed.values()}
        if added:
            goes = renamed.get(keys[-1][0], keys[-1][0]) not in new  # the removed key ends its line
            yield self._insert_keys(added, keys[0][2], self._find_content_end(keys[0][2], ends[-1]), ended=goes)

    def _locate_keys(self, path: DocumentPath, old: dict[str, Any]) -> list[tuple[str, int, int]]:
        """Return the keys of a mapping with lines and columns from 0, in file order."""
        found = []
        for key in old:
            at = self._document.get_place((*path, key), key=True)
            found.append((key, at.line - 1, at.column - 1))
        found.sort(key=lambda each: each[1])
        lines, columns = {line for _, line, _ in found}, {column for _, _, column in found}
        if not found or len(lines) != len(found) or len(columns) != 1:
            raise _UneditableError
        if not all(_KEY.match(self._lines[line], column) for _, line, column in found):
            raise _UneditableError
        return found

    def _find_ends(self, starts: Sequence[int], end: int) -> list[int]:
        """Return the end of each key's lines: before the comments above the next key."""
        found = []
        for start, following in zip(starts, (*starts[1:], None), strict=True):
            last = end if following is None else following
            while following is not None and last - 1 > start and _COMMENT.match(self._lines[last - 1]):
                last -= 1
            found.append(last)
        return found

    def _find_content_end(self, column: int, end: int) -> int:
        """Return the end of a key's lines without trailing blank lines and comments that are not indented deeper."""
        while end > 0:
            line = self._lines[end - 1]
            indent = len(line) - len(line.lstrip())
            if line.strip() and not (_COMMENT.match(line) and indent <= column):
                break
            end -= 1
        return end

    def _remove_key(self, line: int, column: int, end: int, *, first: bool) -> Iterator[Edit]:
        if first and self._lines[line][:column].strip():
            raise _UneditableError  # the dash of a list item precedes the key
        start = line
        while start - 1 > self._first and _COMMENT.match(self._lines[start - 1]):
            start -= 1
        yield self._starts[start], self._starts[self._find_content_end(column, end)], ""

    def _rename_key(self, line: int, column: int, name: str) -> Edit:
        found = _KEY.match(self._lines[line], column)
        start = self._starts[line]
        length = len(found[1]) if found else 0
        return start + column, start + column + length, dump({name: None}).rpartition(":")[0]

    def _edit_child(
        self, path: DocumentPath, old: Any, new: tuple[str, Any], at: tuple[int, int, int]
    ) -> Iterator[Edit]:
        """Yield the edits of a value: inside it if its form stays, else one replacement."""
        line, column, end = at
        try:
            edits = list(self._edit_value(path, old, new[1], end))
        except _UneditableError:
            start = self._starts[line] + column
            stop = self._starts[self._find_content_end(column, end)]
            edits = [(start, stop, _indent(dict([new]), column)[column:])]
        yield from edits

    def _edit_value(self, path: DocumentPath, old: Any, new: Any, end: int) -> Iterator[Edit]:
        if isinstance(old, dict) and isinstance(new, dict) and old and new:
            yield from self.edit_mapping(path, old, new, end)
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            yield from self._edit_items(path, old, new, end)
        else:
            yield self._edit_scalar(path, old, new)

    def _edit_items(self, path: DocumentPath, old: list[Any], new: list[Any], end: int) -> Iterator[Edit]:
        starts = [self._document.get_place((*path, index)).line - 1 for index in range(len(old))]
        if len(set(starts)) != len(starts):
            raise _UneditableError
        for index, last in enumerate(self._find_ends(starts, end)):
            if not same(old[index], new[index]):
                yield from self._edit_value((*path, index), old[index], new[index], last)

    def _edit_scalar(self, path: DocumentPath, old: Any, new: Any) -> Edit:
        if isinstance(old, dict | list) or isinstance(new, dict | list):
            raise _UneditableError
        at = self._document.get_place(path)
        found = _SCALAR.match(self._lines[at.line - 1], at.column - 1)
        text = dump({"a": new})
        if found is None or text.count("\n") != 1:
            raise _UneditableError
        start = self._starts[at.line - 1]
        return start + found.start(1), start + found.end(1), text[3:-1]

    def _insert_keys(self, added: dict[str, Any], column: int, end: int, *, ended: bool) -> Edit:
        before = "" if ended or self._lines[end - 1].endswith("\n") else "\n"
        return self._starts[end], self._starts[end], before + _indent(added, column)


def _match_renamed_keys(old: dict[str, Any], new: dict[str, Any]) -> dict[str, str]:
    """Match renamed keys: by equal values, or as the only key of the same form."""
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    found: dict[str, str] = {}
    for fits in (same, _has_same_form):
        for key in gone:
            match = [name for name in come if name not in found.values() and fits(old[key], new[name])]
            if key not in found and len(match) == 1:
                found[key] = match[0]
    return found


def _order_keys(old: Any, new: Any) -> Any:
    """Order the keys of a new value as in the old one; renamed keys keep their position."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [_order_keys(*each) for each in zip(old, new, strict=True)]
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    renamed = _match_renamed_keys(old, new)
    kept = {name: _order_keys(old[key], new[name]) for key in old if (name := renamed.get(key, key)) in new}
    return kept | {name: value for name, value in new.items() if name not in kept}


def _has_same_form(old: Any, new: Any) -> bool:
    """Return whether values are both objects, or both lists of as many objects."""
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and bool(old) and isinstance(old[0], dict)
    return isinstance(old, dict) and isinstance(new, dict)


def _indent(value: dict[str, Any], column: int) -> str:
    return "".join(f"{' ' * column}{line}" if line.strip() else line for line in dump(value).splitlines(keepends=True))
