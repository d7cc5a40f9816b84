"""The values of message literals: CEL represents each of protobuf's well-known messages as a value of its own.

Source: cel-go v0.29 `common/types/provider.go`; protobuf-go durationpb.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from protoc_gen_crd.cel.checker.types import format_for_author
from protoc_gen_crd.cel.library.declarations.messages import MESSAGES
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.runtime_values import (
    LEAST_INT,
    MOST_INT,
    CelError,
    Duration,
    Map,
    Panic,
    Timestamp,
    Unreadable,
    Value,
    get_type,
    list_parts,
)
from protoc_gen_crd.cel.version_differences import BYTES_OF_UINTS
from protoc_gen_crd.kubernetes.shared_results import Switches

from .native_conversion import BYTES, ENUM, JSON, LIST, STRUCT, EmptyValue, StructEntryValue, convert_to_native
from .operators import SECOND

Fields = Mapping[str, Value]
_PREFIX = "google.protobuf."


def make_message(name: str, fields: Fields, switches: Switches) -> Value:
    """Return the value of a literal on these servers. Raises CelError for invalid fields."""
    if name not in MESSAGES:
        raise CelError(f"unknown type '{name}'")
    short = name.removeprefix(_PREFIX)
    if short in _CONTAINER_BUILDERS:
        return _CONTAINER_BUILDERS[short](fields)
    converted = {}
    for field, value in fields.items():
        native_type = _TYPES[f"{short}.{field}"]
        old = native_type == BYTES and BYTES_OF_UINTS not in switches
        converted[field] = _set_field(f"{short}.{field}", _reject_bytes(value) if old else value, native_type)
    return _BUILDERS[short](converted) if short in _BUILDERS else converted.get("value", _DEFAULTS.get(short, 0))


def _set_field(field: str, value: Value, native_type: str) -> Value:
    try:
        return convert_to_native(value, native_type)
    except CelError as error:
        raise CelError(f"field type conversion error for {_PREFIX}{field} value type: {error.message}") from None


_TYPES = {
    "Duration.seconds": "int64", "Duration.nanos": "int32", "Timestamp.seconds": "int64", "Timestamp.nanos": "int32",
    "Value.null_value": ENUM, "Value.number_value": "float64", "Value.string_value": "string",
    "Value.bool_value": "bool", "Value.struct_value": STRUCT, "Value.list_value": LIST, "Any.type_url": "string",
    "Any.value": BYTES, "BoolValue.value": "bool", "BytesValue.value": BYTES, "DoubleValue.value": "float64",
    "FloatValue.value": "float32", "Int32Value.value": "int32", "Int64Value.value": "int64",
    "StringValue.value": "string", "UInt32Value.value": "uint32", "UInt64Value.value": "uint64",
    "Struct.FieldsEntry.key": "string", "Struct.FieldsEntry.value": JSON,
}  # fmt: skip
_DEFAULTS: dict[str, Value] = {
    "BoolValue": False, "BytesValue": b"", "DoubleValue": 0.0, "FloatValue": 0.0, "StringValue": "",
    "UInt32Value": Uint(0), "UInt64Value": Uint(0),
}  # fmt: skip


def _make_duration(fields: Fields) -> Duration:
    total = fields.get("seconds", 0) * SECOND + fields.get("nanos", 0)
    return Duration(max(LEAST_INT, min(MOST_INT, total)))


def _make_timestamp(fields: Fields) -> Timestamp:
    return Timestamp(fields.get("seconds", 0) * SECOND + fields.get("nanos", 0))


def _make_value(fields: Fields) -> Value:
    ((name, value),) = list(fields.items())[-1:] or (("null_value", None),)
    return None if name == "null_value" else value


def _make_list(fields: Fields) -> Value:
    value = fields.get("values", [])
    if not isinstance(value, list):
        raise _make_unsupported_error("ListValue.values", value)
    return [_set_field("ListValue.values", item, JSON) for item in list_parts(value)]


def _make_struct(fields: Fields) -> Value:
    value = fields.get("fields", Map({}))
    if not isinstance(value, Map):
        raise _make_unsupported_error("Struct.fields", value)
    entries = []
    for key in value.keys():  # noqa: SIM118 - not a dict
        item = value.get_entry_value(key)
        if isinstance(item, CelError) and not isinstance(item, Unreadable):
            raise Panic("runtime error: invalid memory address or nil pointer dereference")
        entries.append((_set_field("Struct.fields", key, "string"), _set_field("Struct.fields", item, JSON)))
    return Map.from_pairs(entries)


def _reject_bytes(value: Value) -> Value:
    """Return the value; in a plain list, replace uints, which become bytes only on newer servers, by errors."""
    if not isinstance(value, list) or getattr(value, "go_type", "").startswith("*common"):
        return value
    misfit = CelError("unsupported type conversion from 'uint' to uint8")
    return [misfit if type(item) is Uint else item for item in list_parts(value)]


def _make_unsupported_error(field: str, value: Value) -> CelError:
    return CelError(f"unsupported field type for {_PREFIX}{field}: {format_for_author(get_type(value))}")


def _make_any(fields: Fields) -> Value:
    shown_fields = [f"{name}:{_quote(fields[name])}" for name in ("type_url", "value") if fields.get(name)]
    raise CelError(f"unsupported conversion to ref.Val: (*dynamicpb.Message){' '.join(shown_fields)}")


def _quote(value: str | bytes) -> str:
    """Format a value as in protobuf's text format."""
    string = value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")
    return f'"{"".join([_ESCAPES.get(char) or _escape(char) for char in string])}"'


def _escape(char: str) -> str:
    code = ord(char)
    if 0x80 <= code <= 0x9F:
        return f"\\u{code:04x}"
    return f"\\x{code & 0xFF:02x}" if code < 0x20 or code == 0x7F or 0xDC80 <= code <= 0xDCFF else char


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


_CONTAINER_BUILDERS: dict[str, Callable[[Fields], Value]] = {"Struct": _make_struct, "ListValue": _make_list}
_BUILDERS: dict[str, Callable[[Fields], Value]] = {
    "Duration": _make_duration,
    "Timestamp": _make_timestamp,
    "Value": _make_value,
    "Empty": lambda _: EmptyValue(),
    "Struct.FieldsEntry": lambda fields: StructEntryValue(
        Map({name: fields[name] for name in fields if fields[name] != ""})
    ),
    "Any": _make_any,
}
