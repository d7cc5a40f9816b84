"""Declarations of a .proto file: messages, fields and enums with their options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record


class FieldDeclaration(Record):
    """A field. `json_name` is empty if protoc derives it. `options` are members of message Schema."""

    name: str
    type: str
    repeated: bool
    json_name: str
    comment: tuple[str, ...]
    options: Mapping[str, Any]


class EnumDeclaration(Record):
    """An enum with the names of its values."""

    name: str
    values: tuple[str, ...]


class MessageDeclaration(Record):
    """A message. `options` are members of message Schema, `resource` of message Resource."""

    name: str
    comment: tuple[str, ...]
    options: Mapping[str, Any]
    fields: Sequence[FieldDeclaration]
    enums: Sequence[EnumDeclaration]
    messages: Sequence[MessageDeclaration] = ()
    resource: Mapping[str, Any] | None = None
