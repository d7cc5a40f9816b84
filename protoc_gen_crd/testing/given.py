"""What programs hand over: plain data as it is, a text of YAML or JSON, or the path of a file that holds one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.diagnostics import Location
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.recursion import check_plain

Json = Mapping[str, Any]
Text = str | os.PathLike[str]
_LONGEST = 60  # characters of a text that are shown


class Manifest(Record):
    """An object as plain data, and where each of its parts stands, if it was a text."""

    data: Any
    places: Callable[[tuple[str | int, ...]], Location] | None = None


def manifest(given: Json | Text) -> Manifest:
    """One object. Raises ValueError for a text that holds none or several, OSError for a file that cannot be read."""
    found = list(manifests(given))
    if len(found) != 1:
        raise ValueError(f"a text must hold one document, found {len(found)} in {_shown(given)}")
    return found[0]


def manifests(given: Json | Text) -> Iterator[Manifest]:
    """All objects of a stream, or the one that data is. Raises TypeError for what is neither text nor object."""
    if isinstance(given, Mapping):
        check_plain(given)
        yield Manifest(given)
        return
    if not isinstance(given, str | os.PathLike):
        raise TypeError(f"an object must be given as a dict, a text or a Path, found {type(given).__name__}")
    from protoc_gen_crd.base.yamlread import read  # noqa: PLC0415 - data needs no reader

    name = "" if isinstance(given, str) else os.fspath(given)
    for document in read(given if isinstance(given, str) else Path(given).read_bytes(), name):
        if document.error is not None:
            raise ValueError(f"a text must be YAML or JSON, found {document.error} in {_shown(given)}")
        if isinstance(document.value, Mapping):
            yield Manifest(document.value, document.place)
        elif document.value is not None:
            raise ValueError(f"a text must hold an object, found another value in {_shown(given)}")


def _shown(given: object) -> str:
    """A text's beginning or a file's name; a text of one line may have been meant as a name."""
    if not isinstance(given, str):
        return f'"{given}"'
    start = given[:_LONGEST] + ("..." if len(given) > _LONGEST else "")
    return f'"{start}"' + ("" if "\n" in given else " (for a file, give a Path)")
