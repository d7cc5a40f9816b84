"""Objects written anew into the text they were read from: comments, order and style stay where the data allows it.

Lines of what stays are not touched. A field that has only got another name keeps its place and what stands around it.
Where a text has a form that this does not see through, the object is written as Kubernetes' own writer does. Whatever
is written has been read again, so that no text ever loses what was in it.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import Any

from protoc_gen_crd.base.versions import NEWEST
from protoc_gen_crd.base.yamlread import Document, read
from protoc_gen_crd.base.yamlwrite import dump
from protoc_gen_crd.conversion.helpers.stash import same
from protoc_gen_crd.testing.cases import Case
from protoc_gen_crd.testing.flowtext import end_of, styled

Edit = tuple[int, int, str]  # from this character to that one, what to write instead
Steps = tuple[str | int, ...]
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:][^:]*?)\s*:(?=\s|$)""")
_SCALAR = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s#'"|>&*!{\[][^#\n]*?)(?=\s*(?: #.*)?$)""", re.MULTILINE
)
_COMMENT = re.compile(r"[ \t]*#")
_END = re.compile(r"(?:---|\.\.\.)(?:\s|$)")


class _UnfitError(Exception):
    """A text of a form that cannot be edited."""


def rewritten(data: bytes, wanted: Sequence[tuple[Case, dict[str, Any]]], minor: int = NEWEST) -> bytes | None:
    """A text with objects as they shall be; None where what could be written would be read as something else."""
    mark = BOM_UTF8 if data.startswith(BOM_UTF8) else b""
    try:
        made = _Text(data[len(mark) :].decode(), minor).rewritten(wanted)
        return None if made is None else mark + made.encode()
    except (UnicodeError, IndexError):  # the latter where YAML ends lines at more than line feeds
        return None


class _Text:
    """A text with its documents."""

    def __init__(self, text: str, minor: int) -> None:
        self._text, self._minor = text, minor
        self._lines = _LINE.findall(text)
        self._starts = [0, *accumulate(map(len, self._lines))]
        self._end = "\r\n" if self._lines and self._lines[0].endswith("\r\n") else "\n"
        self._documents = self._read(text)

    def _read(self, text: str) -> list[Document]:
        return read(text, past_errors=True, minor=self._minor)

    def rewritten(self, wanted: Sequence[tuple[Case, dict[str, Any]]]) -> str | None:
        """The text with what is wanted: each document with as few edits as it takes."""
        numbers = {_start(document): number for number, document in enumerate(self._documents) if document.value}
        changed: dict[int, Any] = {}
        for case, new in wanted:
            number = numbers.get(_start(case.document))
            if number is None:
                return None
            changed[number] = _put(changed.get(number, self._documents[number].value), case.prefix, new)
        changed = {number: _listing(new) for number, new in changed.items()}
        ways = {number: list(self._ways(self._documents[number], new)) for number, new in changed.items()}
        made = self._edited([way[0] for way in ways.values()])
        wrong = self._wrong(made, changed)
        if not wrong:
            return made
        made = self._edited([way[-1] if number in wrong else way[0] for number, way in ways.items()])
        return None if self._wrong(made, changed) else made

    def _ways(self, document: Document, new: Any) -> Iterator[list[Edit]]:
        """The edits of a document: few, if its form allows it, or one for all of it."""
        editor = _Editor(self._lines, self._starts, document)
        if not editor.flow:
            with suppress(_UnfitError, IndexError):
                yield list(editor.mapping((), document.value, new, editor.last))
        yield [editor.whole(new)]

    def _edited(self, ways: Sequence[list[Edit]]) -> str:
        parts: list[str] = []
        last = 0
        for start, end, new in sorted(edit for way in ways for edit in way):
            parts += self._text[last:start], new.replace("\n", self._end)
            last = end
        return "".join((*parts, self._text[last:]))

    def _wrong(self, text: str, changed: Mapping[int, Any]) -> set[int]:
        """Which documents of a text are not read as they shall be, those that were not to change included."""
        found = [document.value for document in self._read(text) if _says(document)]
        wanted = {number: changed.get(number, each.value) for number, each in enumerate(self._documents) if _says(each)}
        if len(found) != len(wanted):
            return set(wanted)
        return {number for (number, value), own in zip(wanted.items(), found, strict=True) if not _equal(own, value)}


def _says(document: Document) -> bool:
    """Whether a document is more than blanks and comments."""
    return document.value is not None or document.error is not None


def _start(document: Document) -> tuple[int, int]:
    at = document.place(())
    return at.line, at.column


def _listing(value: Any) -> Any:
    """A document; a list of one kind, such as WidgetList, with the version that all of its items have."""
    items, kind = value.get("items"), str(value.get("kind"))
    if not isinstance(items, list) or not kind.endswith("List") or kind == "List":
        return value
    versions = [item.get("apiVersion") for item in items if isinstance(item, dict)]
    group = str(value.get("apiVersion")).rpartition("/")[0]
    alike = len(set(map(str, versions))) == 1 and str(versions[0]).rpartition("/")[0] == group
    return {**value, "apiVersion": versions[0]} if alike else value


def _put(value: Any, path: Steps, new: Any) -> Any:
    """A value with another one at a path."""
    if not path:
        return new
    copied = value.copy()
    copied[path[0]] = _put(value[path[0]], path[1:], new)
    return copied


def _equal(own: Any, other: Any) -> bool:
    """Whether values are equal to servers: 1.0 is 1, but true is not."""
    if isinstance(own, dict) and isinstance(other, dict):
        return own.keys() == other.keys() and all(_equal(value, other[key]) for key, value in own.items())
    if isinstance(own, list) and isinstance(other, list):
        return len(own) == len(other) and all(map(_equal, own, other))
    return isinstance(own, bool) is isinstance(other, bool) and bool(own == other)


class _Editor:
    """Edits of one document in a text of lines."""

    def __init__(self, lines: list[str], starts: list[int], document: Document) -> None:
        self._lines, self._starts, self._document = lines, starts, document
        first, column = _start(document)
        self._first, self._column = first - 1, column - 1
        ends = (index for index in range(first, len(lines)) if _END.match(lines[index]))
        self.last = next(ends, len(lines))
        self.flow = lines[self._first].startswith("{", self._column)

    def whole(self, new: dict[str, Any]) -> Edit:
        """The document as a whole."""
        start = self._starts[self._first] + self._column
        if not self.flow:
            return start, self._starts[self.last], dump(new)
        text = "".join(self._lines)
        end = end_of(text, start)
        return start, end, styled(_ordered(self._document.value, new), text[start:end])

    def mapping(self, path: Steps, old: dict[str, Any], new: dict[str, Any], end: int) -> Iterator[Edit]:
        """The edits of a mapping in block style, which ends before a line."""
        keys = self._keys(path, old)
        renamed = _renamed(old, new)
        ends = self._ends([line for _, line, _ in keys], end)
        for (key, line, column), last in zip(keys, ends, strict=True):
            name = renamed.get(key, key)
            if name not in new:
                yield from self._removed(line, column, last, first=key == keys[0][0])
                continue
            if name != key:
                yield self._rename(line, column, name)
            if not same(old[key], new[name]):
                yield from self._child((*path, key), old[key], (name, new[name]), (line, column, last))
        added = {name: new[name] for name in new if name not in old and name not in renamed.values()}
        if added:
            goes = renamed.get(keys[-1][0], keys[-1][0]) not in new  # and what is before it ends a line
            yield self._added(added, keys[0][2], self._content_end(keys[0][2], ends[-1]), ended=goes)

    def _keys(self, path: Steps, old: dict[str, Any]) -> list[tuple[str, int, int]]:
        """The keys of a mapping with their lines and columns from 0, in the order of the text."""
        found = []
        for key in old:
            at = self._document.place((*path, key), key=True)
            found.append((key, at.line - 1, at.column - 1))
        found.sort(key=lambda each: each[1])
        lines, columns = {line for _, line, _ in found}, {column for _, _, column in found}
        if not found or len(lines) != len(found) or len(columns) != 1:
            raise _UnfitError
        if not all(_KEY.match(self._lines[line], column) for _, line, column in found):
            raise _UnfitError
        return found

    def _ends(self, starts: Sequence[int], end: int) -> list[int]:
        """Where what belongs to each key ends: before the comments above the next one."""
        found = []
        for start, following in zip(starts, (*starts[1:], None), strict=True):
            last = end if following is None else following
            while following is not None and last - 1 > start and _COMMENT.match(self._lines[last - 1]):
                last -= 1
            found.append(last)
        return found

    def _content_end(self, column: int, end: int) -> int:
        """The end of what belongs to a key without blank lines, and comments that are not indented deeper."""
        while end > 0:
            line = self._lines[end - 1]
            indent = len(line) - len(line.lstrip())
            if line.strip() and not (_COMMENT.match(line) and indent <= column):
                break
            end -= 1
        return end

    def _removed(self, line: int, column: int, end: int, *, first: bool) -> Iterator[Edit]:
        if first and self._lines[line][:column].strip():
            raise _UnfitError  # the dash of a list item stands before it
        start = line
        while start - 1 > self._first and _COMMENT.match(self._lines[start - 1]):
            start -= 1
        yield self._starts[start], self._starts[self._content_end(column, end)], ""

    def _rename(self, line: int, column: int, name: str) -> Edit:
        found = _KEY.match(self._lines[line], column)
        start = self._starts[line]
        length = len(found[1]) if found else 0
        return start + column, start + column + length, dump({name: None}).rpartition(":")[0]

    def _child(self, path: Steps, old: Any, new: tuple[str, Any], at: tuple[int, int, int]) -> Iterator[Edit]:
        """The edits of a value: within it if it stays what it is, else all of it."""
        line, column, end = at
        try:
            edits = list(self._inside(path, old, new[1], end))
        except _UnfitError:
            start = self._starts[line] + column
            stop = self._starts[self._content_end(column, end)]
            edits = [(start, stop, _indented(dict([new]), column)[column:])]
        yield from edits

    def _inside(self, path: Steps, old: Any, new: Any, end: int) -> Iterator[Edit]:
        if isinstance(old, dict) and isinstance(new, dict) and old and new:
            yield from self.mapping(path, old, new, end)
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            yield from self._items(path, old, new, end)
        else:
            yield self._scalar(path, old, new)

    def _items(self, path: Steps, old: list[Any], new: list[Any], end: int) -> Iterator[Edit]:
        starts = [self._document.place((*path, index)).line - 1 for index in range(len(old))]
        if len(set(starts)) != len(starts):
            raise _UnfitError
        for index, last in enumerate(self._ends(starts, end)):
            if not same(old[index], new[index]):
                yield from self._inside((*path, index), old[index], new[index], last)

    def _scalar(self, path: Steps, old: Any, new: Any) -> Edit:
        if isinstance(old, dict | list) or isinstance(new, dict | list):
            raise _UnfitError
        at = self._document.place(path)
        found = _SCALAR.match(self._lines[at.line - 1], at.column - 1)
        text = dump({"a": new})
        if found is None or text.count("\n") != 1:
            raise _UnfitError
        start = self._starts[at.line - 1]
        return start + found.start(1), start + found.end(1), text[3:-1]

    def _added(self, added: dict[str, Any], column: int, end: int, *, ended: bool) -> Edit:
        before = "" if ended or self._lines[end - 1].endswith("\n") else "\n"
        return self._starts[end], self._starts[end], before + _indented(added, column)


def _renamed(old: dict[str, Any], new: dict[str, Any]) -> dict[str, str]:
    """Which keys have got another name: by their value, or as the only one of their form."""
    gone = [key for key in old if key not in new]
    come = [key for key in new if key not in old]
    found: dict[str, str] = {}
    for fits in (same, _alike):
        for key in gone:
            match = [name for name in come if name not in found.values() and fits(old[key], new[name])]
            if key not in found and len(match) == 1:
                found[key] = match[0]
    return found


def _ordered(old: Any, new: Any) -> Any:
    """A new value with its keys in the order of the old one, those with another name in their places."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [_ordered(*each) for each in zip(old, new, strict=True)]
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    renamed = _renamed(old, new)
    kept = {name: _ordered(old[key], new[name]) for key in old if (name := renamed.get(key, key)) in new}
    return kept | {name: value for name, value in new.items() if name not in kept}


def _alike(old: Any, new: Any) -> bool:
    """Whether values are both objects, or lists of as many."""
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and bool(old) and isinstance(old[0], dict)
    return isinstance(old, dict) and isinstance(new, dict)


def _indented(value: dict[str, Any], column: int) -> str:
    return "".join(f"{' ' * column}{line}" if line.strip() else line for line in dump(value).splitlines(keepends=True))
