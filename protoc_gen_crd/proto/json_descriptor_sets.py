"""Conversion of descriptor sets and buf images from JSON to the binary form.

Custom options have their names in brackets. The image contains the declarations of their extensions.
Source: protobuf's JSON mapping, and buf's image.proto for its extension of descriptors.
"""

from __future__ import annotations

import json
import re
from typing import Any

from google.protobuf.descriptor_pb2 import DESCRIPTOR, FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message_factory import GetMessageClass

from protoc_gen_crd.base.bounded_json import parse_json

_BUF = ("bufExtension", "buf_extension")
_IMPORT = ("isImport", "is_import")
_IMPORT_FLAGS = {True: b"\xd2\xf6\x03\x02\x08\x01", False: b"\xd2\xf6\x03\x00"}  # field 8042, in it field 1

_SURROGATE = re.compile(rb"\\u[dD][89A-Fa-f]|\xed[\xa0-\xbf]")  # perhaps a lone one, as an escape or as bytes


def convert_to_binary(data: bytes) -> bytes:
    """Convert an image to the binary form. Raises ValueError if it is invalid, RecursionError if nested too deeply."""
    try:
        image = _read_json(data)
        marks = [_take_import_flag(file) for file in image["file"]]
        pool = _build_pool(image["file"])
        files: Any = GetMessageClass(pool.FindMessageTypeByName(FileDescriptorSet.DESCRIPTOR.full_name))()
        ParseDict(image, files, descriptor_pool=pool)
    except (AttributeError, KeyError, TypeError, ParseError) as error:
        raise ValueError(str(error)) from error
    for file, mark in zip(files.file, marks, strict=True):
        file.MergeFromString(mark)
    return bytes(files.SerializePartialToString())


def _read_json(data: bytes) -> Any:
    """Read JSON. Raises ValueError for what is none and for lone surrogates, which proto JSON excludes."""
    image = parse_json(data.decode("utf-8-sig"))
    if _SURROGATE.search(data):
        json.dumps(image, ensure_ascii=False).encode()
    return image


def _take_import_flag(file: dict[str, Any]) -> bytes:
    """Remove buf's import flag from a file, and return it in binary form."""
    extensions = [file.pop(name) for name in _BUF if name in file]
    return b"".join(_IMPORT_FLAGS[any(extension.get(name) for name in _IMPORT)] for extension in extensions)


def _build_pool(files: list[dict[str, Any]]) -> DescriptorPool:
    """Build a descriptor pool of the declarations of an image."""
    pool = DescriptorPool()
    if DESCRIPTOR.name not in {file["name"] for file in files}:
        pool.AddSerializedFile(DESCRIPTOR.serialized_pb)
    for file in files:
        bare = ParseDict(_strip_custom_options(file), FileDescriptorProto(), ignore_unknown_fields=True)
        pool.AddSerializedFile(bare.SerializePartialToString())
    return pool


def _strip_custom_options(value: Any) -> Any:
    """Return a descriptor without custom options and source info."""
    if isinstance(value, dict):
        return {
            key: _strip_custom_options(child)
            for key, child in value.items()
            if not key.startswith("[") and key != "sourceCodeInfo"
        }
    return [_strip_custom_options(child) for child in value] if isinstance(value, list) else value
