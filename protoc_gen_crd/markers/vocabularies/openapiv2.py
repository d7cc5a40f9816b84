"""grpc-gateway's options for OpenAPI v2, `grpc.gateway.protoc_gen_openapiv2.options`.

Only those of messages, enums and fields can be about a schema. On lists, what is about a value is about the items.
Source: protoc-gen-openapiv2/options/openapiv2.proto of grpc-gateway 2.29, and what its generator does with them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.markers.declared import SCHEMA as OPTIONS
from protoc_gen_crd.markers.vocabularies.reading import Node, Reading
from protoc_gen_crd.markers.vocabularies.rows import Row, read_elsewhere, refused, without_effect
from protoc_gen_crd.markers.vocabularies.shapes import INTEGERS, shape
from protoc_gen_crd.proto.model import Enum, Field, Message
from protoc_gen_crd.proto.options import OptionValue
from protoc_gen_crd.schema.celnames import cel_name, selectable

_ON_FIELDS = refused("it belongs to fields here")
_DROPPED = refused("API servers drop fields of schemas that start with x-")
_REF = refused("a CRD holds every schema in full")
_READ_ONLY = read_elsewhere("not `required`; holds by itself in the status; reported elsewhere")

# Options of message Schema that take the value as it is.
_SAME = (
    "title", "description", "default", "example", "multiple_of", "maximum", "exclusive_maximum", "minimum",
    "exclusive_minimum", "max_length", "min_length", "pattern", "max_items", "min_items", "max_properties",
    "min_properties", "format", "enum",
)  # fmt: skip
_OF_LISTS = ("title", "description", "example", "max_items", "min_items", "unique_items")
_TYPES: Mapping[str, str] = {
    "bool": "boolean", "bytes": "string", "string": "string", "double": "number", "float": "number",
    **dict.fromkeys(INTEGERS, "integer"),
}  # fmt: skip
_JSON = ("default", "example", "enum")  # read as JSON where the field is no text
_PLAIN = ("description", "title")
JSON_SCHEMA: Mapping[str, Row] = {
    **{name: read_elsewhere(f"`{name}`") for name in _SAME},
    "ref": _REF,
    "read_only": _READ_ONLY,
    "unique_items": read_elsewhere("`x-kubernetes-list-type: set`"),
    "required": read_elsewhere("of a message, a rule for each field; of a field that it names, `required`"),
    "array": refused("grpc-gateway gives it no meaning"),
    "type": read_elsewhere("`type`: the first one"),
    "field_configuration": without_effect("about paths of HTTP; `deprecated = true` of protobuf says that of a field"),
    "extensions": _DROPPED,
}
SCHEMA: Mapping[str, Row] = {
    "json_schema": without_effect("what stands in it has rows of its own"),
    "discriminator": refused("API servers know no discriminators"),
    "read_only": refused("it belongs to fields, of a status"),
    "external_docs": read_elsewhere("`external_docs`"),
    "example": _ON_FIELDS,
}
ENUM: Mapping[str, Row] = {
    "description": read_elsewhere("`description`"),
    "title": read_elsewhere("`title`"),
    "external_docs": read_elsewhere("`external_docs`"),
    "default": _ON_FIELDS,
    "required": _ON_FIELDS,
    "read_only": _ON_FIELDS,
    "example": _ON_FIELDS,
    "ref": _REF,
    "extensions": _DROPPED,
}
DOCS: Mapping[str, Row] = {
    "url": read_elsewhere("`external_docs.url`"),
    "description": read_elsewhere("`external_docs.description`"),
}
TABLE: Mapping[str, Mapping[str, Row]] = {
    "JSONSchema": JSON_SCHEMA,
    "JSONSchema.FieldConfiguration": dict.fromkeys(
        ("path_param_name", "deprecated"), without_effect("of `field_configuration`")
    ),
    "Schema": SCHEMA,
    "EnumSchema": ENUM,
    "ExternalDocumentation": DOCS,
}
# Messages about an API of HTTP as a whole, about its services and methods, of which a CRD has none.
NOT_READ = (
    "Contact", "Header", "HeaderParameter", "Info", "License", "Operation", "Parameters", "Response", "Scopes",
    "SecurityDefinitions", "SecurityRequirement", "SecurityScheme", "Swagger", "Tag",
)  # fmt: skip


def read(option: OptionValue, reading: Reading) -> None:
    """Read the option of a field, message or enum."""
    kind = option.name.rpartition("_")[2]
    if kind == "field" and isinstance(reading.element, Field):
        _field(reading.node(option, "FieldOptions"), reading, reading.element)
    elif kind == "schema" and isinstance(reading.element, Message):
        _message(reading.node(option, "MessageOptions"), reading, reading.element)
    elif kind == "enum" and isinstance(reading.element, Enum):
        _members(reading.node(option, "EnumOptions"), reading, ENUM, _PLAIN)


def _members(node: Node, reading: Reading, rows: Mapping[str, Row], same: tuple[str, ...]) -> None:
    """Members that are markers as they are, documentation, and what is refused."""
    for name, value in node.values.items():
        below = reading.below(node, name)
        row = rows.get(name)
        if row is None:
            reading.unknown(below, rows)
        elif row.refused and value:
            reading.untranslated(below, row.becomes)
        elif name == "external_docs":
            reading.mark("external_docs", dict(value), below)
        elif name in same:
            reading.mark(name, value, below, unread=name in _JSON)


def _message(node: Node, reading: Reading, message: Message) -> None:
    _members(node, reading, SCHEMA, ())
    if "json_schema" in node.values:
        below = reading.below(node, "json_schema")
        names = {name: field.json_name for field in message.fields for name in (field.name, field.json_name)}
        _keywords(below, reading, (), lambda name: _demand(name, names, below, reading))


def _demand(given: str, names: Mapping[str, str], node: Node, reading: Reading) -> None:
    """A message says that one of its fields must be set."""
    name = names.get(given, "")
    if not selectable(name):
        reason = f'CEL cannot select "{name}"' if name else f'it names "{given}", which is no field of the message'
        reading.untranslated(reading.below(node, "required"), reason, "" if name else suggestion(given, names))
        return
    rule = {"rule": f"has(self.{cel_name(name)})", "message": f"{name} must be set", "reason": "FieldValueRequired"}
    reading.mark("rules", [rule], reading.below(node, "required"))


def _field(node: Node, reading: Reading, field: Field) -> None:
    def demand(name: str) -> None:
        below = reading.below(node, "required")
        if name in (field.name, field.json_name):
            reading.mark("required", value=True, node=below)
        else:
            reading.untranslated(below, f'it names "{name}", which is another field', "write it on that field")

    made = shape(field, reading.tools.api)
    idle = _overlooked(node, made.item or made.kind)
    for name in idle:
        reading.untranslated(
            reading.below(node, name), f"OpenAPI overlooks it on fields of type {made.item or made.kind}"
        )
    rest = node.replace(values={name: value for name, value in node.values.items() if name not in idle})
    _keywords(rest, reading, ("items",) if made.kind == "repeated" else (), demand)


def _overlooked(node: Node, kind: str) -> list[str]:
    """The keywords that say nothing of a scalar of this kind."""
    found = _TYPES.get(kind)
    own = [name for name in node.values if name in _SAME and name not in _OF_LISTS]
    return [name for name in own if found and (types := OPTIONS[name].types) and found not in types]


def _keywords(node: Node, reading: Reading, steps: tuple[str, ...], demand: Callable[[str], None]) -> None:
    for name, value in node.values.items():
        below = reading.below(node, name)
        row = JSON_SCHEMA.get(name)
        if row is None:
            reading.unknown(below, JSON_SCHEMA)
        elif row.refused:
            reading.untranslated(below, row.becomes)
        elif name == "required":
            for one in value:
                demand(one)
        elif name in _SAME:
            reading.mark(name, value, below, () if name in _OF_LISTS else steps, unread=name in _JSON)
        elif value:
            _special(name, value, below, reading)
    _implied(node, reading, steps)


def _special(name: str, value: Any, node: Node, reading: Reading) -> None:
    if name == "unique_items":
        reading.mark("list_type", "set", node)
    elif name == "read_only":
        reading.output(node)
    elif name == "type":
        _type(value[0], node, reading)


def _type(name: str, node: Node, reading: Reading) -> None:
    if name == "NULL":
        reading.untranslated(node, "no schema of a CRD has the type null")
    elif name != "UNKNOWN":
        reading.mark("type", name.lower(), node)


def _implied(node: Node, reading: Reading, steps: tuple[str, ...]) -> None:
    """A bound of 0 is not written in proto3; it is meant where the bound itself is not allowed."""
    for name in ("maximum", "minimum"):
        if node.values.get(f"exclusive_{name}") and name not in node.values:
            reading.mark(name, 0, reading.below(node, f"exclusive_{name}"), steps)
