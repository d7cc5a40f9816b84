"""Declarations of a .proto file: messages, fields and enums with their options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.json_names import make_json_name

_MAP = "map<string, "


class FieldDeclaration(Record):
    """A field. `json_name` is empty if protoc derives it. `options` are members of message Schema."""

    name: str
    type: str
    repeated: bool
    json_name: str
    comment: tuple[str, ...]
    options: Mapping[str, Any]

    @property
    def key(self) -> str:
        """The JSON name."""
        return self.json_name or make_json_name(self.name)

    @property
    def element(self) -> str:
        """The type of a value: that of an item of a list, or of a value of a map."""
        return self.type.removeprefix(_MAP).removesuffix(">")

    def replace_element(self, name: str) -> FieldDeclaration:
        """Return the field with another type of its values."""
        return self.replace(type=f"{_MAP}{name}>" if self.type.startswith(_MAP) else name)


class EnumValueDeclaration(Record):
    """A value of an enum. `options` are members of message EnumValue."""

    name: str
    options: Mapping[str, Any]


class EnumDeclaration(Record):
    """An enum."""

    name: str
    values: tuple[EnumValueDeclaration, ...]


class MessageDeclaration(Record):
    """A message. `options` are members of message Schema, `resource` of message Resource."""

    name: str
    comment: tuple[str, ...]
    options: Mapping[str, Any]
    fields: Sequence[FieldDeclaration]
    enums: Sequence[EnumDeclaration]
    messages: Sequence[MessageDeclaration] = ()
    resource: Mapping[str, Any] | None = None


class FileDeclaration(Record):
    """A .proto file. Its message is that of a kind, with the messages of its fields, or there are shared messages."""

    name: str
    package: str
    prefix: str  # "." if names of imported packages need it
    messages: Sequence[MessageDeclaration]
    imports: tuple[str, ...] = ()  # files with shared messages
