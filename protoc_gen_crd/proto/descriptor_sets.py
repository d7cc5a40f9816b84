"""Reader of descriptor sets and buf images, which contain compiled files, and selection of the targets.

Source: buf's image.proto (FileDescriptorProto field 8042, ImageFileExtension.is_import).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from protoc_gen_crd.base.descriptor_files import START, is_json_image
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.proto.request import is_text

MAX_IMAGE_SIZE = 2**27  # bytes of a decompressed image, ten times the size of the largest known APIs

_BUF_EXTENSION = 8042
_IS_IMPORT = 1
_GZIP = b"\x1f\x8b"
# Files in these folders are always dependencies.
_IMPORTS = (
    "buf/validate/", "gogoproto/", "google/", "k8s.io/", "protoc_gen_crd/", "protoc-gen-openapiv2/", "validate/",
)  # fmt: skip


def read_image(data: bytes, name: str, patterns: Sequence[str], problems: Problems) -> CodeGeneratorRequest:
    """Return a request for the targets of an image; empty, with a finding, if the image cannot be read.

    Targets are the files that match a pattern; without patterns, the files that buf did not mark as imports; without
    buf's marks, the files that are not in folders of known dependencies.
    """
    request = CodeGeneratorRequest()
    at = Location(name)
    try:
        files = FileDescriptorSet.FromString(_to_binary(_decompress(data))).file
    except (DecodeError, RecursionError, ValueError, zlib.error):
        message = "input is not a .proto file, descriptor set or buf image"
        problems.report("image-invalid", message, at, hint=_suggest_input(name))
        return request
    if not data:
        problems.report("image-invalid", "input is an empty file", at, hint=_suggest_input(name))
        return request
    garbled = next((file.name for file in files if not is_text(file.name)), None)
    if garbled is not None:
        problems.report("image-invalid", f"file name {garbled!r} in the descriptor set is not UTF-8", at)
        return request
    request.proto_file.extend(files)
    request.file_to_generate.extend(_find_targets(files, patterns))
    if not request.file_to_generate:
        sought = f"that matches {', '.join(patterns)}" if patterns else "that is not an import"
        problems.report("image-targets", f"descriptor set contains no file {sought} (other files: {len(files)})", at)
    return request


def _suggest_input(name: str) -> str:
    """Return a hint for a file that is not a descriptor set."""
    if name.lower().endswith(".proto"):
        return "rename it: the extension .proto is lower case"
    if name.lower().endswith((".yaml", ".yml")):
        return "`protoc-gen-crd import` writes .proto files from CRDs, and `validate` reads CRDs and manifests"
    return 'write it with "buf build -o image.binpb", or protoc -o with --include_imports and --include_source_info'


def _decompress(data: bytes) -> bytes:
    if not data.startswith(_GZIP):
        return data
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    unpacked = unpacker.decompress(data, MAX_IMAGE_SIZE)
    if not unpacker.eof:
        raise ValueError("truncated or too large")
    return unpacked


def _to_binary(data: bytes) -> bytes:
    if not is_json_image(data[:START]):
        return data
    from protoc_gen_crd.proto.json_descriptor_sets import convert_to_binary  # noqa: PLC0415 - most are binary

    return convert_to_binary(data)


def _find_targets(files: Sequence[FileDescriptorProto], patterns: Sequence[str]) -> list[str]:
    if patterns:
        return [file.name for file in files if any(fnmatchcase(file.name, pattern) for pattern in patterns)]
    marks = {file.name: mark for file in files for mark in _read_import_flags(file)}
    if marks:
        return [file.name for file in files if not marks.get(file.name)]
    return [file.name for file in files if not file.name.startswith(_IMPORTS)]


def _read_import_flags(file: FileDescriptorProto) -> Iterator[bool]:
    """Yield buf's import flag of a file, nothing if buf did not write the file."""
    for extension in _read_unknown_fields(file, _BUF_EXTENSION):
        yield any(_read_unknown_fields(Empty.FromString(extension), _IS_IMPORT))


def _read_unknown_fields(message: Message, number: int) -> Iterator[Any]:
    fields = UnknownFieldSet(message)
    for index in range(len(fields)):
        if fields[index].field_number == number:
            yield fields[index].data
