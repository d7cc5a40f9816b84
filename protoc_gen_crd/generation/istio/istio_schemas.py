"""Builder of schemas from messages, as the Go plugin builds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.generation import well_known_types
from protoc_gen_crd.generation.istio.failure_reporter import FailureReporter
from protoc_gen_crd.generation.istio.istio_descriptions import extract_first_sentence, format_valid_options, get_comment
from protoc_gen_crd.generation.istio.validation_lines import ALT_NAME, LineApplier
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.generation.scalar_types import SCALARS
from protoc_gen_crd.generation.schema_size import DEPTH, SchemaMeasurer
from protoc_gen_crd.golang.whitespace import split_fields
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.custom_options import OptionReader
from protoc_gen_crd.proto.element_model import Element, Enum, Field, Message
from protoc_gen_crd.schema.schema import INT_OR_STRING, PRESERVE, VALIDATIONS, Schema, ValidationRule
from protoc_gen_crd.settings.settings import Settings

_DURATION_RULE = ValidationRule("duration(self) >= duration('1ms')", "must be a valid duration greater than 1ms")
_DOUBLE: Mapping[str, Any] = {"type": "number", "format": "double"}

# Differences from default mode: float is a double, a duration has a rule, and other types are ordinary messages.
_SCALARS = {**SCALARS, "float": _DOUBLE}
_MESSAGES: Mapping[str, Mapping[str, Any]] = {
    name: well_known_types.MESSAGES[f"google.protobuf.{name}"]
    for name in ("Any", "Empty", "Struct", "Timestamp", "Value")
} | {
    "Duration": {"type": "string", VALIDATIONS: (_DURATION_RULE,)},
    "ListValue": {"items": Schema({"type": "object"})},
}
_WRAPPERS = {name: kind for name, kind in well_known_types.WRAPPERS.items() if kind != "bytes"}


class SchemaBuilder:
    """Builds the schema of each message once, for all messages of the targets, whether or not a CRD uses them."""

    def __init__(
        self,
        api: ApiSet,
        collector: MarkerCollector,
        settings: Settings,
        failures: FailureReporter,
        context: RunContext,
    ) -> None:
        self._api = api
        self._options = collector.options
        self._settings = settings
        self._failures = failures
        self._lines = LineApplier(failures, context)
        self._schemas: dict[str, Schema] = {}
        self.sizes = SchemaMeasurer(settings.node_limit, settings.byte_limit)
        self._stack: list[str] = []

    def get_schema(self, full_name: str, user: Field | None = None) -> Schema:
        """Return the schema of a message with its description. `user` is the field of this type, for findings."""
        schema = self._schemas.get(full_name)
        if schema is None:
            schema = self._schemas[full_name] = self._get_special_schema(full_name) or self._make(full_name, user)
        return schema

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
            self._failures.report(f'the type "{full_name}", which is not declared', place, path=path)
            return Schema({"type": "object"})
        self._stack.append(full_name)
        keywords: dict[str, Any] = {"type": "object"}
        if description := self._describe(message):
            keywords["description"] = description
        properties: dict[str, Schema] = {}
        for field in message.fields:
            self._add_property(field, properties)
        self._stack.pop()
        if properties:
            keywords["properties"] = properties
        required = [field.json_name for field in message.fields if field.options and self._is_required(field)]
        if required:
            keywords["required"] = required
        keywords |= self._build_oneofs(message)
        return self._check_size(self._lines.apply(Schema(keywords, message.at), message, "T"), message)

    def _check_size(self, schema: Schema, message: Message) -> Schema:
        excess = self.sizes.find_excess(schema)
        if not excess:
            return schema
        reason = f"a schema that is too large: {excess}"
        self._failures.report(reason, message.at, path=message.full_name, hint="raise node_limit or byte_limit")
        return Schema({"type": "object", PRESERVE: True})

    def _add_property(self, field: Field, properties: dict[str, Schema]) -> None:
        schema = self._lines.apply(self._build_field(field), field, "F")
        properties[field.json_name] = schema
        if ALT_NAME in field.comment:
            words = split_fields(get_comment(field).partition(ALT_NAME)[2])
            if words:
                properties[words[0]] = schema
            else:
                self._failures.report(f"{ALT_NAME} without a name", field.at, path=field.full_name)

    def _is_required(self, field: Field) -> bool:
        return "REQUIRED" in _list_behaviors(field, self._options)

    def _describe(self, element: Element) -> str:
        return extract_first_sentence(get_comment(element)) if self._settings.include_description else ""

    def _build_field(self, field: Field) -> Schema:
        """Build the schema of a field: its type, with the description from the comment of the field only."""
        entry = self._api.find_message(field.type_name) if field.kind == "message" else None
        if entry is not None and entry.is_map_entry:
            value = entry.fields[1].replace(at=field.at, full_name=field.full_name)  # the value has no place
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
        """Build the schema of a single value, and the suffix of the description."""
        if field.kind == "enum":
            return self._build_enum(field.type_name)
        if field.kind == "group":
            return Schema({}, field.at), ""
        if field.kind != "message":
            return Schema(_SCALARS[field.kind], field.at), ""
        name = field.type_name
        if name in self._stack and self._get_special_schema(name) is None:
            cycle = " -> ".join(part.rpartition(".")[2] for part in [*self._stack[self._stack.index(name) :], name])
            self._failures.report(f"a recursive message overflows its stack: {cycle}", field.at, path=field.full_name)
            return Schema({"type": "object", PRESERVE: True}), ""
        if len(self._stack) > DEPTH:
            reason = f"messages nested more than {DEPTH} deep"
            self._failures.report(reason, field.at, path=field.full_name)
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
        """Build the keywords of all oneofs, including those of `optional` fields of proto3."""
        optional = [field.json_name for field in message.fields if field.optional]
        if not (message.oneofs or optional):
            return {}
        json_names = {field.name: field.json_name for field in message.fields}
        groups = [[json_names[name] for name in oneof.fields] for oneof in message.oneofs]
        groups += [[name] for name in optional]
        choices = []
        for names in groups:
            branches = [Schema({"required": [name]}) for name in names]
            choices.append([Schema({"not": Schema({"anyOf": branches})}), *branches])
        if len(choices) == 1:
            return {"oneOf": choices[0]}
        return {"allOf": [Schema({"oneOf": branches}) for branches in choices]} if choices else {}


def _list_behaviors(field: Field, options: OptionReader) -> list[str]:
    """Return the google.api.field_behavior of a field by name; empty if the option is declared with another type."""
    name = "google.api.field_behavior"
    values = [option.value for option in options.read("FieldOptions", field.options) if option.name == name]
    return [name for value in values if isinstance(value, list) for name in value]


__all__ = ["VALIDATIONS", "SchemaBuilder"]
