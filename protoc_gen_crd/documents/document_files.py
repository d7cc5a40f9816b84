"""Search for files in the paths of a command: documents, and inputs of the generator."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.base.checksums import MANIFEST, RELEASES, read_sums
from protoc_gen_crd.base.descriptor_files import BINARY, JSON, START, is_json_image
from protoc_gen_crd.base.input_files import check_file, read_file, read_stream, read_text
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Problems

STDIN = "-"
STDIN_NAME = "<stdin>"  # standard input in findings

_DOCUMENT_SUFFIXES = (".yaml", ".yml", ".json")
_RPC_SAMPLES = (".request.json", ".response.json")  # samples of gRPC API groups, which are no Kubernetes objects
_PROTO_SUFFIX = ".proto"


class InputFiles(Record):
    """Files of documents, and inputs that the generator reads."""

    documents: tuple[str, ...]
    generator_inputs: tuple[str, ...]


def find_files(paths: Sequence[str], problems: Problems, output_folders: Sequence[str] = ()) -> InputFiles:
    """Find the files in the paths. Raises OSError for a path that does not exist.

    `output_folders` contain generated files: if a path has .proto files, documents in these folders are skipped, and
    generated documents if the path is in such a folder.
    """
    documents: list[str] = []
    apis: list[str] = []
    for path in paths:
        if path == STDIN:
            documents.append(STDIN_NAME)
            continue
        os.stat(path)  # noqa: PTH116 - its error names the path as passed
        if not Path(path).is_dir():
            (apis if _is_generator_input(path) else documents).append(os.path.normpath(path))
            continue
        before = len(problems.findings)
        files = list(_walk_folder(path, problems))
        protos = any(file.endswith(_PROTO_SUFFIX) for file in files)
        skipped_folders = [folder for folder in output_folders if protos and not _is_below(path, folder)]
        candidates = [file for file in files if _is_document(file) and not _is_generator_input(file)]
        generated = {
            name
            for folder in output_folders
            if protos and _is_below(path, folder)
            for name in _read_generated_names(folder)
        }
        documents += [
            file
            for file in candidates
            if file not in generated and not any(_is_below(file, folder) for folder in skipped_folders)
        ]
        apis += [path] if protos else []
        if not files and len(problems.findings) == before:
            message = f'no documents, CRDs or .proto files found in folder "{path}"'
            problems.report("document-none", message, Location(path))
    return InputFiles(tuple(dict.fromkeys(documents)), tuple(dict.fromkeys(apis)))


def find_api_files(path: str, problems: Problems, output_folders: Sequence[str] = ()) -> InputFiles:
    """Find the files in a path that defines an API, like `find_files`. A file without a suffix contains descriptors."""
    files = find_files([path], problems, output_folders)
    is_image = not Path(path).is_dir() and not path.endswith(_DOCUMENT_SUFFIXES)
    return InputFiles((), (os.path.normpath(path),)) if is_image else files


def _is_document(path: str) -> bool:
    return path.endswith(_DOCUMENT_SUFFIXES) and not path.endswith(_RPC_SAMPLES)


def _is_generator_input(path: str) -> bool:
    """Return whether a file is a .proto file or contains descriptors."""
    if path.endswith((_PROTO_SUFFIX, *BINARY)):
        return True
    try:
        return path.endswith(JSON) and is_json_image(_read_start(path))
    except OSError:
        return False  # reported when it is read


def _read_start(path: str) -> bytes:
    check_file(path, pipes=True)
    with Path(path).open("rb") as file:
        return file.read(START)


def _read_generated_names(folder: str) -> Iterator[str]:
    """Yield the generated files of a folder."""
    try:
        text = read_text(Path(folder) / MANIFEST)
    except OSError:
        return
    yield from (os.path.normpath(os.path.join(folder, name)) for _, _, name, _ in read_sums(text) if name)  # noqa: PTH118


def is_generated(file: str) -> bool:
    """Return whether a file is generated, according to the manifests in its folder and the folders above."""
    absolute = os.path.abspath(file)  # noqa: PTH100 - links stay links
    return any(
        absolute in map(os.path.abspath, _read_generated_names(str(folder))) for folder in Path(absolute).parents
    )


def _is_below(path: str, folder: str) -> bool:
    """Return whether a path is a folder or is inside it."""
    return Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder))  # noqa: PTH100 - links stay links


def _walk_folder(folder: str, problems: Problems) -> Iterator[str]:
    """Yield the input files below a folder, sorted, without hidden folders and recorded releases."""

    def report_unreadable(error: OSError) -> None:
        _report_unreadable(str(error.filename), error, problems, "folder")

    for current, folders, files in os.walk(folder, onerror=report_unreadable):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        if RELEASES in files and current != folder:
            folders.clear()
            continue
        for name in sorted(files):
            if name.endswith((*_DOCUMENT_SUFFIXES, _PROTO_SUFFIX)) and not name.startswith("."):
                yield os.path.normpath(os.path.join(current, name))  # noqa: PTH118


def read_content(name: str, problems: Problems) -> bytes:
    """Read a file. Return no bytes, with a finding, if it cannot be read."""
    try:
        data = read_stream(sys.stdin.buffer, name) if name == STDIN_NAME else read_file(name, pipes=True)
    except OSError as error:
        _report_unreadable(name, error, problems)
        return b""
    if name == STDIN_NAME and is_json_image(data[:START]):
        message = "standard input is a descriptor set in JSON, expected documents"
        problems.report("document-file", message, Location(name), hint="pass the file as a path")
        return b""
    return data


def is_stream(name: str) -> bool:
    """Return whether a file can be read only once: standard input or a pipe."""
    return name == STDIN_NAME or Path(name).is_fifo()


def _report_unreadable(name: str, error: OSError, problems: Problems, kind: str = "file") -> None:
    problems.report("document-file", f"cannot read the {kind}: {error.strerror or error}", Location(name))
