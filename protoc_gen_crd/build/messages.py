"""Messages to schemas, each message of each version once. Markers are applied as the schemas are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.build import wellknown
from protoc_gen_crd.build.oneofs import oneof_keywords
from protoc_gen_crd.build.size import Sizes
from protoc_gen_crd.markers.apply import Applier
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.special import Context
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Element, Enum, Field, Message
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import PRESERVE, VALIDATIONS, Rule, Schema
from protoc_gen_crd.settings import Settings

_DEPTH = 400
_REQUIRED = "REQUIRED"
_BEHAVIOR = "google.api.field_behavior"
_KEYS = {  # proto type of a map key -> what the text of a key must match
    "int32": "^-?[0-9]+$",
    "int64": "^-?[0-9]+$",
    "sint32": "^-?[0-9]+$",
    "sint64": "^-?[0-9]+$",
    "sfixed32": "^-?[0-9]+$",
    "sfixed64": "^-?[0-9]+$",
    "uint32": "^[0-9]+$",
    "uint64": "^[0-9]+$",
    "fixed32": "^[0-9]+$",
    "fixed64": "^[0-9]+$",
}


class MessageBuilder:
    """Makes the schema of any message or enum on demand. One builder serves one run."""

    def __init__(self, api: ApiSet, collector: Collector, settings: Settings, context: Context) -> None:
        self._api = api
        self._collector = collector
        self._settings = settings
        self._problems: Problems = context.problems
        self._applier = Applier(context.problems, context)
        self._sizes = Sizes(settings.node_limit, settings.byte_limit)
        self._schemas: dict[str, Schema] = {}
        self._enums: dict[str, Schema] = {}
        self._trail: list[tuple[str, Field]] = []  # the fields that lead to the message being made
        self._open: set[str] = set()
        self._broken: set[str] = set()
        self._unused = False  # what is made is not part of any CRD: it may be recursive or large

    def message(self, full_name: str, version: str) -> Schema:  # noqa: ARG002 - fields per version build on this
        """The schema of a message as one API version sees it."""
        known = self._schemas.get(full_name)
        if known is None:
            known = self._special(full_name) or self._make(full_name)
            self._schemas[full_name] = known
        return known

    def enum(self, full_name: str) -> Schema:
        """The schema of an enum: its values by name."""
        known = self._enums.get(full_name)
        if known is None:
            known = self._enums[full_name] = self._make_enum(full_name)
        return known

    def check(self, message: Message) -> None:
        """Read and apply the markers of a message that no resource may have used."""
        if message.full_name not in self._schemas:
            self._unused = True
            self.message(message.full_name, "")
            self._unused = False

    def _special(self, full_name: str) -> Schema | None:
        row: Mapping[str, Any] | None = self._settings.types.get(full_name) or wellknown.MESSAGES.get(full_name)
        if row is None and (kind := wellknown.WRAPPERS.get(full_name)) is not None:
            row = {**self._scalar(kind), "nullable": True}
        return None if row is None else Schema(row)

    def _scalar(self, kind: str) -> Mapping[str, Any]:
        if kind in wellknown.LONG and self._settings.int64_as == "int-or-string":
            return wellknown.EITHER
        return wellknown.SCALARS[kind]

    def _make(self, full_name: str) -> Schema:
        message = self._api.message(full_name)
        if message is None:
            place = self._trail[-1][1].at if self._trail else None
            self._problems.report(
                "type-missing", f'a type must be declared, "{full_name}" is not', place, path=full_name
            )
            return _unknown(place)
        self._open.add(full_name)
        schema = self._object(message)
        self._open.discard(full_name)
        return self._bounded(schema, message)

    def _object(self, message: Message) -> Schema:
        keywords: dict[str, Any] = {"type": "object"}
        description = self._describe(message)
        if description:
            keywords["description"] = description
        properties: dict[str, Schema] = {}
        required: list[str] = []
        rules: list[Rule] = []
        for field in message.fields:
            self._property(message, field, properties, required, rules)
        if properties:
            keywords["properties"] = properties
        if required:
            keywords["required"] = sorted(required)
        keywords |= oneof_keywords(message, self._settings.oneof, self._collector, rules)
        if rules:
            keywords[VALIDATIONS] = tuple(rules)
        schema = self._overlaid(Schema(keywords, message.at), message.full_name)
        return self._applier.apply(schema, self._collector.marks(message).schema)

    def _overlaid(self, schema: Schema, full_name: str) -> Schema:
        overlay = wellknown.OVERLAYS.get(full_name)
        if overlay is None:
            return schema
        properties = {name: child.having(overlay.get(name, {})) for name, child in schema.properties.items()}
        return schema.having({**overlay.get("", {}), "properties": properties})

    def _property(
        self, message: Message, field: Field, properties: dict[str, Schema], required: list[str], rules: list[Rule]
    ) -> None:
        markers = self._collector.marks(field).schema
        own = [marker for marker in markers if not marker.steps]
        self._trail.append((message.full_name, field))
        schema = self._field(field, own)
        self._trail.pop()
        schema = self._applier.apply(schema, [marker for marker in markers if marker.option.name not in _PARENT])
        must = self._required(field, own)
        for name in self._names(field, own):
            if name in properties:
                problem = f'JSON names must be unique in a message, found "{name}" twice in "{message.full_name}"'
                self._problems.report("field-repeated", problem, field.at, path=field.full_name)
            properties[name] = schema
        if must:
            required.append(field.json_name)
        elif any(marker.option.name == "immutable" and marker.value for marker in own):
            name = cel_name(field.json_name)
            text = f"field {field.json_name} is immutable once set"
            rules.append(Rule(f"!has(oldSelf.{name}) || has(self.{name})", text, origin=field.at))

    @staticmethod
    def _names(field: Field, markers: list[Marker]) -> list[str]:
        return [field.json_name, *(m.value for m in markers if m.option.name == "alt_name")]

    def _required(self, field: Field, markers: list[Marker]) -> bool:
        """Whether the object must have the field: its own word, else its label or behavior, else its package's."""
        said = [marker for marker in markers if marker.option.name == "required"]
        behavior = _REQUIRED in self._behavior(field)
        for marker in said:
            if marker.value != said[0].value or (behavior and not marker.value):
                other = "field_behavior REQUIRED" if behavior else said[0].text
                self._problems.report(
                    "marker-contradiction",
                    f"a field must be either required or optional, found {marker.text} and {other}",
                    marker.at,
                    path=field.full_name,
                )
        if said:
            return bool(said[0].value)
        return behavior or field.required or self._package_requires(field)

    def _behavior(self, field: Field) -> list[str]:
        for option in self._collector.options.read("FieldOptions", field.options):
            if option.name == _BEHAVIOR:
                return list(option.value)
        return []

    def _package_requires(self, field: Field) -> bool:
        file = self._api.file(field.at.source.file)
        said = [m.values["fields_required"] for m in self._collector.package(file) if "fields_required" in m.values]
        return bool(said) and bool(said[-1]) and field.oneof < 0

    def _field(self, field: Field, markers: list[Marker]) -> Schema:
        """The schema of a field before its markers: its type, with its own description and place."""
        names = {marker.option.name for marker in markers if marker.value}
        description = self._describe(field)
        if "schemaless" in names or "opaque" in names:
            base: dict[str, Any] = {}
        else:
            schema = self._typed(field)
            base = dict(schema.keywords)
        if description:
            base["description"] = description
        return Schema(base, field.at)

    def _typed(self, field: Field) -> Schema:
        if field.kind in ("message", "group"):
            entry = self._api.message(field.type_name)
            if entry is not None and entry.map_entry:
                return self._map(entry, field)
        element = self._element(field)
        return Schema({"type": "array", "items": element}) if field.repeated else element

    def _element(self, field: Field) -> Schema:
        if field.kind == "enum":
            return self.enum(field.type_name)
        if field.kind in ("message", "group"):
            return self._nested(field)
        return Schema(self._scalar(field.kind), field.at)

    def _nested(self, field: Field) -> Schema:
        name = field.type_name
        if name in self._open and name not in wellknown.MESSAGES and name not in self._settings.types:
            self._recursion(name)
            return _unknown(field.at)
        if len(self._trail) > _DEPTH:
            self._problems.report(
                "schema-depth",
                f"messages must not be nested more than {_DEPTH} deep, found {self._path()}",
                field.at,
                path=field.full_name,
            )
            return _unknown(field.at)
        return self.message(name, "")

    def _recursion(self, name: str) -> None:
        """Report a cycle once, spelled out field by field."""
        start = next(index for index, (owner, _) in enumerate(self._trail) if owner == name)
        cycle = self._trail[start:]
        closing = cycle[-1][1]
        if closing.full_name in self._broken or self._unused:
            return
        self._broken.add(closing.full_name)
        shown = " -> ".join(f"{owner.rpartition('.')[2]}.{field.name}" for owner, field in cycle)
        self._problems.report(
            "schema-recursive",
            f"a schema must be finite, found a message that holds itself: {shown} -> {name.rpartition('.')[2]}",
            closing.at,
            path=closing.full_name,
            hint="mark one field of the cycle +protoc-gen-crd:opaque: it becomes an object that is not described",
        )

    def _map(self, entry: Message, field: Field) -> Schema:
        key, value = entry.fields
        values = self._element(value)
        if key.kind == "bool":
            return Schema({"type": "object", "properties": {"false": values, "true": values}}, field.at)
        keywords: dict[str, Any] = {"type": "object", "additionalProperties": values}
        if key.kind in _KEYS:
            self._check_keys(key.kind, field, keywords)
        return Schema(keywords, field.at)

    def _check_keys(self, kind: str, field: Field, keywords: dict[str, Any]) -> None:
        """Integer keys are texts in JSON. A rule on them is affordable where the number of entries is bounded."""
        bounded = any(m.option.name == "max_properties" and not m.steps for m in self._collector.marks(field).schema)
        if bounded:
            rule = Rule(f"self.all(key, key.matches('{_KEYS[kind]}'))", f"keys must be of type {kind}", origin=field.at)
            keywords[VALIDATIONS] = (rule,)
        else:
            self._problems.report(
                "map-keys",
                f"a map with {kind} keys must be bounded for its keys to be checked, found no max_properties",
                field.at,
                path=field.full_name,
                hint="mark the field +protoc-gen-crd:max_properties=<number>",
            )

    def _make_enum(self, full_name: str) -> Schema:
        if full_name in wellknown.ENUMS:
            return Schema(wellknown.ENUMS[full_name])
        enum = self._api.enum(full_name)
        if enum is None:
            place = self._trail[-1][1].at if self._trail else None
            self._problems.report(
                "type-missing", f'a type must be declared, "{full_name}" is not', place, path=full_name
            )
            return _unknown(place)
        keywords: dict[str, Any] = {"type": "string", "enum": self._enum_values(enum)}
        description = self._describe(enum)
        if description:
            keywords["description"] = description
        if self._settings.enum_as_int_or_string:
            del keywords["type"], keywords["enum"]
            keywords |= wellknown.EITHER
        return self._applier.apply(Schema(keywords, enum.at), self._collector.marks(enum).schema)

    def _enum_values(self, enum: Enum) -> list[str]:
        hidden = {
            value.name
            for value in enum.values
            if any(members.values.get("hidden") for members in self._collector.marks(value).members)
        }
        return [value.name for value in enum.values if value.name not in hidden]

    def _describe(self, element: Element) -> str:
        if not self._settings.include_description or not element.comment:
            return ""
        text = self._collector.comment(element).description
        limit = self._settings.max_description_length
        return text if limit is None or len(text) <= limit else cut(text, limit)

    def _bounded(self, schema: Schema, message: Message) -> Schema:
        excess = self._sizes.excess(schema)
        if not excess or self._unused:
            return schema
        where = self._path() or message.full_name
        self._problems.report(
            "schema-size",
            f"a schema must have {excess} at {where}",
            message.at,
            path=message.full_name,
            hint="mark a field of the way +protoc-gen-crd:opaque, or raise node_limit or byte_limit",
        )
        return _unknown(message.at)

    def _path(self) -> str:
        return " -> ".join(f"{owner.rpartition('.')[2]}.{field.name}" for owner, field in self._trail)


_PARENT = frozenset(["required", "alt_name", "schemaless"])


def _unknown(place: Place | None) -> Schema:
    """What stands where a schema could not be made; there is a finding for each."""
    return Schema({"type": "object", PRESERVE: True}, place)


def cut(text: str, limit: int) -> str:
    """A description of at most `limit` characters that ends at a sentence where it can, as controller-gen cuts it."""
    if limit == 0:
        return ""
    head = text[:limit]
    end = max(head.rfind(". "), head.rfind(".\n"))
    return head[: end + 1] if end > 0 else head


__all__ = ["MessageBuilder", "cut"]
