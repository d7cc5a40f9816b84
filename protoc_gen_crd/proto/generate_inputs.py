"""Reader of the inputs of `generate` (files, folders, descriptor sets, and images) as one request."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.base.input_files import check_file, read_file
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.proto.buf_config import BufModules, find_config_folders, find_modules
from protoc_gen_crd.proto.descriptor_sets import read_image
from protoc_gen_crd.proto.import_paths import resolve_layout
from protoc_gen_crd.proto.protoc_compiler import compile_files, get_disk_paths

PROTO = ".proto"


class GenerateInputs(Record):
    """A request, and the paths of its files on disk by name."""

    request: CodeGeneratorRequest
    paths: dict[str, str]

    def serialize_request(self, parameter: str) -> bytes:
        """Return the request as protoc would send it with this parameter."""
        dumped = CodeGeneratorRequest(parameter=parameter)
        dumped.MergeFrom(self.request)
        return dumped.SerializePartialToString()


def read_inputs(
    inputs: Sequence[str], import_paths: Sequence[str], targets: Sequence[str], problems: Problems
) -> GenerateInputs:  # fmt: skip
    """Compile the .proto files of the inputs, and read the others.

    Args:
        inputs: Files and folders: .proto files, descriptor sets and buf images.
        import_paths: The folders that imports are resolved from; if empty, they are derived.
        targets: The files of descriptor sets to generate for, with * as a wildcard.
        problems: Receives the errors of protoc and of the inputs.

    Raises:
        OSError: A path cannot be read.
    """
    for path in (*inputs, *import_paths):
        mode = check_file(path, pipes=True)
        if path in import_paths and not stat.S_ISDIR(mode):
            raise NotADirectoryError(20, "not a folder", path)
    request = CodeGeneratorRequest()
    sources_by_input = {path: _find_sources(path, problems) for path in inputs}
    modules = (
        BufModules()
        if import_paths
        else _find_modules([file for files in sources_by_input.values() for file in files], problems)
    )
    selected = [file for path in inputs for file in _select_files(path, sources_by_input[path], modules.excludes)]
    sources: dict[str, str] = {}
    for file in selected:
        sources.setdefault(os.path.abspath(file), file)  # noqa: PTH100 - links stay links
    layout = resolve_layout(list(sources.values()), import_paths or modules.roots, problems)
    if layout.files:
        request = compile_files(layout.files, layout.import_paths, problems)
    for path in inputs:
        if is_image(path):
            _merge(request, read_image(read_file(path, pipes=True), path, targets, problems))
    return GenerateInputs(request, get_disk_paths(request, layout.files, layout.import_paths))


def is_image(path: str) -> bool:
    """Return whether an input is a descriptor set or a buf image."""
    return not path.endswith(PROTO) and not Path(path).is_dir()


def _find_sources(path: str, problems: Problems) -> list[str]:
    """Return the .proto files of an input, sorted, without hidden folders."""
    if not Path(path).is_dir():
        return [os.path.normpath(path)] if path.endswith(PROTO) else []
    sources: list[str] = []
    for folder, folders, files in os.walk(path, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        names = sorted(name for name in files if name.endswith(PROTO))
        sources += [os.path.normpath(os.path.join(folder, name)) for name in names]  # noqa: PTH118
    for file in sources:
        check_file(file)
    if not sources:
        problems.report("input-empty", f'no .proto files in "{path}"', Location(path))
    return sources


def _raise(error: OSError) -> None:
    raise error


def _find_modules(sources: Sequence[str], problems: Problems) -> BufModules:
    """Return the buf modules that contain the files; empty if a file is outside of them."""
    folders = find_config_folders(dict.fromkeys(Path(file).parent for file in sources))
    modules = list(dict.fromkeys(find_modules(folder, problems) for folder in folders))
    roots = tuple(dict.fromkeys(root for module in modules for root in module.roots))
    if not all(any(_contains(root, file) for root in roots) for file in sources):
        return BufModules()
    return BufModules(roots, tuple(dict.fromkeys(path for module in modules for path in module.excludes)))


def _select_files(path: str, files: Sequence[str], excludes: Sequence[str]) -> list[str]:
    """Return the files of an input without excluded files, unless the input itself is in an excluded folder."""
    excluded = [folder for folder in excludes if not _contains(folder, path)]
    return [file for file in files if not any(_contains(folder, file) for folder in excluded)]


def _contains(folder: str, path: str) -> bool:
    return resolve_links(path).is_relative_to(resolve_links(folder))


def _merge(request: CodeGeneratorRequest, other: CodeGeneratorRequest) -> None:
    """Add a request to another. Shared imports are added once; a shared target stays duplicate and is reported."""
    names = {file.name for file in request.proto_file}
    shared_targets = set(request.file_to_generate) & set(other.file_to_generate)
    request.proto_file.extend(
        file for file in other.proto_file if file.name not in names or file.name in shared_targets
    )
    request.file_to_generate.extend(other.file_to_generate)
