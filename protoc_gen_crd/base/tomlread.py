"""TOML text to plain data, with the lines that keys stand in. The interface is that of `yamlread`.

The standard library parses but tells no places, so headers and keys are looked up in the text by line. What stands in
an inline table or an array has the place of the key that holds it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.base.diagnostics import Location

Path = tuple[str | int, ...]

_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_DOTTED = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]")
_ENTRY = re.compile(rf"([ \t]*)({_DOTTED})[ \t]*=")
_POSITION = re.compile(r" \(at line (\d+), column (\d+)\)")


class TomlDocument:
    """A document: its value, or the message and place of its first error."""

    def __init__(self, text: str, file: str) -> None:
        self.value: dict[str, Any] = {}
        self.error = ""
        self.at = Location(file, 1, 1)
        self._places: dict[Path, Location] = {}
        try:
            self.value = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            self.error = _POSITION.sub("", str(error))
            position = _POSITION.search(str(error))
            self.at = Location(file, int(position[1]), int(position[2])) if position else Location(file)
        for path, line, column in _keys(text):
            self._places.setdefault(path, Location(file, line, column))

    def place(self, path: Path) -> Location:
        """The place of a key, or of the nearest one around it."""
        for end in range(len(path), 0, -1):
            if path[:end] in self._places:
                return self._places[path[:end]]
        return self.at


def _keys(text: str) -> Iterator[tuple[Path, int, int]]:
    """Every key and table with its line and column, both from 1."""
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        header, entry = _HEADER.match(line), _ENTRY.match(line)
        if header:
            table = _indexed(_split(header[2]), counts, repeated=header[1] == "[[")
            yield table, number, header.start(1) + 1
        elif entry:
            yield (*table, *_split(entry[2])), number, len(entry[1]) + 1


def _indexed(names: tuple[str, ...], counts: dict[Path, int], *, repeated: bool) -> Path:
    """The path of a table: below an array of tables, the index of its last element stands in it."""
    path: Path = ()
    for name in names[:-1]:
        path = (*path, name)
        if path in counts:
            path = (*path, counts[path])
    path = (*path, names[-1])
    if repeated:
        counts[path] = counts.get(path, -1) + 1
    return (*path, counts[path]) if path in counts else path


def _split(dotted: str) -> tuple[str, ...]:
    return tuple(key.strip("\"'") for key in re.findall(_KEY, dotted))
