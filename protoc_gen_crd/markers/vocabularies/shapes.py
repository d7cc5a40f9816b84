"""What the fields of messages are to rules of other vocabularies, and whether they can be unset."""

from __future__ import annotations

from collections.abc import Mapping

from google.protobuf.descriptor_pb2 import FeatureSet, FieldOptions, FileOptions

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.vocabularies.rows import Target, listed, text
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Enum, Field

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
_COUNTED = ("bytes", "map", "repeated", "string")
# How the text of a map key becomes what a rule on keys is about.
_KEYS = {"bool": '(key == "true")', "string": "key"}


class Shape(Record):
    """A field, or what it holds: a kind of rules, the enum's values, what a list or map is made of."""

    kind: str
    enum: Enum | None = None
    parts: Mapping[str, Field] = {}
    item: str = ""
    numbered: bool = False

    def target(self) -> Target:
        """A value of the shape, for rules."""
        return Target(self.kind, "self", self.enum, self.item, self.numbered)

    def key(self) -> Target:
        """A key of a map."""
        kind = self.parts["keys"].kind
        return Target(kind, _KEYS.get(kind, "int(key)"))


def shape(field: Field, api: ApiSet) -> Shape:
    """The shape of a field."""
    entry = api.message(field.type_name) if field.kind == "message" else None
    if entry is not None and entry.map_entry:
        return Shape("map", None, {"keys": entry.fields[0], "values": entry.fields[1]})
    one = element(field, api)
    return Shape("repeated", None, {"items": field}, one.kind) if field.repeated else one


def element(field: Field, api: ApiSet) -> Shape:
    """The shape of one value of a field."""
    if field.kind == "enum":
        return Shape("enum", api.enum(field.type_name))
    if field.kind in ("message", "group"):
        return Shape(_MESSAGES.get(field.type_name.lower(), "message"))
    return Shape(field.kind)


def tracked(field: Field, api: ApiSet) -> bool:
    """Whether a field tells being unset from having its zero value."""
    if field.repeated:
        return False
    if field.kind in ("message", "group") or field.optional or field.oneof >= 0:
        return True
    file = api.file(field.at.source.file)
    if file.syntax != "editions":
        return file.syntax == "proto2"
    own = FieldOptions.FromString(field.options).features.field_presence
    said = own or FileOptions.FromString(file.options).features.field_presence
    return said != FeatureSet.IMPLICIT


def zero(target: Target) -> str:
    """That a value is the zero value of its kind, as a rule."""
    if target.kind in _COUNTED:
        return f"size({target.x}) == 0"
    if target.kind == "bool":
        return f"!{target.x}"
    if target.kind == "enum":
        names = [text(value.name) for value in target.enum.values if not value.number] if target.enum else []
        found = f"{target.x} in {listed(names)}" if names else "false"
        return f"{found} || {target.x} in [0]" if target.numbered else found
    return f"{target.x} == {'0.0' if target.kind in ('double', 'float') else '0'}"
