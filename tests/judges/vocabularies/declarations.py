"""Writes the stand-ins of testdata/include for the files that declare vocabularies: all that they declare, no texts.

Run as `python -m tests.judges.vocabularies.declarations SET...` with descriptor sets of the vocabularies' own files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet

from tests.support.plugin import INCLUDE

_LABEL = {FieldDescriptorProto.LABEL_REPEATED: "repeated ", FieldDescriptorProto.LABEL_REQUIRED: "required "}


def declaration(file: FileDescriptorProto) -> str:
    """Return the declarations of a file in proto syntax."""
    return "\n".join([
        "// A stand-in: only the declarations of the file with this name. Written by tests/judges/vocabularies.\n",
        f'syntax = "{file.syntax or "proto2"}";\n',
        f"package {file.package};\n",
        *(f'import "{name}";' for name in file.dependency),
        "",
        *(line for extension in file.extension for line in _extension(extension, file)),
        *(line for enum in file.enum_type for line in ("", *_enum(enum, ""))),
        *(line for message in file.message_type for line in ("", *_message(message, "", file))),
        "",
    ])  # fmt: skip


def _extension(extension: Any, file: FileDescriptorProto) -> Iterator[str]:
    yield f"extend {extension.extendee.lstrip('.')} {{"
    yield _field(extension, "  ", (), file)
    yield "}"


def _field(field: Any, indent: str, nested: Sequence[Any], file: FileDescriptorProto, *, label: bool = True) -> str:
    entry = next(
        (message for message in nested if message.options.map_entry and field.type_name.endswith(f".{message.name}")),
        None,
    )
    if entry is not None:
        key, value = entry.field
        return f"{indent}map<{_type(key)}, {_type(value)}> {field.name} = {field.number};"
    optional = file.syntax != "proto3" or field.proto3_optional
    word = _LABEL.get(field.label, "optional " if optional and label else "")
    return f"{indent}{word}{_type(field)} {field.name} = {field.number};"


def _type(field: Any) -> str:
    named = field.type_name.lstrip(".")
    return named or FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()


def _message(message: Any, indent: str, file: FileDescriptorProto) -> Iterator[str]:
    inner = f"{indent}  "
    yield f"{indent}message {message.name} {{"
    for enum in message.enum_type:
        yield from _enum(enum, inner)
    for nested in message.nested_type:
        if not nested.options.map_entry:
            yield from _message(nested, inner, file)
    written = {field.oneof_index for field in message.field if _in_oneof(field)}
    for field in message.field:
        if not _in_oneof(field):
            yield _field(field, inner, message.nested_type, file)
    for index in sorted(written):
        yield f"{inner}oneof {message.oneof_decl[index].name} {{"
        for field in message.field:
            if _in_oneof(field) and field.oneof_index == index:
                yield _field(field, f"{inner}  ", (), file, label=False)
        yield f"{inner}}}"
    for span in message.extension_range:
        yield f"{inner}extensions {span.start} to {'max' if span.end >= 2**29 else span.end - 1};"
    yield f"{indent}}}"


def _in_oneof(field: Any) -> bool:
    return field.HasField("oneof_index") and not field.proto3_optional


def _enum(enum: Any, indent: str) -> Iterator[str]:
    yield f"{indent}enum {enum.name} {{"
    yield from (f"{indent}  {value.name} = {value.number};" for value in enum.value)
    yield f"{indent}}}"


def main() -> None:
    """Write a stand-in for each file of the sets."""
    for name in sys.argv[1:]:
        for file in FileDescriptorSet.FromString(Path(name).read_bytes()).file:
            path = INCLUDE / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(declaration(file), "utf-8")


if __name__ == "__main__":
    main()
