"""Text of .proto files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.escapes import proto_string
from protoc_gen_crd.importer.proto_declarations import (
    EnumDeclaration,
    FieldDeclaration,
    FileDeclaration,
    MessageDeclaration,
)
from protoc_gen_crd.importer.proto_types import get_file

_OPTIONS_FILE = "protoc_gen_crd/v1/options.proto"
_OPTIONS = "protoc_gen_crd.v1"
_INDENT = "  "
_WIDTH = 110
_RESERVED = range(19000, 20000)  # field numbers that protobuf reserves
_ENUMS = ("shape",)


def write_file(file: FileDeclaration) -> str:
    """Return the text of a file."""
    writer = _MessageWriter(f"{file.prefix}{_OPTIONS}")
    body = [line for message in file.messages for line in ("", *writer.write(message, ""))]
    imports = {*file.imports, *map(get_file, _list_types(file.messages))} - {""}
    if writer.has_options:
        imports.add(_OPTIONS_FILE)
    lines = ['syntax = "proto3";', "", f"package {file.package};"]
    lines += ["", *(f"import {proto_string(name)};" for name in sorted(imports))] if imports else []
    return "\n".join([*lines, *body]) + "\n"


def _list_types(messages: Iterable[MessageDeclaration]) -> Iterator[str]:
    """Yield the types of the fields of messages and of the messages in them."""
    for message in messages:
        yield from (field.element for field in message.fields)
        yield from _list_types(message.messages)


class _MessageWriter:
    """Writes messages. `options` is the name of the package of the options, as the file can refer to it."""

    def __init__(self, options: str) -> None:
        self._options = options
        self.has_options = False

    def write(self, message: MessageDeclaration, indent: str) -> Iterator[str]:
        """Yield the lines of a message."""
        inner = indent + _INDENT
        yield from _write_comment(message.comment, indent)
        yield f"{indent}message {message.name} {{"
        parts: list[list[str]] = []
        if message.resource is not None:
            parts.append([*self._write_option("resource", message.resource, inner)])
        if message.options:
            parts.append([*self._write_option("message", message.options, inner)])
        parts += [[*self._write_enum(enum, inner)] for enum in message.enums]
        parts += [[*self._write_field(field, number, inner)] for number, field in _number_fields(message.fields)]
        parts += [[*self.write(nested, inner)] for nested in message.messages]
        for index, part in enumerate(parts):
            if index:
                yield ""
            yield from part
        yield f"{indent}}}"

    def _write_enum(self, enum: EnumDeclaration, indent: str) -> Iterator[str]:
        yield f"{indent}enum {enum.name} {{"
        for number, value in enumerate(enum.values):
            head = f"{indent}{_INDENT}{value.name} = {number}"
            prefix = f"{head} [{self._name_option('enum_value')} = "
            yield from _write_value(prefix, value.options, indent + _INDENT, "];") if value.options else (f"{head};",)
        yield f"{indent}}}"

    def _write_option(self, name: str, value: Mapping[str, Any], indent: str) -> Iterator[str]:
        yield from _write_value(f"{indent}option {self._name_option(name)} = ", value, indent, ";")

    def _write_field(self, field: FieldDeclaration, number: int, indent: str) -> Iterator[str]:
        yield from _write_comment(field.comment, indent)
        repeated = "repeated " if field.repeated else ""
        head = f"{indent}{repeated}{field.type} {field.name} = {number}"
        names = [f"json_name = {proto_string(field.json_name)}"] if field.json_name else []
        if not field.options:
            yield f"{head} [{names[0]}];" if names else f"{head};"
            return
        prefix = f"{head} [" + "".join(f"{name}, " for name in names)
        if len(field.options) == 1 and isinstance(value := next(iter(field.options.values())), str | int | float):
            name = next(iter(field.options))
            yield f"{prefix}{self._name_option('field')}.{name} = {_write_scalar(name, value)}];"
        else:
            yield from _write_value(f"{prefix}{self._name_option('field')} = ", field.options, indent, "];")

    def _name_option(self, name: str) -> str:
        self.has_options = True
        return f"({self._options}.{name})"


def _number_fields(fields: Sequence[FieldDeclaration]) -> Iterator[tuple[int, FieldDeclaration]]:
    for index, field in enumerate(fields, 1):
        yield (index if index < _RESERVED.start else index + len(_RESERVED)), field


def _write_comment(lines: Sequence[str], indent: str) -> Iterator[str]:
    yield from (f"{indent}// {line}" if line else f"{indent}//" for line in lines)


def _write_value(prefix: str, value: Mapping[str, Any], indent: str, suffix: str) -> Iterator[str]:
    """Yield the lines of an option whose value is a message."""
    inner = indent + _INDENT
    line = f"{prefix}{{{', '.join(_write_short(name, part) for name, part in _iterate_members(value))}}}{suffix}"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"{prefix}{{"
    for name, part in _iterate_members(value):
        if isinstance(part, Mapping):
            yield from _write_value(f"{inner}{name}: ", part, inner, "")
        else:
            yield f"{inner}{name}: {_write_scalar(name, part)}"
    yield f"{indent}}}{suffix}"


def _iterate_members(value: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the members of a message; each item of a repeated message is a member."""
    for name, part in value.items():
        if isinstance(part, list) and part and isinstance(part[0], Mapping):
            yield from ((name, item) for item in part)
        else:
            yield name, part


def _write_short(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{name}: {{{', '.join(_write_short(*member) for member in _iterate_members(value))}}}"
    return f"{name}: {_write_scalar(name, value)}"


def _write_scalar(name: str, value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_write_scalar(name, item) for item in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value if name in _ENUMS else proto_string(value)
    return repr(value)
