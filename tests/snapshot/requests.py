"""Plugin requests as protoc makes them: the protoc of grpcio-tools, without the program's own compiler."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import grpc_tools  # type: ignore[import-untyped]
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc

ROOT = Path(__file__).parents[2]
INCLUDES = (ROOT / "testdata" / "include", ROOT / "options", Path(grpc_tools.__file__).parent / "_proto")


def compile_folder(folder: Path, names: Sequence[str] = ()) -> FileDescriptorSet:
    """Compile .proto files of a folder, by default all of them. Raises ValueError if protoc rejects them."""
    names = names or sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.proto"))
    with tempfile.NamedTemporaryFile() as target:
        options = ["--include_imports", "--include_source_info", f"--descriptor_set_out={target.name}"]
        includes = [f"-I{path}" for path in (folder, *INCLUDES)]
        if protoc.main(["protoc", *options, *includes, *names]):
            raise ValueError(f"protoc rejects the files of {folder}")
        return FileDescriptorSet.FromString(Path(target.name).read_bytes())


def request(image: FileDescriptorSet, targets: Iterable[str], parameter: str = "") -> bytes:
    """Return the request for some files of a descriptor set and the files that they import."""
    targets = list(targets)
    files = {file.name: file for file in image.file}
    needed, queue = set(targets), list(targets)
    while queue:
        queue += (new := [name for name in files[queue.pop()].dependency if name not in needed])
        needed.update(new)
    generator_request = CodeGeneratorRequest(file_to_generate=targets, parameter=parameter)
    generator_request.proto_file.extend(file for file in image.file if file.name in needed)
    return generator_request.SerializeToString(deterministic=True)
