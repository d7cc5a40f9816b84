"""Messages to schemas, each message of each version once. Markers are applied as the schemas are made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.build import kubernetes, wellknown
from protoc_gen_crd.build.channels import Channels
from protoc_gen_crd.build.context import RunContext
from protoc_gen_crd.build.describe import Descriptions
from protoc_gen_crd.build.editions import Editions
from protoc_gen_crd.build.longs import check_longs
from protoc_gen_crd.build.maps import map_schema
from protoc_gen_crd.build.oneofs import choice_keywords, choices, note_names
from protoc_gen_crd.build.presence import Presence, keeping_unset
from protoc_gen_crd.build.size import Sizes
from protoc_gen_crd.build.trail import Trail
from protoc_gen_crd.build.visible import Visible
from protoc_gen_crd.markers.apply import Applier
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.special import BUILDERS
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Enum, Field, Message
from protoc_gen_crd.schema.celnames import cel_name, selectable
from protoc_gen_crd.schema.types import DEPRECATED, DEPRECATED_VALUES, PRESERVE, TYPE, VALIDATIONS, Named, Rule, Schema
from protoc_gen_crd.settings import Settings


class MessageBuilder:
    """Makes the schema of any message or enum on demand. One builder serves one run."""

    def __init__(self, api: ApiSet, collector: Collector, settings: Settings, context: RunContext) -> None:
        self._api = api
        self._collector = collector
        self._settings = settings
        self._problems: Problems = context.problems
        self._context = context
        self._applier = Applier(context.problems, context)
        self._descriptions = Descriptions(collector, settings)
        self._rows = _rows(api, settings, context.problems) if settings.types else {}
        self._presence = Presence(api, collector, context.problems)
        self.sizes = Sizes(settings.node_limit, settings.byte_limit)
        self.editions = Editions(settings.release)
        self.channels = Channels(settings, collector, context, self.editions)
        self._visible = Visible(api, collector, self.editions, self.channels, self._rows)
        self._trail = Trail(api, context.problems)
        self._open: set[str] = set()

    def converts(self) -> None:
        """Note that a resource says something of its conversion."""
        self._context.converts = True

    def is_object(self, message: str) -> None:
        """Note a message that describes whole objects, whose rules may speak of what every object has."""
        self._context.is_object(message)

    def message(self, full_name: str, version: str) -> Schema:
        """The schema of a message as one API version sees it; the same object for versions that see the same."""
        self.editions.version = version
        return self._message(full_name)

    def _message(self, full_name: str) -> Schema:
        return self.editions.schema(full_name, lambda: self._special(full_name) or self._make(full_name))

    def _enum(self, full_name: str) -> Schema:
        return self.editions.schema(full_name, lambda: self._make_enum(full_name))

    def check(self, message: Message) -> None:
        """Read and apply the markers of a message that no resource may have used, and of its fields."""
        for field in message.fields:
            self._collector.marks(field)
        if not self.editions.has(message.full_name):
            self._trail.aside = True
            self._each(message.full_name, self._message)
            self._trail.aside = False

    def check_enum(self, full_name: str) -> None:
        """Read and apply the markers of an enum that no resource may have used."""
        if not self.editions.has(full_name):
            self._each(full_name, self._enum)

    def files(self) -> Iterable[str]:
        """The files of the messages that schemas have been made of."""
        made = map(self._api.message, self.editions.made())
        return sorted({message.file for message in made if message is not None})

    def _each(self, full_name: str, make: Callable[[str], Schema]) -> None:
        """Make what no kind uses, and so has no versions, for those that its ranges name."""
        self.editions.version = ""
        make(full_name)
        for version in self.editions.ends(full_name):
            self.editions.version = version
            make(full_name)

    def _special(self, full_name: str) -> Schema | None:
        given = self._rows.get(full_name)
        if given is not None:
            return self._descriptions.schema(given)
        row = wellknown.MESSAGES.get(full_name)
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
            self._trail.report_missing(full_name)
            return _unknown(self._trail.place)
        self._open.add(full_name)
        schema = self._object(message)
        self._open.discard(full_name)
        return self._bounded(schema, message)

    def _object(self, message: Message) -> Schema:
        keywords: dict[str, Any] = {"type": "object"}
        description = self._descriptions.of(message)
        if description:
            keywords["description"] = description
        marks = self._visible.markers(message)
        if not any(marker.option.name == "opaque" and marker.value for marker in marks):
            keywords |= self._members(message)
        schema = Schema(keywords, message.at, facts=self._facts(message, Named(message.full_name)))
        schema = kubernetes.overlaid(schema, message.full_name)
        return self._named(self._applier.apply(schema, self._descriptions.markers(marks, message)))

    def _facts(self, element: Message | Enum, named: Named) -> dict[str, Any]:
        """The facts of a type with a name."""
        deprecated = {DEPRECATED: True} if self._collector.deprecated(element) else {}
        return {TYPE: named, **deprecated}

    @staticmethod
    def _named(schema: Schema) -> Schema:
        """A type's schema, complete; one that was made opaque is of no type any more."""
        if schema.facts:
            schema.facts[TYPE].schema = schema
        return schema

    def _members(self, message: Message) -> dict[str, Any]:
        """The keywords that say which fields a message has, which of them must be there and which not together."""
        properties: dict[str, Schema] = {}
        names: dict[str, list[str]] = {}
        required: list[str] = []
        rules: list[Rule] = []
        absent: dict[str, str] = {}
        keywords: dict[str, Any] = {}
        inlined = kubernetes.inlined_field(message.full_name)
        for field in message.fields:
            names[field.name] = []
            if (only := self._visible.only(field)) is not None:
                absent[kubernetes.json_name(field)] = only
                continue
            if inlined and field.name == inlined and field.kind == "message" and not field.repeated:
                self._trail.enter(field)
                keywords = dict(self._typed(field, ()).keywords)
                self._trail.leave()
                keywords.pop("description", None)
                properties |= keywords.get("properties", {})
                continue
            own, known, must = self._property(field, properties)
            names[field.name] = known
            self._presence.check_default(
                field, own, properties[known[0]], several=len(known) > 1, stored=not self._trail.aside
            )
            if len(known) > 1:
                note_names(properties, known, required=must)
            if must:
                required.append(field.name)
            else:
                rules += self._kept(field, known, own) if own else ()
        if properties:
            keywords["properties"] = properties
        if absent:
            self._context.leave_out(properties, absent)
        always = [*keywords.get("required", ()), *(names[name][0] for name in required if len(names[name]) == 1)]
        if always:
            keywords["required"] = sorted(always)
        found = choices(message, names, required, self._collector, self._problems)
        keywords |= choice_keywords(list(found), self._settings.oneof)
        if rules:
            keywords[VALIDATIONS] = (*rules, *keywords.get(VALIDATIONS, ()))
        return keywords

    def _kept(self, field: Field, names: Sequence[str], markers: Sequence[Marker]) -> Iterator[Rule]:
        """The rules of the object that a field which is immutable is not taken away."""
        marker = next((marker for marker in markers if marker.option.name == "immutable" and marker.value), None)
        for name in names if marker else ():
            if selectable(name):
                known = cel_name(name)
                text = f"field {name} is immutable once set"
                yield Rule(f"!has(oldSelf.{known}) || has(self.{known})", text, origin=field.at)
            else:
                problem = f'"immutable" applies to fields that CEL can select, found "{name}"'
                self._problems.report("marker-field", problem, marker.at if marker else None, path=field.full_name)

    def _property(self, field: Field, properties: dict[str, Schema]) -> tuple[list[Marker], list[str], bool]:
        """Add a field under each of its names; gives its own markers, the names, and whether it is required."""
        markers = self._visible.markers(field)
        own = [marker for marker in markers if not marker.steps]
        self._trail.enter(field)
        schema = self._field(field, markers)
        self._trail.leave()
        if markers:
            kept = [marker for marker in markers if marker.option.name not in _ON_FIELDS]
            check_longs(field, kept, self._settings, self._problems)
            schema = self._applier.apply(schema, self._descriptions.markers(kept, field))
        schema = kubernetes.keyed(schema, field.full_name)
        names, must = _names(field, own), self._presence.required(field, own)
        schema = keeping_unset(schema, field, counted=must or len(names) > 1)
        for name in names:
            if name in properties:
                owner = field.full_name.rpartition(".")[0]
                problem = f'JSON names must be unique in a message, found "{name}" twice in "{owner}"'
                self._problems.report("field-repeated", problem, field.at, path=field.full_name)
            if name in (_MERGE, ""):
                problem = f'a JSON name must be a key of YAML, and not empty, found "{name}" in "{field.full_name}"'
                self._problems.report("field-name", problem, field.at, path=field.full_name)
            properties[name] = schema
        return own, names, must

    def _field(self, field: Field, markers: Sequence[Marker]) -> Schema:
        """The schema of a field before its markers: its type, with its own description and place."""
        schemaless = any(marker.option.name == "schemaless" and marker.value for marker in markers)
        typed = Schema({}) if schemaless else self._typed(field, markers)
        description = self._descriptions.of(field, typed)
        base = {**typed.keywords, "description": description} if description else typed.keywords
        made = Schema(base, field.at, typed.marks, typed.facts)
        described = self._visible.described(field)
        facts = self._visible.facts(field, described)
        if field.deprecated or (described is not None and self._collector.deprecated(described)):
            facts[DEPRECATED] = True
        return made.knowing(facts) if facts else made

    def _typed(self, field: Field, markers: Sequence[Marker]) -> Schema:
        opaque = [marker for marker in markers if marker.option.name == "opaque" and marker.value]
        entry = self._api.message(field.type_name) if field.kind == "message" else None
        if entry is not None and entry.map_entry:
            key, value = entry.fields
            values = self._value(value, "values", opaque)
            if values.origin is value.at:  # of the entry, which nobody wrote
                values = Schema(values.keywords, field.at, values.marks, values.facts)
            return map_schema(field, key.kind, values, markers, self._problems)
        element = self._value(field, "items" if field.repeated else "", opaque)
        return Schema({"type": "array", "items": element}) if field.repeated else element

    def _value(self, field: Field, step: str, opaque: Sequence[Marker]) -> Schema:
        """The schema of a field's value, or of each of its values if a step leads to them."""
        for marker in opaque:
            if field.kind not in ("message", "group") or marker.steps not in ((), (step,)):
                problem = f'"{marker.name}" applies to messages, lists and maps of them, found {field.kind}'
                self._problems.report("marker-type", problem, marker.at, path=marker.owner)
            else:
                described = self._api.message(field.type_name)
                description = self._descriptions.of(described) if described else ""
                return Schema({"description": description, **_OPAQUE} if description else _OPAQUE, marker.at)
        element = self._element(field)
        return element if element.origin else Schema(element.keywords, field.at, element.marks)

    def _element(self, field: Field) -> Schema:
        if field.kind == "enum":
            return self._enum(field.type_name)
        if field.kind in ("message", "group"):
            return self._nested(field)
        return Schema(self._scalar(field.kind), field.at)

    def _nested(self, field: Field) -> Schema:
        name = field.type_name
        if name in self._open and name not in wellknown.MESSAGES and name not in self._rows:
            self._trail.report_cycle(name)
            return _unknown(field.at)
        return _unknown(field.at) if self._trail.too_deep(field) else self._message(name)

    def _make_enum(self, full_name: str) -> Schema:
        if full_name in wellknown.ENUMS:
            return Schema(wellknown.ENUMS[full_name])
        enum = self._api.enum(full_name)
        if enum is None:
            self._trail.report_missing(full_name)
            return _unknown(self._trail.place)
        shown, hidden = self._visible.values(enum, self._problems)
        keywords: dict[str, Any] = {"type": "string", "enum": [value.name for value in shown]}
        deprecated = [value.name for value in shown if value.deprecated]
        members = {value.name: value.number for value in enum.values}
        facts = self._facts(enum, Named(full_name, partial(self._descriptions.of_values, shown), members, hidden))
        facts |= {DEPRECATED_VALUES: deprecated} if deprecated else {}
        facts |= self.channels.of_values(shown) | self._visible.value_facts(shown)
        description = self._descriptions.values(enum, facts)
        if description:
            keywords["description"] = description
        if self._settings.enum_as_int_or_string:
            del keywords["type"], keywords["enum"]
            keywords |= wellknown.EITHER
        marks = self._descriptions.markers(self._visible.markers(enum), enum)
        return self._named(self._applier.apply(Schema(keywords, enum.at, facts=facts), marks))

    def _bounded(self, schema: Schema, message: Message) -> Schema:
        excess = self.sizes.excess(schema)
        if not excess or self._trail.aside:
            return schema
        self._trail.report_size(excess, message)
        return _unknown(message.at)


_ON_FIELDS = BUILDERS | {"opaque"}  # read where the schema of a field is made, not applied to it afterwards
_MERGE = "<<"  # to YAML the key whose value is merged into the mapping
_OPAQUE = {"type": "object", PRESERVE: True}


def _names(field: Field, markers: Sequence[Marker]) -> list[str]:
    return [kubernetes.json_name(field), *(marker.value for marker in markers if marker.option.name == "alt_name")]


def _rows(api: ApiSet, settings: Settings, problems: Problems) -> dict[str, Schema]:
    from protoc_gen_crd.build.rows import settings_rows  # noqa: PLC0415 - few settings have rows

    return settings_rows(api, settings, problems)


def _unknown(place: Place | None) -> Schema:
    """What stands where a schema could not be made; there is a finding for each."""
    return Schema(_OPAQUE, place)
