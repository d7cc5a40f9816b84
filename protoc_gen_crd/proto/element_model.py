"""Model of the protos of a request. Elements refer to each other by full name, without a leading dot."""

from __future__ import annotations

from google.protobuf.descriptor_pb2 import FieldDescriptorProto

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.source_locations import ElementPlace, SourceMap

_TYPES = FieldDescriptorProto.Type.DESCRIPTOR.values
KINDS = {value.number: value.name.removeprefix("TYPE_").lower() for value in _TYPES}


class Element(Record):
    """A named element of a file. `options` are the serialized options; `comment` is the leading comment."""

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
    """An enum. `values` are in the order of the file, including aliases."""

    values: tuple[EnumValue, ...]


class Oneof(Element):
    """A oneof in the source. Synthetic oneofs of proto3 `optional` are not in the model."""

    fields: tuple[str, ...]


class Field(Element):
    """A field. `kind` is the protobuf type in lower case; `type_name` is set for messages, groups, and enums.

    `oneof` is the index into the message's oneofs, -1 outside of oneofs. `required` is proto2's label or
    LEGACY_REQUIRED, `optional` the keyword of proto3. `default` is the default value of proto2 as a string.
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
    """A message. An `is_map_entry` message represents the entries of a map field; its two fields are key and value.

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


class Method(Element):
    """An RPC of a service. `input_type` and `output_type` are the full names of its messages."""

    input_type: str
    output_type: str
    client_streaming: bool
    server_streaming: bool


class Service(Element):
    """A gRPC service. `methods` are in the order of the file."""

    file: str
    methods: tuple[Method, ...]


class File(Record):
    """A file: its package and its top-level elements. `source` has its comments and places."""

    name: str
    package: str
    syntax: str  # proto2, proto3 or editions
    target: bool
    options: bytes
    messages: tuple[str, ...]
    enums: tuple[str, ...]
    source: SourceMap
    deprecated: bool
    services: tuple[str, ...] = ()


class Extension(Record):
    """A declared extension, such as an option."""

    full_name: str
    kind: str
    type_name: str
    repeated: bool
