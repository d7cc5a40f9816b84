"""The protobuf messages that cel-go always declares: their types, and the fields of their literals.

Source: cel-go v0.29 `common/types/pb/pb.go`, `checker/checker.go`.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.types import (
    ANY,
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    OBJECT,
    STRING,
    TIMESTAMP,
    UINT,
    Declaration,
    Type,
    make_list_type,
    make_map_type,
    make_wrapper_type,
)


class MessageDeclaration(Record):
    """The type of a message literal, and the types of its fields."""

    type: Type
    fields: Mapping[str, Type]


_WRAPPED = {
    "Bool": BOOL, "Bytes": BYTES, "Double": DOUBLE, "Float": DOUBLE, "Int32": INT, "Int64": INT, "String": STRING,
    "UInt32": UINT, "UInt64": UINT,
}  # fmt: skip
_LIST, _STRUCT = make_list_type(DYN), make_map_type(STRING, DYN)
_VALUE = {
    "null_value": INT, "number_value": DOUBLE, "string_value": STRING, "bool_value": BOOL, "struct_value": _STRUCT,
    "list_value": _LIST,
}  # fmt: skip
_TIME = {"seconds": INT, "nanos": INT}


def _make_object(name: str, fields: Mapping[str, Type]) -> MessageDeclaration:
    """Declare a message whose literals are objects."""
    declared = Declaration(None, fields={field: Declaration(kind) for field, kind in fields.items()})
    return MessageDeclaration(Type(OBJECT, name, (), declared), fields)


MESSAGES = {
    "google.protobuf.Any": MessageDeclaration(ANY, {"type_url": STRING, "value": BYTES}),
    "google.protobuf.Duration": MessageDeclaration(DURATION, _TIME),
    "google.protobuf.Empty": _make_object("google.protobuf.Empty", {}),
    "google.protobuf.ListValue": MessageDeclaration(_LIST, {"values": _LIST}),
    "google.protobuf.Struct": MessageDeclaration(_STRUCT, {"fields": _STRUCT}),
    "google.protobuf.Struct.FieldsEntry": _make_object(
        "google.protobuf.Struct.FieldsEntry", {"key": STRING, "value": DYN}
    ),
    "google.protobuf.Timestamp": MessageDeclaration(TIMESTAMP, _TIME),
    "google.protobuf.Value": MessageDeclaration(DYN, _VALUE),
    **{
        f"google.protobuf.{name}Value": MessageDeclaration(make_wrapper_type(value), {"value": value})
        for name, value in _WRAPPED.items()
    },
}
NAMELESS = MESSAGES.keys() - {  # messages whose names are types, but cannot be resolved by programs
    "google.protobuf.Duration", "google.protobuf.Empty", "google.protobuf.Struct.FieldsEntry",
    "google.protobuf.Timestamp"
}  # fmt: skip
ENUMS = {"google.protobuf.NullValue.NULL_VALUE": 0}
