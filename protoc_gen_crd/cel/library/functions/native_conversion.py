"""Conversion of values to the Go types of the fields of protobuf's well-known messages.

JSON fields store integers as floats, or as strings if they are large. Source: cel-go v0.29 `common/types`
(ConvertToNative), k8s.io/apiserver pkg/cel/common valuesunstructured.go.
"""

from __future__ import annotations

import struct
from binascii import b2a_base64
from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar

from protoc_gen_crd.cel.checker.types import Type, format_for_author
from protoc_gen_crd.cel.library.declarations.messages import MESSAGES
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.identity_key import IdentityKey
from protoc_gen_crd.cel.values.runtime_values import (
    MISSING,
    CelError,
    Duration,
    Map,
    Opaque,
    Optional,
    Panic,
    Timestamp,
    Value,
    get_type,
    is_equal,
    list_parts,
    make_no_such_overload,
)

from .type_conversions import duration_to_string, timestamp_to_string

BYTES, ENUM = "[]uint8", "protoreflect.EnumNumber"
JSON, LIST, STRUCT = "*structpb.Value", "*structpb.ListValue", "*structpb.Struct"
_SAFE = (1 << 53) - 1  # the largest integer that is a number in JSON
_SIGNED, _UNSIGNED = {"int32": 32, ENUM: 32, "int64": 64}, {"uint8": 8, "uint32": 32, "uint64": 64}
_ITEMS = {LIST: JSON, JSON: JSON, BYTES: "uint8", f"[]{JSON}": JSON}


class MessageValue(Opaque):
    """A message without a CEL representation: `fields` are those that are set, `unset` the defaults of all."""

    fields: Map = Map({})
    unset: ClassVar[Mapping[str, Value]] = {}
    go_type: ClassVar[str] = "*types.protoObj"

    def __str__(self) -> str:
        return ""

    def get_key(self) -> Hashable:
        """Return a key that equals only itself, since servers hold a pointer."""
        return IdentityKey(self)

    def equals(self, other: Value) -> bool:
        """Check whether it is a message of the same type with equal fields."""
        return type(other) is type(self) and is_equal(self.fields, other.fields)

    def find(self, name: Value) -> Value:
        """Return the value of a field, `MISSING` if it is not set. Raises CelError for an unknown field."""
        if type(name) is not str:
            raise make_no_such_overload()
        if name not in self.unset:
            raise CelError(f"no such field '{name}'")
        return self.fields.find(name)


class EmptyValue(MessageValue):
    """A message without fields."""

    cel_type: ClassVar[Type] = MESSAGES["google.protobuf.Empty"].type


class StructEntryValue(MessageValue):
    """An entry of the map in a `google.protobuf.Struct`."""

    cel_type: ClassVar[Type] = MESSAGES["google.protobuf.Struct.FieldsEntry"].type
    unset: ClassVar[Mapping[str, Value]] = {"key": "", "value": None}


def convert_to_native(value: Value, native_type: str) -> Value:
    """Convert a value to the Go type `native_type`. Raises CelError."""
    if isinstance(value, CelError):
        raise CelError(value.message)
    if isinstance(value, Optional):
        if value.value is MISSING:
            raise CelError("optional.none() dereference")
        return convert_to_native(value.value, native_type)
    if getattr(value, "go_type", "").startswith("*common"):
        raise _make_data_error(value, native_type)
    if isinstance(value, list):
        return _convert_list(value, native_type)
    if isinstance(value, Map):
        return _convert_map(value, native_type)
    return _convert_opaque(value, native_type) if isinstance(value, Opaque) else _convert_scalar(value, native_type)


def _make_data_error(value: Value, native_type: str) -> CelError:
    """Return the error of converting a list or map that was read from data. Raises Panic where the server panics."""
    if native_type.startswith("[]") and isinstance(value, list):
        strings = value and all(type(item) is str for item in list_parts(value))
        raise Panic(f"invalid type: {'[]string' if strings else '[]interface {}'}")
    return CelError(f"type conversion error from '{format_for_author(get_type(value))}' to '{native_type}'")


def _convert_list(value: list[Value], native_type: str) -> Value:
    if native_type not in _ITEMS:
        raise CelError(f"type conversion error from list to '{native_type}'")
    items = [convert_to_native(item, _ITEMS[native_type]) for item in value]
    return bytes(items) if native_type == BYTES else items


def _convert_map(value: Map, native_type: str) -> Value:
    if native_type in (JSON, STRUCT):
        return Map.from_pairs(
            [(convert_to_native(key, "string"), convert_to_native(item, JSON)) for key, item in value.items()]
        )
    if not native_type.startswith("*"):
        raise CelError(f"type conversion error from map to '{native_type}'")
    converted: Value = []  # the server sets the fields of the Go type by the keys
    for key, item in value.items():
        name = _make_exported_name(str(key).lower() if type(key) is bool else str(key))
        if name != "Values":
            raise CelError(f"type conversion error, no such field '{name}' in type '{native_type[1:]}'")
        converted = convert_to_native(item, f"[]{JSON}")
    return converted


def _make_exported_name(name: str) -> str:
    """Return a name as that of an exported Go field."""
    words = name.strip().replace("-", "_").split("_")
    return "".join([word[:1].upper() + word[1:] for word in words])


def _convert_scalar(value: Value, native_type: str) -> Value:
    test, message = _SCALARS[type(value)]
    if native_type == JSON:
        return _IN_JSON.get(type(value), _return_value)(value)
    converted = test(value, native_type)
    if converted is MISSING:
        raise CelError(message.format(native_type))
    return converted


def _convert_signed(value: int, native_type: str) -> Value:
    bits = _SIGNED.get(native_type)
    if bits is None:
        return MISSING
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise CelError("integer overflow")
    return value


def _convert_unsigned(value: int, native_type: str) -> Value:
    bits = _UNSIGNED.get(native_type)
    if bits is None:
        return MISSING
    if value >= 1 << bits:
        raise CelError("unsigned integer overflow")
    return value


def _convert_float(value: float, native_type: str) -> Value:
    if native_type == "float32":
        return _round_to_float32(value)
    return value if native_type == "float64" else MISSING


def _round_to_float32(value: float) -> float:
    """Round as Go does: values that are too large become infinite."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _make_type_filter(*names: str) -> Callable[[Any, str], Value]:
    return lambda value, native_type: value if native_type in names else MISSING


_SCALARS: dict[type, tuple[Callable[[Any, str], Value], str]] = {
    bool: (_make_type_filter("bool"), "type conversion error from bool to '{}'"),
    int: (_convert_signed, "unsupported type conversion from 'int' to {}"),
    Uint: (_convert_unsigned, "unsupported type conversion from 'uint' to {}"),
    float: (_convert_float, "type conversion error from Double to '{}'"),
    str: (_make_type_filter("string"), "unsupported native conversion from string to '{}'"),
    bytes: (_make_type_filter(BYTES), "type conversion error from Bytes to '{}'"),
    type(None): (_make_type_filter(), "type conversion error from 'null_type' to '{}'"),
    Type: (_make_type_filter(), "type conversion not supported for 'type'"),
}


def _convert_opaque(value: Opaque, native_type: str) -> Value:
    if type(value) in _IN_JSON and native_type == JSON:
        return _IN_JSON[type(value)](value)
    name = value.cel_type.name
    if isinstance(value, MessageValue):
        return _convert_message(value, native_type)
    if native_type == "string" and name not in _TEXTLESS:
        return str(value)
    raise CelError(f"type conversion error from '{_GO_NAMES.get(name, name.rpartition('.')[2])}' to '{native_type}'")


def _convert_message(value: MessageValue, native_type: str) -> Value:
    if native_type == JSON:
        return value.fields
    if native_type.startswith("*"):
        kinds = f"{native_type.replace('*structpb', 'google.protobuf')}, {value.cel_type.name}"
        raise CelError(f"type conversion error: pb.Merge() arguments must be the same type. got: {kinds}")
    raise CelError(f"type conversion error from '*dynamicpb.Message' to '{native_type}'")


_TEXTLESS = ("google.protobuf.Duration", "google.protobuf.Timestamp", "kubernetes.NamedFormat")
_GO_NAMES = {"kubernetes.NamedFormat": "Format"}


def _return_value(value: Value) -> Value:
    return value


def _convert_number(value: int) -> Value:
    return float(value) if -_SAFE <= value <= _SAFE else str(int(value))


def _reject_type(_: Value) -> Value:
    raise CelError("type conversion not supported for 'type'")


_IN_JSON: dict[type, Callable[[Any], Value]] = {
    int: _convert_number,
    Uint: _convert_number,
    Type: _reject_type,
    bytes: lambda value: b2a_base64(value, newline=False).decode(),
    Duration: duration_to_string,
    Timestamp: timestamp_to_string,
}
