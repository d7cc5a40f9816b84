"""What literals of protobuf's well-known messages are: CEL knows each of them as a value of its own.

Source: cel-go v0.29 `common/types/provider.go`, `common/types` (ConvertToNative); protobuf-go durationpb.
"""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Mapping
from typing import ClassVar

from protoc_gen_crd.cel.ast import Uint
from protoc_gen_crd.cel.library.messages import MESSAGES
from protoc_gen_crd.cel.types import Type, spelled
from protoc_gen_crd.cel.values import (
    LEAST_INT,
    MISSING,
    MOST_INT,
    CelError,
    Duration,
    Map,
    Opaque,
    Optional,
    Timestamp,
    Value,
    type_of,
)

from .conversions import moment_to_text, span_to_text
from .operators import SECOND

Fields = Mapping[str, Value]
_PREFIX = "google.protobuf."
_SAFE = (1 << 53) - 1  # the largest integer that is a number in JSON


class Empty(Opaque):
    """A message without fields."""

    cel_type: ClassVar[Type] = MESSAGES[f"{_PREFIX}Empty"].type

    def __str__(self) -> str:
        return ""


def make(name: str, fields: Fields) -> Value:
    """The value of a literal. Raises CelError for fields that do not fit."""
    short = name.removeprefix(_PREFIX)
    if short not in _OF_MANY:
        fields = {field: _held(f"{name}.{field}", value) for field, value in fields.items()}
    return _MADE[short](fields) if short in _MADE else _wrapped(name, short, fields)


def _held(field: str, value: Value) -> Value:
    """The value, or what an optional one holds."""
    if not isinstance(value, Optional):
        return value
    if value.value is MISSING:
        raise _failed(field, "optional.none() dereference")
    return _held(field, value.value)


def _whole(message: str, field: str, fields: Fields, bits: int) -> int:
    value = fields.get(field, 0)
    if type(value) is not int:
        raise _misfit(f"{_PREFIX}{message}.{field}", value, f"int{bits}")
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise _failed(f"{_PREFIX}{message}.{field}", "integer overflow")
    return value


def _failed(field: str, text: str) -> CelError:
    return CelError(f"field type conversion error for {field} value type: {text}")


def _misfit(field: str, value: Value, wanted: str) -> CelError:
    kind = type_of(value)
    if isinstance(value, Opaque):
        text = f"type conversion error from '{_GO_NAMES.get(kind.name, kind.name.rpartition('.')[2])}' to '{wanted}'"
    else:
        text = _MISFITS[kind.name].format(wanted)
    return _failed(field, text)


_MISFITS = {
    "bool": "type conversion error from bool to '{}'", "int": "unsupported type conversion from 'int' to {}",
    "uint": "unsupported type conversion from 'uint' to {}", "double": "type conversion error from Double to '{}'",
    "string": "unsupported native conversion from string to '{}'", "bytes": "type conversion error from Bytes to '{}'",
    "null_type": "type conversion error from 'null_type' to '{}'", "list": "type conversion error from list to '{}'",
    "map": "type conversion error from map to '{}'", "type": "type conversion not supported for 'type'",
}  # fmt: skip
_GO_NAMES = {"google.protobuf.Empty": "*dynamicpb.Message", "kubernetes.NamedFormat": "Format"}


def _duration(fields: Fields) -> Duration:
    total = _whole("Duration", "seconds", fields, 64) * SECOND + _whole("Duration", "nanos", fields, 32)
    return Duration(max(LEAST_INT, min(MOST_INT, total)))


def _timestamp(fields: Fields) -> Timestamp:
    return Timestamp(_whole("Timestamp", "seconds", fields, 64) * SECOND + _whole("Timestamp", "nanos", fields, 32))


def _value(fields: Fields) -> Value:
    made = None
    for name, value in fields.items():
        kind, wanted = _KINDS[name]
        if not isinstance(value, kind) or (type(value) is not kind and kind in (int, float)):
            raise _misfit(f"{_PREFIX}Value.{name}", value, wanted)
        _made_here(f"{_PREFIX}Value.{name}", value, wanted)
        if name == "null_value":
            _whole("Value", name, fields, 32)
        made = None if name == "null_value" else _json(f"{_PREFIX}Value.{name}", value)
    return made


_KINDS: dict[str, tuple[type, str]] = {
    "null_value": (int, "protoreflect.EnumNumber"), "number_value": (float, "float64"),
    "string_value": (str, "string"), "bool_value": (bool, "bool"),
    "struct_value": (Map, "*structpb.Struct"), "list_value": (list, "*structpb.ListValue"),
}  # fmt: skip


def _of_many(field: str, kind: type) -> Callable[[Fields], Value]:
    """A message of one field that holds lists or maps alone."""

    def made(fields: Fields) -> Value:
        ((_, value),) = fields.items() or (("", kind({}) if kind is Map else []),)
        if not isinstance(value, kind):
            raise CelError(f"unsupported field type for {_PREFIX}{field}: {spelled(type_of(value))}")
        return _json(f"{_PREFIX}{field}", value)

    return made


def _any(fields: Fields) -> Value:
    told = []
    for name, kind, wanted in (("type_url", str, "string"), ("value", bytes, "[]uint8")):
        value = fields.get(name, kind())
        if type(value) is not kind:
            raise _misfit(f"{_PREFIX}Any.{name}", value, wanted)
        told += [f"{name}:{_quoted(value)}"] if value else []
    raise CelError(f"unsupported conversion to ref.Val: (*dynamicpb.Message){' '.join(told)}")


def _quoted(value: str | bytes) -> str:
    """A value as protobuf's text format has it."""
    text = value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")
    return f'"{"".join([_ESCAPES.get(char) or _escaped(char) for char in text])}"'


def _escaped(char: str) -> str:
    code = ord(char)
    return f"\\x{code & 0xFF:02x}" if code < 0x20 or code == 0x7F or 0xDC80 <= code <= 0xDCFF else char


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


_MADE: dict[str, Callable[[Fields], Value]] = {
    "Duration": _duration,
    "Timestamp": _timestamp,
    "Struct": _of_many("Struct.fields", Map),
    "ListValue": _of_many("ListValue.values", list),
    "Value": _value,
    "Empty": lambda _: Empty(),
    "Any": _any,
}
_OF_MANY = frozenset(("Struct", "ListValue"))
_WRAPPED: dict[str, tuple[type, str, Value]] = {
    "BoolValue": (bool, "bool", False), "BytesValue": (bytes, "[]uint8", b""), "DoubleValue": (float, "float64", 0.0),
    "FloatValue": (float, "float32", 0.0), "Int32Value": (int, "int32", 0), "Int64Value": (int, "int64", 0),
    "StringValue": (str, "string", ""), "UInt32Value": (Uint, "uint32", Uint(0)),
    "UInt64Value": (Uint, "uint64", Uint(0)),
}  # fmt: skip


def _wrapped(name: str, short: str, fields: Fields) -> Value:
    kind, wanted, default = _WRAPPED[short]
    value = fields.get("value", default)
    if type(value) is not kind:
        raise _misfit(f"{name}.value", value, wanted)
    if short == "Int32Value":
        return _whole(short, "value", fields, 32)
    if short == "UInt32Value" and isinstance(value, int) and value >= 1 << 32:
        raise _failed(f"{name}.value", "unsigned integer overflow")
    return struct.unpack("f", struct.pack("f", value))[0] if short == "FloatValue" else value


def _json(field: str, value: Value) -> Value:
    """A value that has gone through JSON: whole numbers are floats, or texts if they are large."""
    value = _held(field, value)
    if isinstance(value, Map):
        return Map.of([(str(key), _part(field, item)) for key, item in value.items()])
    if isinstance(value, list):
        return [_part(field, item) for item in value]
    if isinstance(value, Empty):
        return Map({})
    if isinstance(value, Type) or (isinstance(value, Opaque) and type(value) not in _TEXTS):
        raise _misfit(field, value, "*structpb.Value")
    return _TEXTS.get(type(value), _itself)(value)


def _part(field: str, value: Value) -> Value:
    _made_here(field, value, "*structpb.Value")
    return _json(field, value)


def _made_here(field: str, value: Value, wanted: str) -> None:
    """Raises CelError for lists and maps of data, which no message takes."""
    if getattr(value, "go_type", "").startswith("*common"):
        raise _failed(field, f"type conversion error from '{spelled(type_of(value))}' to '{wanted}'")


def _itself(value: Value) -> Value:
    return value


def _number(value: int) -> Value:
    return float(value) if -_SAFE <= value <= _SAFE else str(int(value))


_TEXTS: dict[type, Callable[[Value], Value]] = {
    int: _number,
    Uint: _number,
    bytes: lambda value: base64.b64encode(value).decode(),
    Duration: span_to_text,
    Timestamp: moment_to_text,
}
