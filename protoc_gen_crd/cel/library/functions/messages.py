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
from protoc_gen_crd.cel.types import Type
from protoc_gen_crd.cel.values import (
    LEAST_INT,
    MOST_INT,
    CelError,
    Duration,
    Map,
    Opaque,
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
    return _MADE[short](fields) if short in _MADE else _wrapped(name, short, fields)


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
    name = type_of(value).name
    if name == "string":
        return _failed(field, f"unsupported native conversion from string to '{wanted}'")
    return _failed(field, f"type conversion error from '{name}' to '{wanted}'")


def _duration(fields: Fields) -> Duration:
    total = _whole("Duration", "seconds", fields, 64) * SECOND + _whole("Duration", "nanos", fields, 32)
    return Duration(max(LEAST_INT, min(MOST_INT, total)))


def _timestamp(fields: Fields) -> Timestamp:
    return Timestamp(_whole("Timestamp", "seconds", fields, 64) * SECOND + _whole("Timestamp", "nanos", fields, 32))


def _value(fields: Fields) -> Value:
    if not fields:
        return None
    kind, value = list(fields.items())[-1]
    return None if kind == "null_value" else _json(value)


def _any(_: Fields) -> Value:
    raise CelError("unsupported conversion to ref.Val: (*dynamicpb.Message)")


_MADE: dict[str, Callable[[Fields], Value]] = {
    "Duration": _duration,
    "Timestamp": _timestamp,
    "Struct": lambda fields: _json(fields.get("fields", Map({}))),
    "ListValue": lambda fields: _json(fields.get("values", [])),
    "Value": _value,
    "Empty": lambda _: Empty(),
    "Any": _any,
}
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


def _json(value: Value) -> Value:
    """A value that has gone through JSON: whole numbers are floats, or texts if they are large."""
    if isinstance(value, Map):
        return Map.of([(str(key), _json(item)) for key, item in value.items()])
    if isinstance(value, list):
        return [_json(item) for item in value]
    return _TEXTS.get(type(value), _itself)(value)


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
