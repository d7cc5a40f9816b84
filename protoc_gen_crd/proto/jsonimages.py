"""Descriptor sets and buf images as JSON, brought to the binary form.

Options of the user's own are found by their names in brackets, among the extensions that the image itself declares.
Source: protobuf's JSON mapping; buf's image.proto for what stands beside the descriptors.
"""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.descriptor_pb2 import DESCRIPTOR, FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message_factory import GetMessageClass

_BUF = ("bufExtension", "buf_extension")
_IMPORT = ("isImport", "is_import")
_MARKS = {True: b"\xd2\xf6\x03\x02\x08\x01", False: b"\xd2\xf6\x03\x00"}  # field 8042, in it field 1


def binary(data: bytes) -> bytes:
    """The binary form of an image. Raises ValueError for what is none, RecursionError for what is nested too deep."""
    try:
        image = json.loads(data)
        marks = [_mark(file) for file in image["file"]]
        pool = _pool(image["file"])
        made: Any = GetMessageClass(pool.FindMessageTypeByName(FileDescriptorSet.DESCRIPTOR.full_name))()
        ParseDict(image, made, descriptor_pool=pool)
    except (AttributeError, KeyError, TypeError, ParseError) as error:
        raise ValueError(str(error)) from error
    for file, mark in zip(made.file, marks, strict=True):
        file.MergeFromString(mark)
    return bytes(made.SerializeToString())


def _mark(file: dict[str, Any]) -> bytes:
    """Take out of a file what buf says of its being an import."""
    said = [file.pop(name) for name in _BUF if name in file]
    return b"".join(_MARKS[any(one.get(name) for name in _IMPORT)] for one in said)


def _pool(files: list[dict[str, Any]]) -> DescriptorPool:
    """What the files of an image declare."""
    pool = DescriptorPool()
    if DESCRIPTOR.name not in {file["name"] for file in files}:
        pool.AddSerializedFile(DESCRIPTOR.serialized_pb)
    for file in files:
        bare = ParseDict(_bare(file), FileDescriptorProto(), ignore_unknown_fields=True)
        pool.AddSerializedFile(bare.SerializeToString())
    return pool


def _bare(value: Any) -> Any:
    """A descriptor without options that are declared elsewhere."""
    if isinstance(value, dict):
        return {key: _bare(one) for key, one in value.items() if not key.startswith("[") and key != "sourceCodeInfo"}
    return [_bare(one) for one in value] if isinstance(value, list) else value
