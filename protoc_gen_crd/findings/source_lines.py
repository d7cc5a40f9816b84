"""Source lines of locations: the line to show, and the column in characters.

Requests have the locations of protoc: columns in bytes, with tabs to the next multiple of eight, and computed lines of
comments. With the source file, the locations are made exact.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Excerpt, Location

MAX_FILE_SIZE = 16 * 2**20  # bytes of a file that is read to show a line of it
MAX_LINE_LENGTH = 10_000  # characters of a line that is shown
_MAX_CHARACTER_SIZE = 4  # bytes
SEARCH_DISTANCE = 100  # lines around an approximate location in which a marker is searched
TAB_WIDTH = 8


class SourceFiles:
    """Source files by their names in findings; `paths` has the paths of files with another name on disk.

    `texts` has the content of files that cannot be read again, such as standard input, `copies` the paths of copies of
    files that are not on disk, such as those of a commit.
    """

    def __init__(
        self,
        paths: Mapping[str, str] | None = None,
        texts: Mapping[str, bytes] | None = None,
        copies: Mapping[str, str] | None = None,
    ) -> None:
        self._paths = paths or {}
        self._copies = copies or {}
        self._lines: dict[str, list[bytes]] = {name: _split(data) for name, data in (texts or {}).items()}

    def get_path(self, file: str) -> str:
        """Return the path of a file on disk."""
        return self._paths.get(file, file)

    def read_lines(self, file: str) -> list[str]:
        """Return the lines of a file, none if it cannot be read."""
        return [_decode(line) for line in self._load(file)]

    def _load(self, file: str) -> list[bytes]:
        lines = self._lines.get(file)
        if lines is None:
            lines = self._lines[file] = _read(self._copies.get(file) or self.get_path(file))
        return lines

    def read_line(self, at: Location) -> str:
        """Return the line of a location, empty if it is unknown or too long."""
        lines = self._load(at.file)
        data = lines[at.line - 1] if 0 < at.line <= len(lines) else b""
        line = _decode(data) if len(data) <= MAX_LINE_LENGTH * _MAX_CHARACTER_SIZE else ""
        return line if len(line) <= MAX_LINE_LENGTH else ""

    def locate(self, at: Location, excerpt: Excerpt | None) -> Location:
        """Return the location with a column in characters, corrected if the marker is located elsewhere nearby."""
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

    def _search_nearby(self, at: Location, string: str, *, from_line: int) -> Location | None:
        last = min(len(self._load(at.file)), at.line + SEARCH_DISTANCE)
        span = range(max(from_line, at.line - SEARCH_DISTANCE), last + 1)
        for number in sorted(span, key=lambda number: abs(number - at.line)):
            column = find_in_line(self.read_line(Location(at.file, number)), string, 1)
            if column >= 0:
                return Location(at.file, number, column + 1)
        return None


def _is_before_code(line: str, index: int) -> bool:
    """Return whether code follows the block comment at an index: then it does not document the next line."""
    _, closed, rest = line[index:].partition("*/")
    return bool(closed) and rest.strip()[:1] not in ("", "/", "}")


class CaretLine(Record):
    """The line of an excerpt with its caret: string and column from 0."""

    text: str
    column: int


def find_caret_line(excerpt: Excerpt) -> CaretLine:
    """Return the line of the excerpt with its caret."""
    start = excerpt.text.rfind("\n", 0, excerpt.column) + 1
    return CaretLine(excerpt.text[start:].split("\n", 1)[0], excerpt.column - start)


def choose_search_text(excerpt: Excerpt) -> str:
    """Return the string to search in a source file."""
    return find_caret_line(excerpt).text.strip()


def find_in_line(line: str, string: str, column: int) -> int:
    """Return the index of a string in a line, at or after a column from 1, otherwise anywhere; -1 if it is missing.

    A marker on several lines is found by its part on this line.
    """
    if not string:
        return -1
    index = line.find(string, max(0, column - 1))
    index = index if index >= 0 else line.find(string)
    if index < 0 and string.startswith("+"):
        start = line.find("+")
        part = line[start:].rstrip(" \t*/")
        return start if start >= 0 and len(part) > 1 and string.startswith(part) else -1
    return index


def count_characters(line: str, column: int) -> int:
    """Convert a column of protoc (bytes, tabs to the next multiple of eight) to a column in characters, from 1."""
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
    """Convert an index in characters to a column of protoc, from 1: the inverse of `count_characters`."""
    reached = 0
    for character in line[:index]:
        reached += (
            TAB_WIDTH - reached % TAB_WIDTH if character == "\t" else len(character.encode("utf-8", "surrogatepass"))
        )
    return reached + 1


def _read(path: str) -> list[bytes]:
    try:
        return _split(read_file(path, limit=MAX_FILE_SIZE))
    except (OSError, ValueError):
        return []


def _split(data: bytes) -> list[bytes]:
    return (data.replace(b"\r\n", b"\n") if b"\r" in data else data).split(b"\n")


def _decode(line: bytes) -> str:
    return line.decode("utf-8", "replace")
