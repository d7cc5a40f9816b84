"""Reader of manifests that callers of the library pass: plain data, a string of YAML or JSON, or a path."""

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


def read_manifest(manifest: Json | StringOrPath) -> ManifestInput:
    """Read a single object. Raises ValueError if there are none or several, OSError if a file cannot be read."""
    manifests = list(read_manifests(manifest))
    if len(manifests) != 1:
        raise ValueError(f"expected one document, got {len(manifests)} in {_shorten_input(manifest)}")
    return manifests[0]


def read_manifests(manifest: Json | StringOrPath) -> Iterator[ManifestInput]:
    """Yield the objects of a stream, or a single object. Raises TypeError for other types, ValueError if invalid."""
    if isinstance(manifest, Mapping):
        check_plain(manifest)
        yield ManifestInput(manifest)
        return
    if not isinstance(manifest, str | os.PathLike):
        raise TypeError(f"expected a dict, str or Path, got {type(manifest).__name__}")
    from protoc_gen_crd.yaml.reader import read  # noqa: PLC0415 - plain data needs no reader

    name = "" if isinstance(manifest, str) else os.fspath(manifest)
    for document in read(manifest if isinstance(manifest, str) else read_file(manifest, pipes=True), name):
        if document.error is not None:
            raise ValueError(f"invalid YAML or JSON in {_shorten_input(manifest)}: {document.error}")
        if isinstance(document.value, Mapping):
            yield ManifestInput(document.value, document.get_place)
        elif document.value is not None:
            raise ValueError(f"expected an object in {_shorten_input(manifest)}, got another value")


def _shorten_input(manifest: object) -> str:
    """Return the start of a string, or the name of a file. A string of one line may be intended as a file name."""
    if not isinstance(manifest, str):
        return f'"{manifest}"'
    start = manifest[:_MAX_SHOWN_LENGTH] + ("..." if len(manifest) > _MAX_SHOWN_LENGTH else "")
    return f'"{start}"' + ("" if "\n" in manifest else " (for a file, pass a Path)")
