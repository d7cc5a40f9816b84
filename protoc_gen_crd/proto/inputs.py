"""What `generate` is given, files, folders, descriptor sets and images together, as one request."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.bufconfig import module_roots
from protoc_gen_crd.proto.compiler import compile_files, disk_paths
from protoc_gen_crd.proto.images import read_image
from protoc_gen_crd.proto.roots import layout_of

PROTO = ".proto"


class Inputs(Record):
    """A request, and where its files lie on disk, by name."""

    request: CodeGeneratorRequest
    paths: dict[str, str]

    def dump(self, parameter: str) -> bytes:
        """The request as protoc would send it with this parameter."""
        dumped = CodeGeneratorRequest(parameter=parameter)
        dumped.MergeFrom(self.request)
        return dumped.SerializeToString()


def read_inputs(
    given: Sequence[str], import_paths: Sequence[str], targets: Sequence[str], problems: Problems
) -> Inputs:  # fmt: skip
    """Compile the .proto files among the inputs, read the others. Raises OSError for a path that cannot be read."""
    for path in (*given, *import_paths):
        os.stat(path)  # noqa: PTH116 - for the error, which names the path as it was given
    request = CodeGeneratorRequest()
    sources = list(dict.fromkeys(file for path in given for file in _sources(path, problems)))
    layout = layout_of(sources, import_paths or _buf_roots(sources, problems), problems)
    if layout.files:
        request = compile_files(layout.files, layout.import_paths, problems)
    for path in given:
        if not _compiled(path):
            _merge(request, read_image(Path(path).read_bytes(), path, targets, problems))
    return Inputs(request, disk_paths(request, layout.files, layout.import_paths))


def _compiled(path: str) -> bool:
    return path.endswith(PROTO) or Path(path).is_dir()


def _sources(path: str, problems: Problems) -> list[str]:
    """The .proto files of an input, sorted; hidden folders hold none of the user's."""
    if not Path(path).is_dir():
        return [os.path.normpath(path)] if path.endswith(PROTO) else []
    found: list[str] = []
    for folder, folders, files in os.walk(path, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        names = sorted(name for name in files if name.endswith(PROTO))
        found += [os.path.normpath(os.path.join(folder, name)) for name in names]  # noqa: PTH118
    if not found:
        problems.report("input-empty", f'a folder must hold a .proto file, found none in "{path}"', Location(path))
    return found


def _raise(error: OSError) -> None:
    raise error


def _buf_roots(sources: Sequence[str], problems: Problems) -> list[str]:
    """The module roots around the files, if they hold all of them."""
    folders = dict.fromkeys(Path(file).parent for file in sources)
    roots = list(dict.fromkeys(root for folder in folders for root in module_roots(folder, problems)))
    held = all(any(Path(file).resolve().is_relative_to(Path(root).resolve()) for root in roots) for file in sources)
    return roots if held else []


def _merge(request: CodeGeneratorRequest, other: CodeGeneratorRequest) -> None:
    """Add a request to another. What both of them only import is taken once; a target of both stays a mistake."""
    known = {file.name for file in request.proto_file}
    twice = set(request.file_to_generate) & set(other.file_to_generate)
    request.proto_file.extend(file for file in other.proto_file if file.name not in known or file.name in twice)
    request.file_to_generate.extend(other.file_to_generate)
