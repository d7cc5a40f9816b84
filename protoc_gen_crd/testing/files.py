"""Paths as given to what is in them: files of documents, and what holds .proto files or descriptors."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.imagefiles import BINARY, JSON, START, is_json_image
from protoc_gen_crd.base.inputfiles import check_input, input_bytes
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.sums import MANIFEST, RELEASES, read_sums

STDIN = "-"
SHOWN = "<stdin>"  # standard input in findings

_DOCUMENTS = (".yaml", ".yml", ".json")
_PROTO = ".proto"


class Files(Record):
    """Files of documents, and inputs that the generator reads."""

    documents: tuple[str, ...]
    apis: tuple[str, ...]


def find_files(given: Sequence[str], problems: Problems, written: Sequence[str] = ()) -> Files:
    """What is in the paths. Raises OSError for a path that is not there.

    `written` are folders that hold what is made of .proto files: beside these, no documents are taken from them, nor
    those that a run has written where such a folder holds the .proto files, too.
    """
    documents: list[str] = []
    apis: list[str] = []
    for path in given:
        if path == STDIN:
            documents.append(SHOWN)
            continue
        os.stat(path)  # noqa: PTH116 - for the error, which names the path as it was given
        if not Path(path).is_dir():
            (apis if _is_api(path) else documents).append(os.path.normpath(path))
            continue
        held = list(_walk(path, problems))
        protos = any(file.endswith(_PROTO) for file in held)
        made = [folder for folder in written if protos and not _is_below(path, folder)]
        found = [file for file in held if file.endswith(_DOCUMENTS) and not _is_api(file)]
        listed = {name for folder in written if protos and _is_below(path, folder) for name in _listed(folder)}
        documents += [
            file for file in found if file not in listed and not any(_is_below(file, folder) for folder in made)
        ]
        apis += [path] if protos else []
        if not held:
            message = f'a folder must hold documents, CRDs or .proto files, found none in "{path}"'
            problems.report("document-none", message, Location(path))
    return Files(tuple(dict.fromkeys(documents)), tuple(dict.fromkeys(apis)))


def _is_api(path: str) -> bool:
    """Whether a file is of .proto or holds descriptors. In folders, descriptors are what is made of their sources."""
    if path.endswith((_PROTO, *BINARY)):
        return True
    try:
        return path.endswith(JSON) and is_json_image(_start(path))
    except OSError:
        return False  # told of when it is read


def _start(path: str) -> bytes:
    check_input(path)
    with Path(path).open("rb") as file:
        return file.read(START)


def _listed(folder: str) -> Iterator[str]:
    """The files of a folder that runs have written."""
    try:
        text = (Path(folder) / MANIFEST).read_text("utf-8", "replace")
    except OSError:
        return
    yield from (os.path.normpath(os.path.join(folder, name)) for _, _, name, _ in read_sums(text) if name)  # noqa: PTH118


def is_listed(file: str) -> bool:
    """Whether a run has written a file: the folder that it lies in, or one around it, tells."""
    whole = os.path.abspath(file)  # noqa: PTH100 - links stay links
    return any(whole in map(os.path.abspath, _listed(str(folder))) for folder in Path(whole).parents)


def _is_below(path: str, folder: str) -> bool:
    """Whether a path is a folder, or lies below it."""
    return Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder))  # noqa: PTH100 - links stay links


def _walk(folder: str, problems: Problems) -> Iterator[str]:
    """The files below a folder that can hold something, sorted; hidden folders hold none of the user's.

    Nor do recorded releases below it: what they hold was.
    """

    def unreadable(error: OSError) -> None:
        _report(str(error.filename), error, problems)

    for here, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if RELEASES in files and here != folder:
            folders.clear()
            continue
        for name in sorted(files):
            if name.endswith((*_DOCUMENTS, _PROTO)) and not name.startswith("."):
                yield os.path.normpath(os.path.join(here, name))  # noqa: PTH118


def content(name: str, problems: Problems) -> bytes:
    """The bytes of a file, none with a finding where it cannot be read."""
    try:
        data = sys.stdin.buffer.read() if name == SHOWN else input_bytes(name)
    except OSError as error:
        _report(name, error, problems)
        return b""
    if name == SHOWN and is_json_image(data[:START]):
        message = "standard input must hold documents, found a descriptor set as JSON"
        problems.report("document-file", message, Location(name), hint="give its file as a path")
        return b""
    return data


def _report(name: str, error: OSError, problems: Problems) -> None:
    problems.report("document-file", f"a file must be readable, found {error.strerror or error}", Location(name))
