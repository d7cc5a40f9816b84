"""Parser of large requests, without the second copy of each target.

protoc sends each target twice. To read both would take more time and memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.proto.wire_format import BYTES, encode_tag, read_varint

_FILES = CodeGeneratorRequest.PROTO_FILE_FIELD_NUMBER
_SOURCES = CodeGeneratorRequest.SOURCE_FILE_DESCRIPTORS_FIELD_NUMBER
_NAME = b"\x0a"  # tag of the name, with which protoc begins a descriptor


def parse_without_copies(data: bytes) -> CodeGeneratorRequest:
    """Parse a request with each of `source_file_descriptors` in place of the file of this name in `proto_file`.

    A request that is not encoded as by protoc is parsed as it is. Raises DecodeError for an invalid request.
    """
    try:
        fields = list(_split_fields(memoryview(data)))
        sources = {_read_name(value): value for number, value in fields if number == _SOURCES}
        files = [sources.get(_read_name(value), value) for number, value in fields if number == _FILES]
    except (IndexError, ValueError):
        return CodeGeneratorRequest.FromString(data)
    request = CodeGeneratorRequest()
    for number, value in fields:
        if number not in (_FILES, _SOURCES):
            request.MergeFromString(encode_tag(number, len(value)) + value)
    for file in files:  # one by one, since all of them together would be one more copy in memory
        request.proto_file.add().MergeFromString(bytes(file))
    return request


def _split_fields(data: memoryview) -> Iterator[tuple[int, memoryview]]:
    """Yield the number and the value of each field. Raises IndexError or ValueError if they are not as expected."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        size, start = read_varint(data, at)
        at = start + size
        if key & 7 != BYTES or at > len(data):
            raise ValueError("neither a string nor a message")
        yield key >> 3, data[start:at]


def _read_name(file: memoryview) -> bytes:
    """Return the encoded name of a file. Raises IndexError or ValueError if the descriptor does not begin with it."""
    if file[:1] != _NAME:
        raise ValueError("the file has no name")
    size, start = read_varint(file, 1)
    return bytes(file[start : start + size])
