"""Manifests that callers of the library pass: plain data, a string of YAML or JSON, or the path of a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.recursion_limit import check_plain
from protoc_gen_crd.findings.finding import Location

Json = Mapping[str, Any]
StringOrPath = str | os.PathLike[str]
_MAX_SHOWN_LENGTH = 60  # characters of a string that are shown


class ManifestInput(Record):
    """An object as plain data, with the places of its values if it was parsed."""

    data: Any
    places: Callable[[tuple[str | int, ...]], Location] | None = None


def read_manifest(given: Json | StringOrPath) -> ManifestInput:
    """Read one object. Raises ValueError if there is none or several, OSError if a file cannot be read."""
    manifests = list(read_manifests(given))
    if len(manifests) != 1:
        raise ValueError(f"expected one document, got {len(manifests)} in {_shorten_input(given)}")
    return manifests[0]


def read_manifests(given: Json | StringOrPath) -> Iterator[ManifestInput]:
    """Yield the objects of a stream, or the given one. Raises TypeError for other types."""
    if isinstance(given, Mapping):
        check_plain(given)
        yield ManifestInput(given)
        return
    if not isinstance(given, str | os.PathLike):
        raise TypeError(f"expected a dict, str or Path, got {type(given).__name__}")
    from protoc_gen_crd.yaml.reader import read  # noqa: PLC0415 - data needs no reader

    name = "" if isinstance(given, str) else os.fspath(given)
    for document in read(given if isinstance(given, str) else read_file(given, pipes=True), name):
        if document.error is not None:
            raise ValueError(f"invalid YAML or JSON in {_shorten_input(given)}: {document.error}")
        if isinstance(document.value, Mapping):
            yield ManifestInput(document.value, document.get_place)
        elif document.value is not None:
            raise ValueError(f"expected an object in {_shorten_input(given)}, got another value")


def _shorten_input(given: object) -> str:
    """Return the start of a string or the name of a file; a string of one line may be meant as a file name."""
    if not isinstance(given, str):
        return f'"{given}"'
    start = given[:_MAX_SHOWN_LENGTH] + ("..." if len(given) > _MAX_SHOWN_LENGTH else "")
    return f'"{start}"' + ("" if "\n" in given else " (for a file, pass a Path)")
