"""Reader of grpc-gateway's options for OpenAPI v2, `grpc.gateway.protoc_gen_openapiv2.options`.

Only the options of messages, enums, and fields apply to schemas. On lists, keywords of values apply to the items.
Source: protoc-gen-openapiv2/options/openapiv2.proto of grpc-gateway 2.29, and its generator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.markers.option_declarations import SCHEMA as OPTIONS
from protoc_gen_crd.markers.vocabularies.field_shapes import INTEGERS, UNCOMPARABLE, get_shape, has_message_items
from protoc_gen_crd.markers.vocabularies.option_reader import ElementOptions, OptionNode
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import (
    Row,
    make_external_row,
    make_ignored_row,
    make_unsupported_row,
)
from protoc_gen_crd.proto.custom_options import OptionValue
from protoc_gen_crd.proto.element_model import Enum, Field, Message
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable

_ON_FIELDS = make_unsupported_row("it is supported only on fields")
_DROPPED = make_unsupported_row("API servers drop fields of schemas that start with x-")
_REF = make_unsupported_row("CRDs contain every schema in full")
_READ_ONLY = make_external_row("not `required`; needs no rule in the status; reported elsewhere")

# Options of message Schema with the same value.
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
_JSON = ("default", "example", "enum")  # JSON unless the field is a string
_PLAIN = ("description", "title")
JSON_SCHEMA: Mapping[str, Row] = {
    **{name: make_external_row(f"`{name}`") for name in _SAME},
    "ref": _REF,
    "read_only": _READ_ONLY,
    "unique_items": make_external_row("`x-kubernetes-list-type: set`"),
    "required": make_external_row("on a message, a rule for each field; on a field that it names, `required`"),
    "array": make_unsupported_row("grpc-gateway gives it no meaning"),
    "type": make_external_row("`type`: the first one"),
    "field_configuration": make_ignored_row(
        "configures HTTP paths; to deprecate a field, use `deprecated = true` of protobuf"
    ),
    "extensions": _DROPPED,
}
SCHEMA: Mapping[str, Row] = {
    "json_schema": make_ignored_row("its fields have rows of their own"),
    "discriminator": make_unsupported_row("API servers do not support discriminators"),
    "read_only": make_unsupported_row("it is supported only on fields of a status"),
    "external_docs": make_external_row("`external_docs`"),
    "example": _ON_FIELDS,
}
ENUM: Mapping[str, Row] = {
    "description": make_external_row("`description`"),
    "title": make_external_row("`title`"),
    "external_docs": make_external_row("`external_docs`"),
    "default": _ON_FIELDS,
    "required": _ON_FIELDS,
    "read_only": _ON_FIELDS,
    "example": _ON_FIELDS,
    "ref": _REF,
    "extensions": _DROPPED,
}
DOCS: Mapping[str, Row] = {
    "url": make_external_row("`external_docs.url`"),
    "description": make_external_row("`external_docs.description`"),
}
TABLE: Mapping[str, Mapping[str, Row]] = {
    "JSONSchema": JSON_SCHEMA,
    "JSONSchema.FieldConfiguration": dict.fromkeys(
        ("path_param_name", "deprecated"), make_ignored_row("part of `field_configuration`")
    ),
    "Schema": SCHEMA,
    "EnumSchema": ENUM,
    "ExternalDocumentation": DOCS,
}
# Messages on HTTP APIs, services and methods, which have no counterpart in a CRD.
NOT_READ = (
    "Contact", "Header", "HeaderParameter", "Info", "License", "Operation", "Parameters", "Response", "Scopes",
    "SecurityDefinitions", "SecurityRequirement", "SecurityScheme", "Swagger", "Tag",
)  # fmt: skip


def read(option: OptionValue, reading: ElementOptions) -> None:
    """Read the option of a field, message, or enum."""
    kind = option.name.rpartition("_")[2]
    if kind == "field" and isinstance(reading.element, Field):
        _read_field(reading.make_node(option, "FieldOptions"), reading, reading.element)
    elif kind == "schema" and isinstance(reading.element, Message):
        _read_message(reading.make_node(option, "MessageOptions"), reading, reading.element)
    elif kind == "enum" and isinstance(reading.element, Enum):
        _read_members(reading.make_node(option, "EnumOptions"), reading, ENUM, _PLAIN)


def _read_members(node: OptionNode, reading: ElementOptions, rows: Mapping[str, Row], same: tuple[str, ...]) -> None:
    """Read the members with these rows. Members in `same` are options with the same name."""
    for name, value in node.values.items():
        below = reading.get_member_node(node, name)
        row = rows.get(name)
        if row is None:
            reading.report_unknown(below, rows)
        elif row.unsupported and value:
            reading.report_untranslated(below, row.description)
        elif name == "external_docs":
            reading.add_marker("external_docs", dict(value), below)
        elif name in same:
            reading.add_marker(name, value, below, unread=name in _JSON)


def _read_message(node: OptionNode, reading: ElementOptions, message: Message) -> None:
    _read_members(node, reading, SCHEMA, ())
    if "json_schema" in node.values:
        below = reading.get_member_node(node, "json_schema")
        names = {name: field.json_name for field in message.fields for name in (field.name, field.json_name)}
        _read_keywords(below, reading, (), lambda name: _add_required(name, names, below, reading))


def _add_required(required: str, names: Mapping[str, str], node: OptionNode, reading: ElementOptions) -> None:
    """Add a rule that requires a field of a message."""
    name = names.get(required, "")
    if not is_selectable(name):
        reason = (
            f'CEL cannot select "{name}"' if name else f'it names "{required}", which is not a field of the message'
        )
        reading.report_untranslated(
            reading.get_member_node(node, "required"), reason, "" if name else suggest(required, names)
        )
        return
    rule = {
        "rule": f"has(self.{escape_cel_name(name)})",
        "message": f"{name} must be set",
        "reason": "FieldValueRequired",
    }
    reading.add_marker("rules", [rule], reading.get_member_node(node, "required"))


def _read_field(node: OptionNode, reading: ElementOptions, field: Field) -> None:
    def require(name: str) -> None:
        below = reading.get_member_node(node, "required")
        if name in (field.name, field.json_name):
            reading.add_marker("required", value=True, node=below)
        else:
            reading.report_untranslated(below, f'it names "{name}", which is another field', "set it on that field")

    shape = get_shape(field, reading.tools.api)
    ignored = _find_ignored_keywords(node, shape.item or shape.kind)
    for name in ignored:
        reading.report_untranslated(
            reading.get_member_node(node, name), f"OpenAPI ignores it on fields of type {shape.item or shape.kind}"
        )
    remaining = node.replace(values={name: value for name, value in node.values.items() if name not in ignored})
    _read_keywords(remaining, reading, ("items",) if shape.kind == "repeated" else (), require)


def _find_ignored_keywords(node: OptionNode, kind: str) -> list[str]:
    """Return the keywords that do not apply to a scalar of this kind."""
    schema_type = _TYPES.get(kind)
    names = [name for name in node.values if name in _SAME and name not in _OF_LISTS]
    return [name for name in names if schema_type and (types := OPTIONS[name].types) and schema_type not in types]


def _read_keywords(
    node: OptionNode, reading: ElementOptions, steps: tuple[str, ...], require: Callable[[str], None]
) -> None:
    for name, value in node.values.items():
        below = reading.get_member_node(node, name)
        row = JSON_SCHEMA.get(name)
        if row is None:
            reading.report_unknown(below, JSON_SCHEMA)
        elif row.unsupported:
            reading.report_untranslated(below, row.description)
        elif name == "required":
            for required_name in value:
                require(required_name)
        elif name in _SAME:
            reading.add_marker(name, value, below, () if name in _OF_LISTS else steps, unread=name in _JSON)
        elif value:
            _read_special(name, value, below, reading)
    _add_implied_bounds(node, reading, steps)


def _read_special(name: str, value: Any, node: OptionNode, reading: ElementOptions) -> None:
    if name == "unique_items":
        field = reading.element
        if isinstance(field, Field) and has_message_items(field, reading.tools.api):
            reading.report_untranslated(node, UNCOMPARABLE)
        else:
            reading.add_marker("list_type", "set", node)
    elif name == "read_only":
        reading.set_output_only(node)
    elif name == "type":
        _read_type(value[0], node, reading)


def _is_list(reading: ElementOptions) -> bool:
    return isinstance(reading.element, Field) and get_shape(reading.element, reading.tools.api).kind == "repeated"


def _read_type(name: str, node: OptionNode, reading: ElementOptions) -> None:
    if name == "NULL":
        reading.report_untranslated(node, "CRDs do not support the type null")
    elif name == "ARRAY" and not _is_list(reading):
        reading.report_untranslated(node, "the items of the list are not declared")
    elif name != "UNKNOWN":
        reading.add_marker("type", name.lower(), node)


def _add_implied_bounds(node: OptionNode, reading: ElementOptions, steps: tuple[str, ...]) -> None:
    """Add the bound 0 if a bound is exclusive but not set: the request does not contain zero values in proto3."""
    for name in ("maximum", "minimum"):
        if node.values.get(f"exclusive_{name}") and name not in node.values:
            reading.add_marker(name, 0, reading.get_member_node(node, f"exclusive_{name}"), steps)
