"""Shapes and presence of fields, for the rules of other vocabularies."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.descriptor_pb2 import FeatureSet, FieldOptions, FileOptions

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import Target, format_list, format_string
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Enum, Field

INTEGERS = ("int32", "int64", "uint32", "uint64", "sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64")
_GOOGLE = "google.protobuf."
_WRAPPED = ("bool", "bytes", "double", "float", "int32", "int64", "string", "uint32", "uint64")
_MESSAGES = {
    **{f"{_GOOGLE}{kind}value": kind for kind in _WRAPPED},
    f"{_GOOGLE}any": "any",
    f"{_GOOGLE}duration": "duration",
    f"{_GOOGLE}fieldmask": "field_mask",
    f"{_GOOGLE}timestamp": "timestamp",
}
_MESSAGE_KINDS = ("any", "message")
UNCOMPARABLE = "only values that are not messages can be compared"
_COUNTED = ("bytes", "map", "repeated", "string")
# Conversions of a map key, which is a string, to the type of the rules on keys.
_KEYS = {"bool": '(key == "true")', "string": "key"}


class ValueShape(Record):
    """The shape of a field, item, or value: its kind of rules, its enum, and the parts of a list or map.

    `item` is the kind of the items of a list. `numbered` values can be numbers instead of names of the enum.
    """

    kind: str
    enum: Enum | None = None
    parts: Mapping[str, Field] = {}
    item: str = ""
    numbered: bool = False

    def get_target(self) -> Target:
        """Return a value of the shape, as the target of rules."""
        return Target(self.kind, "self", self.enum, self.item, self.numbered)

    def get_key_target(self) -> Target:
        """Return a key of a map, as the target of rules."""
        kind = self.parts["keys"].kind
        return Target(kind, _KEYS.get(kind, "int(key)"))


def get_shape(field: Field, api: ApiSet) -> ValueShape:
    """Return the shape of a field."""
    entry = api.find_message(field.type_name) if field.kind == "message" else None
    if entry is not None and entry.is_map_entry:
        return ValueShape("map", None, {"keys": entry.fields[0], "values": entry.fields[1]})
    element = get_element_shape(field, api)
    return ValueShape("repeated", None, {"items": field}, element.kind) if field.repeated else element


def get_element_shape(field: Field, api: ApiSet) -> ValueShape:
    """Return the shape of a single value of a field."""
    if field.kind == "enum":
        return ValueShape("enum", api.find_enum(field.type_name))
    if field.kind in ("message", "group"):
        return ValueShape(_MESSAGES.get(field.type_name.lower(), "message"))
    return ValueShape(field.kind)


def has_message_items(field: Field, api: ApiSet) -> bool:
    """Return whether the items of a list are messages. API servers do not compare messages as items of a set."""
    return field.repeated and get_shape(field, api).item in _MESSAGE_KINDS


def has_presence(field: Field, api: ApiSet) -> bool:
    """Return whether a field has presence: an unset field differs from one with the zero value."""
    if field.repeated:
        return False
    if field.kind in ("message", "group") or field.optional or field.oneof >= 0:
        return True
    file = api.get_file(field.at.source.file)
    if file.syntax != "editions":
        return file.syntax == "proto2"
    field_presence = FieldOptions.FromString(field.options).features.field_presence
    presence = field_presence or FileOptions.FromString(file.options).features.field_presence
    return presence != FeatureSet.IMPLICIT


def make_zero_test(target: Target) -> str:
    """Make a rule that tests a value for the zero value of its kind."""
    if target.kind in _COUNTED:
        return f"size({target.x}) == 0"
    if target.kind == "bool":
        return f"!{target.x}"
    if target.kind == "enum":
        names = [format_string(value.name) for value in target.enum.values if not value.number] if target.enum else []
        rule = f"{target.x} in {format_list(names)}" if names else "false"
        return f"{rule} || {target.x} in [0]" if target.numbered else rule
    return f"{target.x} == {'0.0' if target.kind in ('double', 'float') else '0'}"
