"""Values in place of data, and Go's names for the types of data. Source: Go `fmt`, cel-go v0.26 `common/types`."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.ast import Uint

from .runtime_values import CelError, Duration, Timestamp, Unreadable, Value

_GO_TYPES = {
    bool: "bool", int: "int64", float: "float64", str: "string", dict: "map[string]interface {}", Uint: "uint64",
    list: "[]interface {}", bytes: "[]uint8", Duration: "time.Duration", Timestamp: "time.Time",
    type(None): "structpb.NullValue", CelError: "*errors.errorString", Unreadable: "*errors.errorString",
}  # fmt: skip


class GoValue(Record):
    """A CEL value in place of data, which matches no schema."""

    value: Value


def get_go_type_name(data: Any) -> str:
    """Return the name of the Go type of data."""
    value = data.value if isinstance(data, GoValue) else data
    lists = "[]ref.Val" if isinstance(value, list) else "map[ref.Val]ref.Val"
    return _GO_TYPES[type(data)] if value is data else _GO_TYPES.get(type(value), lists)
