"""Objects written anew into the text they were read from: comments, order and style stay where the data allows it.

Lines of what stays are not touched. A field that has only got another name keeps its place and what stands around it.
Where a text has a form that this does not see through, the object is written as Kubernetes' own writer does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.yamlwrite import dump
from protoc_gen_crd.conversion.stash import same
from protoc_gen_crd.testing.cases import Case, read_cases

Edit = tuple[int, int, str]  # from this character to that one, what to write instead
Steps = tuple[str | int, ...]
_KEY = re.compile(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:][^:]*?)\s*:(?=\s|$)""")
_SCALAR = re.compile(
    r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s#'"|>&*!{\[][^#\n]*?)(?=\s*(?: #.*)?$)""", re.MULTILINE
)
_COMMENT = re.compile(r"[ \t]*#")
_END = re.compile(r"(?:---|\.\.\.)(?:\s|$)")


class _UnfitError(Exception):
    """A text of a form that cannot be edited."""


def rewritten(data: bytes, wanted: Sequence[tuple[Case, dict[str, Any]]]) -> bytes:
    """A text with objects as they shall be."""
    text = data.decode()
    lines = text.splitlines(keepends=True)
    edits = [edit for case, new in wanted for edit in _edits(lines, case, new)]
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text.encode()


def _edits(lines: list[str], case: Case, new: dict[str, Any]) -> list[Edit]:
    """The edits for one object: such that the text is read as it shall be, else one for all of it."""
    editor = _Editor(lines, case)
    whole = [editor.whole(new)]
    if editor.json:
        return whole
    try:
        made = list(editor.mapping((), case.given, new, editor.last))
    except _UnfitError:
        return whole
    text = "".join(lines)
    for start, end, piece in sorted(made, reverse=True):
        text = text[:start] + piece + text[end:]
    read = read_cases(text.encode(), case.document.file, Problems())
    kept = any(same(each.given, new) for each in read)
    return made if kept else whole


class _Editor:
    """Edits of one object in a text of lines."""

    def __init__(self, lines: list[str], case: Case) -> None:
        self._lines, self._case = lines, case
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))
        first = case.at.line - 1
        ends = (index for index in range(first + 1, len(lines)) if _END.match(lines[index]))
        self._first = first
        self.last = next(ends, len(lines))
        self.json = lines[first][case.at.column - 1 :].startswith("{") if lines else False

    def whole(self, new: dict[str, Any]) -> Edit:
        """The object as a whole."""
        start, end = self._starts[self._first] + self._case.at.column - 1, self._starts[self.last]
        if self._case.prefix:
            raise ValueError("an object in a list cannot be written anew")
        if self.json:
            return start, end, json.dumps(new, indent=2, ensure_ascii=False) + "\n"
        return start, end, dump(new)

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
            yield self._added(added, keys[0][2], self._content_end(keys[0][2], ends[-1]))

    def _keys(self, path: Steps, old: dict[str, Any]) -> list[tuple[str, int, int]]:
        """The keys of a mapping with their lines and columns from 0, in the order of the text."""
        found = []
        for key in old:
            at = self._case.place((*path, key), key=True)
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
        starts = [self._case.place((*path, index)).line - 1 for index in range(len(old))]
        if len(set(starts)) != len(starts):
            raise _UnfitError
        for index, last in enumerate(self._ends(starts, end)):
            if not same(old[index], new[index]):
                yield from self._inside((*path, index), old[index], new[index], last)

    def _scalar(self, path: Steps, old: Any, new: Any) -> Edit:
        if isinstance(old, dict | list) or isinstance(new, dict | list):
            raise _UnfitError
        at = self._case.place(path)
        found = _SCALAR.match(self._lines[at.line - 1], at.column - 1)
        text = dump({"a": new})
        if found is None or text.count("\n") != 1:
            raise _UnfitError
        start = self._starts[at.line - 1]
        return start + found.start(1), start + found.end(1), text[3:-1]

    def _added(self, added: dict[str, Any], column: int, end: int) -> Edit:
        before = "" if self._lines[end - 1].endswith("\n") else "\n"
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


def _alike(old: Any, new: Any) -> bool:
    """Whether values are both objects, or lists of as many."""
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and bool(old) and isinstance(old[0], dict)
    return isinstance(old, dict) and isinstance(new, dict)


def _indented(value: dict[str, Any], column: int) -> str:
    return "".join(f"{' ' * column}{line}" if line.strip() else line for line in dump(value).splitlines(keepends=True))
