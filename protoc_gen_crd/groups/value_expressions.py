"""Values in generated conversions: Python expressions, with the condition under which the value is set."""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.groups.group_model import FieldType, HubType

_ZEROS = {"string": '""', "bytes": 'b""', "bool": "False", "double": "0.0", "float": "0.0"}
_PYTHON_TYPES = {"string": "str", "bytes": "bytes", "bool": "bool", "double": "float", "float": "float"}
ItemFunction = Callable[[str], str]


class Value(Record):
    """An expression, and the condition under which the value is set; the condition is empty if it is always set."""

    code: str
    condition: str = ""

    def apply(self, function: ItemFunction) -> Value:
        """Return the value with a function applied to its expression."""
        return Value(function(self.code), self.condition)

    def or_else(self, other: str) -> str:
        """Return the expression of the value, or another one if it is not set."""
        return f"{self.code} if {self.condition} else {other}" if self.condition else self.code


def keep(code: str) -> str:
    """Return an expression unchanged."""
    return code


def map_values(value: Value, label: str, item: ItemFunction, key: ItemFunction = keep) -> Value:
    """Apply functions to a single value, to the items of a list, or to the values and keys of a map."""
    if item is keep and key is keep:
        return value
    if label == "list":
        return value.apply(lambda code: f"[{item('item')} for item in {code}]")
    if label == "map":
        return value.apply(lambda code: f"{{{key('key')}: {item('item')} for key, item in {code}.items()}}")
    return value.apply(item)


def format_zero(field_type: FieldType) -> str:
    """Return the value of a field that is not set, as Python."""
    if field_type.label != "single":
        return "[]" if field_type.label == "list" else "{}"
    if field_type.has_presence or field_type.value.kind in ("message", "well-known"):
        return "None"
    if field_type.value.kind == "enum":
        return f"hub.{field_type.value.name}(0)"
    return _ZEROS.get(field_type.value.kind, "0")


def format_python_type(hub_type: HubType, prefix: str = "") -> str:
    """Return the Python type of a single value in the hub."""
    if hub_type.kind in ("enum", "message"):
        return prefix + hub_type.name
    if hub_type.kind == "well-known":
        return format_well_known_class(hub_type.name)
    return _PYTHON_TYPES.get(hub_type.kind, "int")


WELL_KNOWN_MODULES = {
    "Any": "any_pb2",
    "Api": "api_pb2",
    "Duration": "duration_pb2",
    "Empty": "empty_pb2",
    "FieldMask": "field_mask_pb2",
    "SourceContext": "source_context_pb2",
    "Timestamp": "timestamp_pb2",
    **dict.fromkeys(("Struct", "Value", "ListValue"), "struct_pb2"),
    **dict.fromkeys(("Type", "Field", "Enum", "EnumValue", "Option"), "type_pb2"),
    **dict.fromkeys(
        ("BoolValue", "BytesValue", "DoubleValue", "FloatValue", "Int32Value", "Int64Value", "StringValue",
         "UInt32Value", "UInt64Value"), "wrappers_pb2",
    ),
}  # fmt: skip


def format_well_known_class(full_name: str) -> str:
    """Return the class of a well-known type in the default pool, such as `timestamp_pb2.Timestamp`."""
    name = full_name.rpartition(".")[2]
    return f"{WELL_KNOWN_MODULES.get(name, 'descriptor_pb2')}.{name}"


def format_hub_type(field_type: FieldType, prefix: str = "") -> str:
    """Return the Python type of a field of the hub."""
    single = format_python_type(field_type.value, prefix)
    if field_type.label == "list":
        return f"list[{single}]"
    if field_type.label == "map" and field_type.key is not None:
        return f"dict[{format_python_type(field_type.key)}, {single}]"
    optional = field_type.has_presence or field_type.value.kind in ("message", "well-known")
    return f"{single} | None" if optional else single
