"""Messages to schemas as the Go plugin makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.generation import well_known_types
from protoc_gen_crd.generation.istio.istio_descriptions import extract_first_sentence, format_valid_options, get_comment
from protoc_gen_crd.generation.istio.refusals import RefusalReporter
from protoc_gen_crd.generation.istio.validation_lines import ALT_NAME, LineApplier
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.generation.schema_size import DEPTH, SchemaMeasurer
from protoc_gen_crd.golang.whitespace import split_fields
from protoc_gen_crd.markers.collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.custom_options import OptionReader
from protoc_gen_crd.proto.model import Element, Enum, Field, Message
from protoc_gen_crd.schema.schema import INT_OR_STRING, PRESERVE, VALIDATIONS, Schema, ValidationRule
from protoc_gen_crd.settings.settings import Settings

_DURATION_RULE = ValidationRule("duration(self) >= duration('1ms')", "must be a valid duration greater than 1ms")
_DOUBLE: Mapping[str, Any] = {"type": "number", "format": "double"}

# What differs from default mode: float is a double, a duration has a rule, and other types are not special at all.
_SCALARS = {**well_known_types.SCALARS, "float": _DOUBLE}
_MESSAGES: Mapping[str, Mapping[str, Any]] = {
    name: well_known_types.MESSAGES[f"google.protobuf.{name}"]
    for name in ("Any", "Empty", "Struct", "Timestamp", "Value")
} | {
    "Duration": {"type": "string", VALIDATIONS: (_DURATION_RULE,)},
    "ListValue": {"items": Schema({"type": "object"})},
}
_WRAPPERS = {name: kind for name, kind in well_known_types.WRAPPERS.items() if kind != "bytes"}


class SchemaBuilder:
    """Makes each message's schema once. All messages of the targets are made, used by a CRD or not."""

    def __init__(
        self,
        api: ApiSet,
        collector: MarkerCollector,
        settings: Settings,
        refusals: RefusalReporter,
        context: RunContext,
    ) -> None:
        self._api = api
        self._options = collector.options
        self._settings = settings
        self._refusals = refusals
        self._lines = LineApplier(refusals, context)
        self._schemas: dict[str, Schema] = {}
        self.sizes = SchemaMeasurer(settings.node_limit, settings.byte_limit)
        self._trail: list[str] = []

    def get_schema(self, full_name: str, user: Field | None = None) -> Schema:
        """The schema of a message, its own description included; `user` is the field that has it for a type."""
        known = self._schemas.get(full_name)
        if known is None:
            known = self._schemas[full_name] = self._get_special_schema(full_name) or self._make(full_name, user)
        return known

    @staticmethod
    def _get_special_schema(full_name: str) -> Schema | None:
        row = (
            _MESSAGES.get(full_name.removeprefix("google.protobuf."))
            if full_name.startswith("google.protobuf.")
            else None
        )
        if row is None and (kind := _WRAPPERS.get(full_name)) is not None:
            row = {**_SCALARS[kind], "nullable": True}
        return None if row is None else Schema(row)

    def _make(self, full_name: str, user: Field | None) -> Schema:
        message = self._api.find_message(full_name)
        if message is None:
            place, path = (user.at, user.full_name) if user else (None, "")
            self._refusals.report(f'the type "{full_name}", which is not declared', place, path=path)
            return Schema({"type": "object"})
        self._trail.append(full_name)
        keywords: dict[str, Any] = {"type": "object"}
        if description := self._describe(message):
            keywords["description"] = description
        properties: dict[str, Schema] = {}
        for field in message.fields:
            self._add_property(field, properties)
        self._trail.pop()
        if properties:
            keywords["properties"] = properties
        required = [field.json_name for field in message.fields if self._is_required(field)]
        if required:
            keywords["required"] = required
        keywords |= self._build_oneofs(message)
        return self._check_size(self._lines.apply(Schema(keywords, message.at), message, "T"), message)

    def _check_size(self, schema: Schema, message: Message) -> Schema:
        excess = self.sizes.find_excess(schema)
        if not excess:
            return schema
        reason = f"a schema that is too large: {excess}"
        self._refusals.report(reason, message.at, path=message.full_name, hint="raise node_limit or byte_limit")
        return Schema({"type": "object", PRESERVE: True})

    def _add_property(self, field: Field, properties: dict[str, Schema]) -> None:
        schema = self._lines.apply(self._build_field(field), field, "F")
        properties[field.json_name] = schema
        comment = get_comment(field)
        if ALT_NAME in comment:
            words = split_fields(comment.partition(ALT_NAME)[2])
            if words:
                properties[words[0]] = schema
            else:
                self._refusals.report(f"{ALT_NAME} without a name", field.at, path=field.full_name)

    def _is_required(self, field: Field) -> bool:
        return "REQUIRED" in _list_behaviors(field, self._options)

    def _describe(self, element: Element) -> str:
        return extract_first_sentence(get_comment(element)) if self._settings.include_description else ""

    def _build_field(self, field: Field) -> Schema:
        """A field's schema: its type, described by its own comment alone."""
        entry = self._api.find_message(field.type_name) if field.kind == "message" else None
        if entry is not None and entry.is_map_entry:
            value = entry.fields[1].replace(at=field.at, full_name=field.full_name)  # it has no place of its own
            schema = Schema({"type": "object", "additionalProperties": self._build_field(value)})
            return self._set_description(schema, field, "")
        schema, suffix = self._build_element(field)
        if field.repeated:
            schema = Schema({"type": "array", "items": self._strip_description(schema)})
        return self._set_description(schema, field, suffix)

    @staticmethod
    def _strip_description(schema: Schema) -> Schema:
        return schema.with_keywords({"description": None}) if "description" in schema else schema

    def _set_description(self, schema: Schema, field: Field, suffix: str) -> Schema:
        description = self._describe(field) + suffix
        keywords = dict(schema.keywords)
        if description:
            keywords["description"] = description
        else:
            keywords.pop("description", None)
        return Schema(keywords, field.at)

    def _build_element(self, field: Field) -> tuple[Schema, str]:
        """The schema of one value, and what goes behind the description."""
        if field.kind == "enum":
            return self._build_enum(field.type_name)
        if field.kind == "group":
            return Schema({}, field.at), ""
        if field.kind != "message":
            return Schema(_SCALARS[field.kind], field.at), ""
        name = field.type_name
        if name in self._trail and self._get_special_schema(name) is None:
            cycle = " -> ".join(part.rpartition(".")[2] for part in [*self._trail[self._trail.index(name) :], name])
            self._refusals.report(f"a recursive message overflows its stack: {cycle}", field.at, path=field.full_name)
            return Schema({"type": "object", PRESERVE: True}), ""
        if len(self._trail) > DEPTH:
            reason = f"messages nested more than {DEPTH} deep"
            self._refusals.report(reason, field.at, path=field.full_name)
            return Schema({"type": "object", PRESERVE: True}), ""
        return self.get_schema(name, field), ""

    def _build_enum(self, full_name: str) -> tuple[Schema, str]:
        enum: Enum | None = self._api.find_enum(full_name)
        names = [value.name for value in enum.values] if enum else []
        if self._settings.enum_as_int_or_string:
            return Schema({"type": "string", INT_OR_STRING: True}), format_valid_options(names)
        return Schema({"type": "string", "enum": names}), format_valid_options(names)

    @staticmethod
    def _build_oneofs(message: Message) -> dict[str, Any]:
        """Every oneof, and that of each `optional` field of proto3, which buf accepts, and protoc in imports."""
        json_names = {field.name: field.json_name for field in message.fields}
        groups = [[json_names[name] for name in oneof.fields] for oneof in message.oneofs]
        groups += [[field.json_name] for field in message.fields if field.optional]
        made = []
        for names in groups:
            branches = [Schema({"required": [name]}) for name in names]
            made.append([Schema({"not": Schema({"anyOf": branches})}), *branches])
        if len(made) == 1:
            return {"oneOf": made[0]}
        return {"allOf": [Schema({"oneOf": branches}) for branches in made]} if made else {}


def _list_behaviors(field: Field, options: OptionReader) -> list[str]:
    """A field's google.api.field_behavior by name; nothing where a file declares another option of that name."""
    if not field.options:
        return []
    name = "google.api.field_behavior"
    found = [option.value for option in options.read("FieldOptions", field.options) if option.name == name]
    return [name for value in found if isinstance(value, list) for name in value]


__all__ = ["VALIDATIONS", "SchemaBuilder"]
