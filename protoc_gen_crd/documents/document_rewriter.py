"""In-place rewriting of objects in YAML and JSON files. Comments, order, and style are preserved where possible.

Unchanged lines are not modified. A renamed field keeps its position and comments. An object whose form cannot be
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

from protoc_gen_crd.admission.objects.correlation import is_deep_equal
from protoc_gen_crd.documents.document_reader import DocumentCase, get_string
from protoc_gen_crd.documents.flow_style import find_object_end, format_like
from protoc_gen_crd.kubernetes.api_version_names import get_api_group
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.yaml.reader import Document, read
from protoc_gen_crd.yaml.writer import dump_document

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
    """The content has a form that cannot be edited."""


def rewrite_objects(
    data: bytes, replacements: Sequence[tuple[DocumentCase, dict[str, Any]]], minor: int = NEWEST
) -> bytes | None:
    """Replace objects in a file. Return None if the result would not parse to the new objects.

    `replacements` are the documents to replace and their new objects.
    """
    mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    try:
        content = _StreamRewriter(data[len(mark) :].decode(), minor).rewrite(replacements)
        return None if content is None else mark + content.encode()
    except (UnicodeError, IndexError):  # IndexError: YAML also ends lines at other characters than line feeds
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

    def rewrite(self, replacements: Sequence[tuple[DocumentCase, dict[str, Any]]]) -> str | None:
        """Return the stream with the new objects, with minimal edits. Return None if this is not possible."""
        numbers = {_get_start(document): number for number, document in enumerate(self._documents) if document.value}
        changed: dict[int, Any] = {}
        for case, new_object in replacements:
            number = numbers.get(_get_start(case.document))
            if number is None:
                return None
            changed[number] = _replace_at(changed.get(number, self._documents[number].value), case.prefix, new_object)
        changed = {number: _update_list_version(new_object) for number, new_object in changed.items()}
        alternatives = {
            number: list(self._make_alternatives(self._documents[number], new_object))
            for number, new_object in changed.items()
        }
        content = self._apply_edits([options[0] for options in alternatives.values()])
        mismatches = self._find_mismatches(content, changed)
        if not mismatches:
            return content
        content = self._apply_edits(
            [options[-1] if number in mismatches else options[0] for number, options in alternatives.items()]
        )
        return None if self._find_mismatches(content, changed) else content

    def _make_alternatives(self, document: Document, new: Any) -> Iterator[list[Edit]]:
        """Yield the alternatives for a document: minimal edits if its form allows them, then one replacement."""
        editor = _DocumentEditor(self._lines, self._starts, document)
        if not editor.is_flow_style:
            with suppress(_UneditableError, IndexError):
                yield list(editor.edit_mapping((), document.value, new, editor.last))
        yield [editor.replace_document(new)]

    def _apply_edits(self, edit_lists: Sequence[list[Edit]]) -> str:
        parts: list[str] = []
        last = 0
        for start, end, new in sorted(edit for edits in edit_lists for edit in edits):
            parts += self._text[last:start], new.replace("\n", self._end)
            last = end
        return "".join((*parts, self._text[last:]))

    def _find_mismatches(self, text: str, changed: Mapping[int, Any]) -> set[int]:
        """Return the documents, changed or not, that do not parse to the expected values, by number."""
        actual = [document.value for document in self._read_documents(text) if has_content(document)]
        expected = {
            number: changed.get(number, document.value)
            for number, document in enumerate(self._documents)
            if has_content(document)
        }
        if len(actual) != len(expected):
            return set(expected)
        return {
            number
            for (number, value), parsed in zip(expected.items(), actual, strict=True)
            if not is_equal(parsed, value)
        }


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


def is_equal(first: Any, second: Any) -> bool:
    """Return whether values are equal for API servers: 1.0 equals 1, but true does not."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_equal(value, second[key]) for key, value in first.items())
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_equal, first, second))
    return isinstance(first, bool) is isinstance(second, bool) and bool(first == second)


class _DocumentEditor:
    """Editor of a document in a list of lines."""

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
            return start, self._starts[self.last], dump_document(new)
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
            if not is_deep_equal(old[key], new[name]):
                yield from self._edit_child((*path, key), old[key], (name, new[name]), (line, column, last))
        added = {name: new[name] for name in new if name not in old and name not in renamed.values()}
        if added:
            last_is_removed = renamed.get(keys[-1][0], keys[-1][0]) not in new  # then its edit already ends the line
            yield self._insert_keys(
                added, keys[0][2], self._find_content_end(keys[0][2], ends[-1]), ended=last_is_removed
            )

    def _locate_keys(self, path: DocumentPath, old: dict[str, Any]) -> list[tuple[str, int, int]]:
        """Return the keys of a mapping with lines and columns from 0, in file order."""
        keys = []
        for key in old:
            at = self._document.get_place((*path, key), key=True)
            keys.append((key, at.line - 1, at.column - 1))
        keys.sort(key=lambda located: located[1])
        lines, columns = {line for _, line, _ in keys}, {column for _, _, column in keys}
        if not keys or len(lines) != len(keys) or len(columns) != 1:
            raise _UneditableError
        if not all(_KEY.match(self._lines[line], column) for _, line, column in keys):
            raise _UneditableError
        return keys

    def _find_ends(self, starts: Sequence[int], end: int) -> list[int]:
        """Return the end of the lines of each key, which is before the comments above the next key."""
        ends = []
        for start, following in zip(starts, (*starts[1:], None), strict=True):
            last = end if following is None else following
            while following is not None and last - 1 > start and _COMMENT.match(self._lines[last - 1]):
                last -= 1
            ends.append(last)
        return ends

    def _find_content_end(self, column: int, end: int) -> int:
        """Return the end of the lines of a key, without trailing blank lines and comments that are not indented."""
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
        match = _KEY.match(self._lines[line], column)
        start = self._starts[line]
        length = len(match[1]) if match else 0
        return start + column, start + column + length, dump_document({name: None}).rpartition(":")[0]

    def _edit_child(
        self, path: DocumentPath, old: Any, new: tuple[str, Any], at: tuple[int, int, int]
    ) -> Iterator[Edit]:
        """Yield the edits of a value: edits inside it if its form is the same, else one replacement."""
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
            if not is_deep_equal(old[index], new[index]):
                yield from self._edit_value((*path, index), old[index], new[index], last)

    def _edit_scalar(self, path: DocumentPath, old: Any, new: Any) -> Edit:
        if isinstance(old, dict | list) or isinstance(new, dict | list):
            raise _UneditableError
        at = self._document.get_place(path)
        match = _SCALAR.match(self._lines[at.line - 1], at.column - 1)
        text = dump_document({"a": new})
        if match is None or text.count("\n") != 1:
            raise _UneditableError
        start = self._starts[at.line - 1]
        return start + match.start(1), start + match.end(1), text[3:-1]

    def _insert_keys(self, added: dict[str, Any], column: int, end: int, *, ended: bool) -> Edit:
        before = "" if ended or self._lines[end - 1].endswith("\n") else "\n"
        return self._starts[end], self._starts[end], before + _indent(added, column)


def _match_renamed_keys(old: dict[str, Any], new: dict[str, Any]) -> dict[str, str]:
    """Match renamed keys by equal values, or as the only keys with values of the same form."""
    removed = [key for key in old if key not in new]
    added = [key for key in new if key not in old]
    renamed: dict[str, str] = {}
    for matches in (is_deep_equal, _has_same_form):
        for key in removed:
            candidates = [name for name in added if name not in renamed.values() and matches(old[key], new[name])]
            if key not in renamed and len(candidates) == 1:
                renamed[key] = candidates[0]
    return renamed


def _order_keys(old: Any, new: Any) -> Any:
    """Order the keys of a new value as in the old value. Renamed keys keep their position."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [_order_keys(*pair) for pair in zip(old, new, strict=True)]
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    renamed = _match_renamed_keys(old, new)
    ordered = {name: _order_keys(old[key], new[name]) for key in old if (name := renamed.get(key, key)) in new}
    return ordered | {name: value for name, value in new.items() if name not in ordered}


def _has_same_form(old: Any, new: Any) -> bool:
    """Return whether values are both objects, or both lists of objects of the same length."""
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and bool(old) and isinstance(old[0], dict)
    return isinstance(old, dict) and isinstance(new, dict)


def _indent(value: dict[str, Any], column: int) -> str:
    return "".join(
        f"{' ' * column}{line}" if line.strip() else line for line in dump_document(value).splitlines(keepends=True)
    )
