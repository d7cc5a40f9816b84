"""Messages to schemas as the Go plugin makes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.build import wellknown
from protoc_gen_crd.build.context import RunContext
from protoc_gen_crd.build.istio.describe import comment_of, first_sentence, valid_options
from protoc_gen_crd.build.istio.gotexts import fields
from protoc_gen_crd.build.istio.lines import ALT_NAME, LineApplier
from protoc_gen_crd.build.istio.refuse import Refusals
from protoc_gen_crd.build.size import DEPTH, Sizes
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Element, Enum, Field, Message
from protoc_gen_crd.proto.options import OptionReader
from protoc_gen_crd.schema.types import INT_OR_STRING, PRESERVE, VALIDATIONS, Rule, Schema
from protoc_gen_crd.settings import Settings

_DURATION_RULE = Rule("duration(self) >= duration('1ms')", "must be a valid duration greater than 1ms")
_DOUBLE: Mapping[str, Any] = {"type": "number", "format": "double"}

# What differs from default mode: float is a double, a duration has a rule, and other types are not special at all.
_SCALARS = {**wellknown.SCALARS, "float": _DOUBLE}
_MESSAGES: Mapping[str, Mapping[str, Any]] = {
    name: wellknown.MESSAGES[f"google.protobuf.{name}"] for name in ("Any", "Empty", "Struct", "Timestamp", "Value")
} | {
    "Duration": {"type": "string", VALIDATIONS: (_DURATION_RULE,)},
    "ListValue": {"items": Schema({"type": "object"})},
}
_WRAPPERS = {name: kind for name, kind in wellknown.WRAPPERS.items() if kind != "bytes"}


class SchemaBuilder:
    """Makes each message's schema once. All messages of the targets are made, used by a CRD or not."""

    def __init__(
        self, api: ApiSet, collector: Collector, settings: Settings, refusals: Refusals, context: RunContext
    ) -> None:
        self._api = api
        self._options = collector.options
        self._settings = settings
        self._refusals = refusals
        self._lines = LineApplier(refusals, context)
        self._schemas: dict[str, Schema] = {}
        self.sizes = Sizes(settings.node_limit, settings.byte_limit)
        self._trail: list[str] = []

    def message(self, full_name: str, user: Field | None = None) -> Schema:
        """The schema of a message, its own description included; `user` is the field that has it for a type."""
        known = self._schemas.get(full_name)
        if known is None:
            known = self._schemas[full_name] = self._special(full_name) or self._make(full_name, user)
        return known

    @staticmethod
    def _special(full_name: str) -> Schema | None:
        row = (
            _MESSAGES.get(full_name.removeprefix("google.protobuf."))
            if full_name.startswith("google.protobuf.")
            else None
        )
        if row is None and (kind := _WRAPPERS.get(full_name)) is not None:
            row = {**_SCALARS[kind], "nullable": True}
        return None if row is None else Schema(row)

    def _make(self, full_name: str, user: Field | None) -> Schema:
        message = self._api.message(full_name)
        if message is None:
            place, path = (user.at, user.full_name) if user else (None, "")
            self._refusals.add(f'the type "{full_name}", which is not declared', place, path=path)
            return Schema({"type": "object"})
        self._trail.append(full_name)
        keywords: dict[str, Any] = {"type": "object"}
        if description := self._describe(message):
            keywords["description"] = description
        properties: dict[str, Schema] = {}
        for field in message.fields:
            self._property(field, properties)
        self._trail.pop()
        if properties:
            keywords["properties"] = properties
        required = [field.json_name for field in message.fields if self._required(field)]
        if required:
            keywords["required"] = required
        keywords |= self._oneofs(message)
        return self._bounded(self._lines.apply(Schema(keywords, message.at), message, "T"), message)

    def _bounded(self, schema: Schema, message: Message) -> Schema:
        excess = self.sizes.excess(schema)
        if not excess:
            return schema
        reason = f"a schema that exhausts its memory or ours, which must have {excess}"
        self._refusals.add(reason, message.at, path=message.full_name, hint="node_limit and byte_limit set the limits")
        return Schema({"type": "object", PRESERVE: True})

    def _property(self, field: Field, properties: dict[str, Schema]) -> None:
        schema = self._lines.apply(self._field(field), field, "F")
        properties[field.json_name] = schema
        comment = comment_of(field)
        if ALT_NAME in comment:
            words = fields(comment.partition(ALT_NAME)[2])
            if words:
                properties[words[0]] = schema
            else:
                self._refusals.add(f"{ALT_NAME} without a name", field.at, path=field.full_name)

    def _required(self, field: Field) -> bool:
        return "REQUIRED" in _behaviors(field, self._options)

    def _describe(self, element: Element) -> str:
        return first_sentence(comment_of(element)) if self._settings.include_description else ""

    def _field(self, field: Field) -> Schema:
        """A field's schema: its type, described by its own comment alone."""
        entry = self._api.message(field.type_name) if field.kind == "message" else None
        if entry is not None and entry.map_entry:
            value = entry.fields[1].replace(at=field.at, full_name=field.full_name)  # it has no place of its own
            schema = Schema({"type": "object", "additionalProperties": self._field(value)})
            return self._described(schema, field, "")
        schema, suffix = self._element(field)
        if field.repeated:
            schema = Schema({"type": "array", "items": self._bare(schema)})
        return self._described(schema, field, suffix)

    @staticmethod
    def _bare(schema: Schema) -> Schema:
        return schema.having({"description": None}) if "description" in schema else schema

    def _described(self, schema: Schema, field: Field, suffix: str) -> Schema:
        description = self._describe(field) + suffix
        keywords = dict(schema.keywords)
        if description:
            keywords["description"] = description
        else:
            keywords.pop("description", None)
        return Schema(keywords, field.at)

    def _element(self, field: Field) -> tuple[Schema, str]:
        """The schema of one value, and what goes behind the description."""
        if field.kind == "enum":
            return self._enum(field.type_name)
        if field.kind == "group":
            return Schema({}, field.at), ""
        if field.kind != "message":
            return Schema(_SCALARS[field.kind], field.at), ""
        name = field.type_name
        if name in self._trail and self._special(name) is None:
            cycle = " -> ".join(part.rpartition(".")[2] for part in [*self._trail[self._trail.index(name) :], name])
            self._refusals.add(
                f"a message that holds itself, on which it overflows its stack: {cycle}", field.at, path=field.full_name
            )
            return Schema({"type": "object", PRESERVE: True}), ""
        if len(self._trail) > DEPTH:
            reason = (
                f"a schema that exhausts its memory or ours, which must have at most {DEPTH} messages in each other"
            )
            self._refusals.add(reason, field.at, path=field.full_name)
            return Schema({"type": "object", PRESERVE: True}), ""
        return self.message(name, field), ""

    def _enum(self, full_name: str) -> tuple[Schema, str]:
        enum: Enum | None = self._api.enum(full_name)
        names = [value.name for value in enum.values] if enum else []
        if self._settings.enum_as_int_or_string:
            return Schema({"type": "string", INT_OR_STRING: True}), valid_options(names)
        return Schema({"type": "string", "enum": names}), valid_options(names)

    @staticmethod
    def _oneofs(message: Message) -> dict[str, Any]:
        """Every oneof, and that of each `optional` field of proto3, which protoc lets pass in imported files."""
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


def _behaviors(field: Field, options: OptionReader) -> list[str]:
    """A field's google.api.field_behavior by name; nothing where a file declares another option of that name."""
    if not field.options:
        return []
    name = "google.api.field_behavior"
    found = [option.value for option in options.read("FieldOptions", field.options) if option.name == name]
    return [name for value in found if isinstance(value, list) for name in value]


__all__ = ["VALIDATIONS", "SchemaBuilder"]
