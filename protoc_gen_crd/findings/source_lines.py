"""Source lines of locations: the line to show, and the column in characters.

A request tells places as protoc counts them: bytes, tabs to the next multiple of eight, comment lines by arithmetic.
With the text at hand a place is made exact. Knows files and lines, not what is written in them.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Excerpt, Location

MAX_FILE_SIZE = 16 * 2**20  # bytes of a file worth reading to show one line of it
MAX_LINE_LENGTH = 10_000  # characters of a line that people read
SEARCH_DISTANCE = 100  # lines around an approximate place in which a marker is looked for
TAB_WIDTH = 8


class SourceFiles:
    """Files by the name that a finding gives; `paths` says where files with another name on disk lie.

    `texts` are what cannot be read again, such as standard input.
    """

    def __init__(self, paths: Mapping[str, str] | None = None, texts: Mapping[str, bytes] | None = None) -> None:
        self._paths = paths or {}
        self._lines: dict[str, list[str]] = {name: _split(data) for name, data in (texts or {}).items()}

    def get_path(self, file: str) -> str:
        """The file as the user can open it."""
        return self._paths.get(file, file)

    def read_lines(self, file: str) -> list[str]:
        """The lines of a file, none if it cannot be read."""
        known = self._lines.get(file)
        if known is None:
            known = self._lines[file] = _read(self.get_path(file))
        return known

    def read_line(self, at: Location) -> str:
        """The line of a place, empty if it is not known or too long to be shown."""
        lines = self.read_lines(at.file)
        line = lines[at.line - 1] if 0 < at.line <= len(lines) else ""
        return line if len(line) <= MAX_LINE_LENGTH else ""

    def locate(self, at: Location, excerpt: Excerpt | None) -> Location:
        """The place with a column in characters, moved to where a marker stands if that is not where it points."""
        line = self.read_line(at)
        if line and at.column and at.file.endswith(".proto"):
            at = at.replace(column=count_characters(line, at.column))
        if excerpt is None or not choose_search_text(excerpt).startswith("+"):
            return at
        index = find_in_line(line, choose_search_text(excerpt), at.column)
        inline = index >= 0 and index != at.column - 1 and _is_before_code(line, index)
        if index >= 0 and not inline:
            return at
        return self._search_nearby(at, choose_search_text(excerpt), from_line=at.line + 1 if inline else 1) or at

    def _search_nearby(self, at: Location, text: str, *, from_line: int) -> Location | None:
        lines = self.read_lines(at.file)
        span = range(max(from_line, at.line - SEARCH_DISTANCE), min(len(lines), at.line + SEARCH_DISTANCE) + 1)
        for number in sorted(span, key=lambda number: abs(number - at.line)):
            column = find_in_line(self.read_line(Location(at.file, number)), text, 1)
            if column >= 0:
                return Location(at.file, number, column + 1)
        return None


def _is_before_code(line: str, index: int) -> bool:
    """Check whether a statement follows the block comment at an index: then it does not document the next line."""
    _, closed, behind = line[index:].partition("*/")
    return bool(closed) and behind.strip()[:1] not in ("", "/", "}")


class CaretLine(Record):
    """The line of an excerpt that holds its caret: text and column from 0."""

    text: str
    column: int


def find_caret_line(excerpt: Excerpt) -> CaretLine:
    """The line that the excerpt's caret is in."""
    start = excerpt.text.rfind("\n", 0, excerpt.column) + 1
    return CaretLine(excerpt.text[start:].split("\n", 1)[0], excerpt.column - start)


def choose_search_text(excerpt: Excerpt) -> str:
    """Return the string to search in a source file."""
    return find_caret_line(excerpt).text.strip()


def find_in_line(line: str, text: str, column: int) -> int:
    """Index of a text in a line, at or after a column from 1, else anywhere; -1 if it is not there.

    A marker that goes on over several lines is found by the part of it on this line.
    """
    if not text:
        return -1
    index = line.find(text, max(0, column - 1))
    index = index if index >= 0 else line.find(text)
    if index < 0 and text.startswith("+"):
        start = line.find("+")
        part = line[start:].rstrip(" \t*/")
        return start if start >= 0 and len(part) > 1 and text.startswith(part) else -1
    return index


def count_characters(line: str, column: int) -> int:
    """The column in characters, from 1, of a column as protoc counts: bytes, and tabs to the next multiple of eight."""
    if line.isascii() and "\t" not in line:
        return min(column, len(line) + 1)
    reached = 0
    for index, character in enumerate(line):
        if reached >= column - 1:
            return index + 1
        reached += (
            TAB_WIDTH - reached % TAB_WIDTH if character == "\t" else len(character.encode("utf-8", "surrogatepass"))
        )
    return len(line) + 1


def count_protoc_columns(line: str, index: int) -> int:
    """The column as protoc counts, from 1, of an index in characters: what `count_characters` turns back."""
    reached = 0
    for character in line[:index]:
        reached += (
            TAB_WIDTH - reached % TAB_WIDTH if character == "\t" else len(character.encode("utf-8", "surrogatepass"))
        )
    return reached + 1


def _read(path: str) -> list[str]:
    try:
        return _split(read_file(path, limit=MAX_FILE_SIZE))
    except (OSError, ValueError):
        return []


def _split(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
