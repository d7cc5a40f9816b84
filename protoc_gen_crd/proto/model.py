"""Our model of a request's protos. Types refer to each other by full name (without a leading dot), never by object."""

from __future__ import annotations

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.source_locations import ElementPlace, SourceMap

_TYPES = FieldDescriptorProto.Type.DESCRIPTOR.values
KINDS = {value.number: value.name.removeprefix("TYPE_").lower() for value in _TYPES}


class Element(Record):
    """A named element of a file. `options` are the serialised options; `comment` is the leading one."""

    name: str
    full_name: str
    comment: str
    options: bytes
    at: ElementPlace
    deprecated: bool


class EnumValue(Element):
    """A value of an enum."""

    number: int


class Enum(Element):
    """An enum; `values` in the order of the file, aliases included."""

    values: tuple[EnumValue, ...]


class Oneof(Element):
    """A oneof that the author wrote; the synthetic ones of proto3 `optional` are not in the model."""

    fields: tuple[str, ...]


class Field(Element):
    """A field. `kind` is the protobuf type in lower case; `type_name` is set for message, group and enum.

    `oneof` is the index into the message's oneofs, -1 outside one. `required` is proto2's label or LEGACY_REQUIRED,
    `optional` the keyword of proto3. `default` is what readers of protobuf take a field for that is not set, as text.
    """

    json_name: str
    number: int
    kind: str
    type_name: str
    repeated: bool
    required: bool
    optional: bool
    oneof: int
    default: str | None = None


class Message(Element):
    """A message. `is_map_entry` messages stand for map fields: their two fields are key and value.

    `reserved` are the reserved names of fields.
    """

    file: str
    parent: str
    is_map_entry: bool
    fields: tuple[Field, ...]
    oneofs: tuple[Oneof, ...]
    messages: tuple[str, ...]
    enums: tuple[str, ...]
    reserved: tuple[str, ...] = ()


class File(Record):
    """A file: its package and what it declares at top level. `source` holds its comments and places."""

    name: str
    package: str
    syntax: str  # proto2, proto3 or editions
    target: bool
    options: bytes
    messages: tuple[str, ...]
    enums: tuple[str, ...]
    source: SourceMap
    deprecated: bool


class Extension(Record):
    """A declared extension field: what an option's number means."""

    full_name: str
    kind: str
    type_name: str
    repeated: bool
