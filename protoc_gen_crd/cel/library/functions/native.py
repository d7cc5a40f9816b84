"""Values as the types of Go that the fields of protobuf's well-known messages have, which are called by Go's names.

A field of JSON makes of whole numbers floats, or texts if they are large. Source: cel-go v0.29 `common/types`
(ConvertToNative), k8s.io/apiserver pkg/cel/common valuesunstructured.go.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Hashable, Mapping
from typing import Any, ClassVar

from protoc_gen_crd.cel.ast import Uint
from protoc_gen_crd.cel.identity import Itself
from protoc_gen_crd.cel.library.messages import MESSAGES
from protoc_gen_crd.cel.types import Type, spelled
from protoc_gen_crd.cel.values import (
    MISSING,
    CelError,
    Duration,
    Map,
    Opaque,
    Optional,
    Panic,
    Timestamp,
    Value,
    equal,
    no_such_overload,
    parts,
    type_of,
)

from .conversions import moment_to_text, span_to_text

BYTES, ENUM = "[]uint8", "protoreflect.EnumNumber"
JSON, LIST, STRUCT = "*structpb.Value", "*structpb.ListValue", "*structpb.Struct"
_SAFE = (1 << 53) - 1  # the largest integer that is a number in JSON
_SIGNED, _UNSIGNED = {"int32": 32, ENUM: 32, "int64": 64}, {"uint8": 8, "uint32": 32, "uint64": 64}
_ITEMS = {LIST: JSON, JSON: JSON, BYTES: "uint8", f"[]{JSON}": JSON}


class Message(Opaque):
    """A message that is no value of CEL's own: what is set of its fields, and what those are that are not."""

    fields: Map = Map({})
    unset: ClassVar[Mapping[str, Value]] = {}
    go_type: ClassVar[str] = "*types.protoObj"

    def __str__(self) -> str:
        return ""

    def key(self) -> Hashable:
        """Only itself, as whatever servers hold by an address."""
        return Itself(self)

    def equals(self, other: Value) -> bool:
        """Whether it is a message of the same kind and fields."""
        return type(other) is type(self) and equal(self.fields, other.fields)

    def find(self, name: Value) -> Value:
        """The value of a field, `MISSING` where it is not set. Raises CelError for one that there is not."""
        if type(name) is not str:
            raise no_such_overload()
        if name not in self.unset:
            raise CelError(f"no such field '{name}'")
        return self.fields.find(name)


class Empty(Message):
    """A message without fields."""

    cel_type: ClassVar[Type] = MESSAGES["google.protobuf.Empty"].type


class Entry(Message):
    """An entry of the map that a `google.protobuf.Struct` is."""

    cel_type: ClassVar[Type] = MESSAGES["google.protobuf.Struct.FieldsEntry"].type
    unset: ClassVar[Mapping[str, Value]] = {"key": "", "value": None}


def native(value: Value, wanted: str) -> Value:
    """The value as that type. Raises CelError."""
    if isinstance(value, CelError):
        raise CelError(value.text)
    if isinstance(value, Optional):
        if value.value is MISSING:
            raise CelError("optional.none() dereference")
        return native(value.value, wanted)
    if getattr(value, "go_type", "").startswith("*common"):
        raise _of_data(value, wanted)
    if isinstance(value, list):
        return _listed(value, wanted)
    if isinstance(value, Map):
        return _mapped(value, wanted)
    return _opaque(value, wanted) if isinstance(value, Opaque) else _scalar(value, wanted)


def _of_data(value: Value, wanted: str) -> CelError:
    """Why no message takes lists and maps of data. Raises Panic where the server does not see that."""
    if wanted.startswith("[]") and isinstance(value, list):
        texts = value and all(type(item) is str for item in parts(value))
        raise Panic(f"invalid type: {'[]string' if texts else '[]interface {}'}")
    return CelError(f"type conversion error from '{spelled(type_of(value))}' to '{wanted}'")


def _listed(value: list[Value], wanted: str) -> Value:
    if wanted not in _ITEMS:
        raise CelError(f"type conversion error from list to '{wanted}'")
    made = [native(item, _ITEMS[wanted]) for item in value]
    return bytes(made) if wanted == BYTES else made


def _mapped(value: Map, wanted: str) -> Value:
    if wanted in (JSON, STRUCT):
        return Map.of([(native(key, "string"), native(item, JSON)) for key, item in value.items()])
    if not wanted.startswith("*"):
        raise CelError(f"type conversion error from map to '{wanted}'")
    made: Value = []  # the server sets the fields of Go's type by the keys
    for key, item in value.items():
        name = _exported(str(key).lower() if type(key) is bool else str(key))
        if name != "Values":
            raise CelError(f"type conversion error, no such field '{name}' in type '{wanted[1:]}'")
        made = native(item, f"[]{JSON}")
    return made


def _exported(name: str) -> str:
    """A name as one of a public field of Go."""
    words = name.strip().replace("-", "_").split("_")
    return "".join([word[:1].upper() + word[1:] for word in words])


def _scalar(value: Value, wanted: str) -> Value:
    test, text = _SCALARS[type(value)]
    if wanted == JSON:
        return _IN_JSON.get(type(value), _itself)(value)
    found = test(value, wanted)
    if found is MISSING:
        raise CelError(text.format(wanted))
    return found


def _signed(value: int, wanted: str) -> Value:
    bits = _SIGNED.get(wanted)
    if bits is None:
        return MISSING
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise CelError("integer overflow")
    return value


def _unsigned(value: int, wanted: str) -> Value:
    bits = _UNSIGNED.get(wanted)
    if bits is None:
        return MISSING
    if value >= 1 << bits:
        raise CelError("unsigned integer overflow")
    return value


def _float(value: float, wanted: str) -> Value:
    if wanted == "float32":
        return _single(value)
    return value if wanted == "float64" else MISSING


def _single(value: float) -> float:
    """As Go rounds: what is too large becomes infinite."""
    try:
        return float(struct.unpack("f", struct.pack("f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _only(*names: str) -> Callable[[Any, str], Value]:
    return lambda value, wanted: value if wanted in names else MISSING


_SCALARS: dict[type, tuple[Callable[[Any, str], Value], str]] = {
    bool: (_only("bool"), "type conversion error from bool to '{}'"),
    int: (_signed, "unsupported type conversion from 'int' to {}"),
    Uint: (_unsigned, "unsupported type conversion from 'uint' to {}"),
    float: (_float, "type conversion error from Double to '{}'"),
    str: (_only("string"), "unsupported native conversion from string to '{}'"),
    bytes: (_only(BYTES), "type conversion error from Bytes to '{}'"),
    type(None): (_only(), "type conversion error from 'null_type' to '{}'"),
    Type: (_only(), "type conversion not supported for 'type'"),
}


def _opaque(value: Opaque, wanted: str) -> Value:
    if type(value) in _IN_JSON and wanted == JSON:
        return _IN_JSON[type(value)](value)
    name = value.cel_type.name
    if isinstance(value, Message):
        return _message(value, wanted)
    if wanted == "string" and name not in _TEXTLESS:
        return str(value)
    raise CelError(f"type conversion error from '{_GO_NAMES.get(name, name.rpartition('.')[2])}' to '{wanted}'")


def _message(value: Message, wanted: str) -> Value:
    if wanted == JSON:
        return value.fields
    if wanted.startswith("*"):
        kinds = f"{wanted.replace('*structpb', 'google.protobuf')}, {value.cel_type.name}"
        raise CelError(f"type conversion error: pb.Merge() arguments must be the same type. got: {kinds}")
    raise CelError(f"type conversion error from '*dynamicpb.Message' to '{wanted}'")


_TEXTLESS = ("google.protobuf.Duration", "google.protobuf.Timestamp", "kubernetes.NamedFormat")
_GO_NAMES = {"kubernetes.NamedFormat": "Format"}


def _itself(value: Value) -> Value:
    return value


def _number(value: int) -> Value:
    return float(value) if -_SAFE <= value <= _SAFE else str(int(value))


def _no_type(_: Value) -> Value:
    raise CelError("type conversion not supported for 'type'")


_IN_JSON: dict[type, Callable[[Any], Value]] = {
    int: _number,
    Uint: _number,
    Type: _no_type,
    bytes: lambda value: base64.b64encode(value).decode(),
    Duration: span_to_text,
    Timestamp: moment_to_text,
}
