"""TOML parser with the places of keys, with the interface of `yaml.reader`.

The standard library provides no places, so headers and keys are located by line. A value in an inline table or an
array has the place of the key of that table or array.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.findings.finding import Location

Path = tuple[str | int, ...]

_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_DOTTED = rf"{_KEY}(?:[ \t]*\.[ \t]*{_KEY})*"
_HEADER = re.compile(rf"[ \t]*(\[\[?)[ \t]*({_DOTTED})[ \t]*\]")
_ENTRY = re.compile(rf"([ \t]*)({_DOTTED})[ \t]*=")
_POSITION = re.compile(r" \(at line (\d+), column (\d+)\)")


class TomlDocument:
    """A TOML document: its value, or the message and place of its first error."""

    def __init__(self, content: str, file: str) -> None:
        self.value: dict[str, Any] = {}
        self.error = ""
        self.at = Location(file, 1, 1)
        self._places: dict[Path, Location] = {}
        try:
            self.value = tomllib.loads(content)
        except tomllib.TOMLDecodeError as error:
            self.error = _POSITION.sub("", str(error))
            position = _POSITION.search(str(error))
            self.at = Location(file, int(position[1]), int(position[2])) if position else Location(file)
        except RecursionError:
            self.error = "values are nested too deeply"
        for path, line, column in _scan_keys(content):
            self._places.setdefault(path, Location(file, line, column))

    def get_place(self, path: Path) -> Location:
        """Return the place of a key, or of the nearest key that contains it."""
        for end in range(len(path), 0, -1):
            if path[:end] in self._places:
                return self._places[path[:end]]
        return self.at


def _scan_keys(content: str) -> Iterator[tuple[Path, int, int]]:
    """Yield every key and table with its line and column, both from 1."""
    table: Path = ()
    counts: dict[Path, int] = {}
    for number, line in enumerate(content.split("\n"), start=1):
        header, entry = _HEADER.match(line), _ENTRY.match(line)
        if header:
            table = _index_path(_split_key(header[2]), counts, repeated=header[1] == "[[")
            yield table, number, header.start(1) + 1
        elif entry:
            yield (*table, *_split_key(entry[2])), number, len(entry[1]) + 1


def _index_path(names: tuple[str, ...], counts: dict[Path, int], *, repeated: bool) -> Path:
    """Return the path of a table, with the index of the last element for arrays of tables."""
    path: Path = ()
    for name in names[:-1]:
        path = (*path, name)
        if path in counts:
            path = (*path, counts[path])
    path = (*path, names[-1])
    if repeated:
        counts[path] = counts.get(path, -1) + 1
    return (*path, counts[path]) if path in counts else path


def _split_key(dotted: str) -> tuple[str, ...]:
    return tuple(key.strip("\"'") for key in re.findall(_KEY, dotted))
