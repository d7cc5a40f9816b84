"""Builder of schemas from messages and enums, with their markers. Versions share equal schemas."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.base.escapes import control_fault
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.generation import kubernetes_messages, well_known_types
from protoc_gen_crd.generation.channel_filter import ChannelFilter
from protoc_gen_crd.generation.descriptions import DescriptionBuilder, describe_values
from protoc_gen_crd.generation.element_filter import ElementFilter
from protoc_gen_crd.generation.map_schemas import build_map_schema
from protoc_gen_crd.generation.message_stack import MessageStack
from protoc_gen_crd.generation.oneofs import collect_choices, make_choice_keywords, note_names
from protoc_gen_crd.generation.plural_fields import make_plural_rules
from protoc_gen_crd.generation.required_fields_and_defaults import FieldPresence, drop_null, drop_null_items
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.generation.scalar_types import INT_OR_STRING_KEYWORDS, SCALARS, get_scalar_keywords
from protoc_gen_crd.generation.schema_size import SchemaMeasurer
from protoc_gen_crd.generation.version_cache import VersionCache
from protoc_gen_crd.markers.marker import ElementMarkers, Marker
from protoc_gen_crd.markers.marker_applier import MarkerApplier
from protoc_gen_crd.markers.marker_behavior import BUILDERS
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Enum, Field, Message
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable
from protoc_gen_crd.schema.schema import (
    DEPRECATED,
    DEPRECATED_VALUES,
    FIELD,
    PRESERVE,
    TYPE,
    VALIDATIONS,
    FieldOrigin,
    NamedType,
    Schema,
    ValidationRule,
)
from protoc_gen_crd.settings.settings import Settings


class MessageBuilder:
    """Builds the schemas of messages and enums on demand. There is one builder for a run."""

    def __init__(self, api: ApiSet, collector: MarkerCollector, settings: Settings, context: RunContext) -> None:
        self._api = api
        self._collector = collector
        self._settings = settings
        self._problems: Problems = context.problems
        self._context = context
        self._applier = MarkerApplier(context.problems, context)
        self._descriptions = DescriptionBuilder(collector, settings)
        self._custom_types = _load_custom_types(api, settings, context.problems) if settings.types else {}
        self.sizes = SchemaMeasurer(settings.node_limit, settings.byte_limit)
        self.version_cache = VersionCache(settings.release)
        self.channel_filter = ChannelFilter(settings, collector, context, self.version_cache)
        self._element_filter = ElementFilter(
            api, collector, self.version_cache, self.channel_filter, self._custom_types
        )
        self._presence = FieldPresence(api, collector, self._element_filter.is_skipped, context.problems)
        self._stack = MessageStack(api, context.problems)
        self._open: set[str] = set()
        self._unversioned: dict[str, FieldProperty] = {}

    def list_fields(self, message: Message) -> list[Field]:
        """Return the fields of a message that are not skipped."""
        return [field for field in message.fields if not self._element_filter.is_skipped(field)]

    def note_conversion(self) -> None:
        """Record that a resource declares conversions."""
        self._context.converts = True

    def add_object_message(self, message: str) -> None:
        """Record a message of shape OBJECT, whose rules can select apiVersion, kind, and metadata."""
        self._context.add_object_message(message)

    def get_schema(self, full_name: str, version: str) -> Schema:
        """Return the schema of a message in an API version. Versions with equal schemas get the same object."""
        self.version_cache.version = version
        return self._get_message_schema(full_name)

    def _get_message_schema(self, full_name: str) -> Schema:
        return self.version_cache.get_schema(
            full_name, lambda: self._get_special_schema(full_name) or self._make_message(full_name)
        )

    def _get_enum_schema(self, full_name: str) -> Schema:
        return self.version_cache.get_schema(full_name, lambda: self._make_enum(full_name))

    def check_message(self, message: Message) -> None:
        """Read and apply the markers of a message and of its fields, even if no resource uses it."""
        for field in message.fields:
            self._collector.collect(field)
        if not self.version_cache.has_schema(message.full_name):
            self._stack.is_unused = True
            self._make_for_versions(message.full_name, self._get_message_schema)
            self._stack.is_unused = False

    def check_enum(self, full_name: str) -> None:
        """Read and apply the markers of an enum, even if no resource uses it."""
        if not self.version_cache.has_schema(full_name):
            self._make_for_versions(full_name, self._get_enum_schema)

    def list_files(self) -> Iterable[str]:
        """Return the files of the messages whose schemas have been built."""
        messages = map(self._api.find_message, self.version_cache.list_schema_names())
        return sorted({message.file for message in messages if message is not None})

    def _make_for_versions(self, full_name: str, make: Callable[[str], Schema]) -> None:
        """Build the schema of a type that no kind uses, for no version and for the versions that its ranges name."""
        self.version_cache.version = ""
        make(full_name)
        for version in self.version_cache.list_range_ends(full_name):
            self.version_cache.version = version
            make(full_name)

    def _get_special_schema(self, full_name: str) -> Schema | None:
        custom = self._custom_types.get(full_name)
        if custom is not None:
            return self._descriptions.rewrite_schema(custom)
        if full_name == well_known_types.OBJECT_META and self._settings.embedded_object_meta:
            return Schema(well_known_types.EMBEDDED_OBJECT_META)
        row = well_known_types.MESSAGES.get(full_name)
        if row is None and (kind := well_known_types.WRAPPERS.get(full_name)) is not None:
            row = {**get_scalar_keywords(kind, self._settings), "nullable": True}
        return None if row is None else Schema(row)

    def _make_message(self, full_name: str) -> Schema:
        message = self._api.find_message(full_name)
        if message is None:
            self._stack.report_missing(full_name)
            return _make_unknown_schema(self._stack.place)
        self._open.add(full_name)
        schema = self._make_object(message)
        self._open.discard(full_name)
        return self._check_size(schema, message)

    def _make_object(self, message: Message) -> Schema:
        keywords: dict[str, Any] = {"type": "object"}
        description = self._descriptions.describe_element(message)
        if description:
            keywords["description"] = description
        markers = self._element_filter.select_markers(self._collector.collect(message))
        if not any(marker.option.name == "opaque" and marker.value for marker in markers):
            keywords |= self._make_members(message)
        schema = Schema(keywords, message.at, facts=self._get_facts(message, NamedType(message.full_name)))
        schema = kubernetes_messages.apply_overlay(schema, message.full_name)
        return self._register_type(self._applier.apply(schema, self._descriptions.rewrite_markers(markers, message)))

    def _get_facts(self, element: Message | Enum, named: NamedType) -> dict[str, Any]:
        """Return the facts of a message or enum."""
        deprecated = {DEPRECATED: True} if self._collector.is_deprecated(element) else {}
        return {TYPE: named, **deprecated}

    @staticmethod
    def _register_type(schema: Schema) -> Schema:
        """Set the complete schema of a named type. An opaque schema has no type anymore."""
        if schema.facts:
            schema.facts[TYPE].set_schema(schema)
        return schema

    def _make_members(self, message: Message) -> dict[str, Any]:
        """Build the keywords for the fields of a message: properties, required fields, oneofs, and immutability."""
        properties = self._make_type_meta(message)
        names: dict[str, list[str]] = {}
        required: list[str] = []
        rules: list[ValidationRule] = []
        absent: dict[str, str] = {}
        keywords: dict[str, Any] = {}
        inlined = kubernetes_messages.get_inlined_field(message.full_name)
        for field in message.fields:
            names[field.name] = []
            element_markers = self._collector.collect(field)
            if (where := self._element_filter.find_other_location(field, element_markers)) is not None:
                absent[kubernetes_messages.get_json_name(field)] = where
                continue
            if inlined and field.name == inlined and field.kind == "message" and not field.repeated:
                keywords = self._make_inlined(field)
                properties |= keywords.get("properties", {})
                continue
            markers, json_names, is_required = self._add_property(field, element_markers, properties)
            names[field.name] = json_names
            self._presence.check_default(
                field, markers, properties[json_names[0]], several=len(json_names) > 1, stored=not self._stack.is_unused
            )
            if len(json_names) > 1:
                note_names(properties, json_names, required=is_required)
            if is_required:
                required.append(field.name)
            else:
                rules += self._make_immutability_rules(field, json_names, markers) if markers else ()
        rules += make_plural_rules(properties, absent, self._problems)
        if properties:
            keywords["properties"] = properties
        if absent:
            self._context.omit_properties(properties, absent)
        always = [*keywords.get("required", ()), *(names[name][0] for name in required if len(names[name]) == 1)]
        if always:
            keywords["required"] = sorted(always)
        choices = collect_choices(message, names, required, self._collector, self._problems)
        keywords |= make_choice_keywords(list(choices), self._settings.oneof)
        if rules:
            keywords[VALIDATIONS] = (*rules, *keywords.get(VALIDATIONS, ()))
        return keywords

    def _make_inlined(self, field: Field) -> dict[str, Any]:
        """Return the keywords of a field that is inlined into its message, without the description of its type."""
        self._stack.push(field)
        keywords = dict(self._make_field_type(field, ()).keywords)
        self._stack.pop()
        keywords.pop("description", None)
        return keywords

    def _make_type_meta(self, message: Message) -> dict[str, Schema]:
        """Return the properties apiVersion and kind, if the message is a Kubernetes object."""
        if not kubernetes_messages.has_type_meta(message):
            return {}
        if self._api.find_message(kubernetes_messages.TYPE_META) is None:
            return dict.fromkeys(("apiVersion", "kind"), Schema(SCALARS["string"], message.at))
        return dict(self._get_message_schema(kubernetes_messages.TYPE_META).properties)

    def _make_immutability_rules(
        self, field: Field, names: Sequence[str], markers: Sequence[Marker]
    ) -> Iterator[ValidationRule]:
        """Yield the rules of the object that an immutable field is not removed."""
        marker = next((marker for marker in markers if marker.option.name == "immutable" and marker.value), None)
        if marker is None:
            return
        for name in names:
            if is_selectable(name):
                cel_name = escape_cel_name(name)
                message, rule = (
                    f"field {name} is immutable once set",
                    f"!has(oldSelf.{cel_name}) || has(self.{cel_name})",
                )
                yield ValidationRule(rule, message, origin=field.at, option=marker.foreign_option)
            else:
                problem = f'"immutable" is set on field "{name}", which CEL cannot select'
                self._problems.report("marker-field", problem, marker.at, path=field.full_name)

    def _add_property(
        self, field: Field, element_markers: ElementMarkers, properties: dict[str, Schema]
    ) -> tuple[list[Marker], list[str], bool]:
        """Add a field under each of its names. Return its own markers, its names, and whether it is required."""
        markers, schema, names, is_required = self._get_property(field, element_markers)
        for name in names:
            if name in properties:
                owner = field.full_name.rpartition(".")[0]
                problem = f'duplicate JSON name "{name}" in message "{owner}"'
                self._report_name("field-repeated", problem, field, name)
            if name in (_MERGE, ""):
                reason = "the merge key of YAML" if name else "empty"
                problem = f'JSON name "{name}" of "{field.full_name}" is {reason}'
                self._report_name("field-name", problem, field, name)
            elif problem := control_fault("the JSON name", name):
                self._report_name("name-control", problem, field, name)
            properties[name] = schema
        return markers, names, is_required

    def _report_name(self, rule: str, problem: str, field: Field, name: str) -> None:
        """Report a JSON name at the override that sets it, or else at the field."""
        message = self._api.find_message(field.full_name.rpartition(".")[0])
        at = self._collector.find_json_name_place(message.fields if message else (), name)
        self._problems.report(rule, problem, at or field.at, path=field.full_name)

    def _get_property(self, field: Field, element_markers: ElementMarkers) -> FieldProperty:
        """Return a field in the current version. A field without markers and type is the same in all versions.

        Shortcut unversioned-fields: a scalar field without markers has no range and no type with ranges.
        """
        if field.type_name or element_markers.schema:
            return self._make_property(field, element_markers)
        property_ = self._unversioned.get(field.full_name)
        if property_ is None:
            property_ = self._unversioned[field.full_name] = self._make_property(field, element_markers)
        return property_

    def _make_property(self, field: Field, element_markers: ElementMarkers) -> FieldProperty:
        markers = self._element_filter.select_markers(element_markers)
        field_markers = [marker for marker in markers if not marker.steps] if markers else markers
        self._stack.push(field)
        schema = self._make_field(field, element_markers, markers)
        self._stack.pop()
        names = [kubernetes_messages.get_json_name(field)]
        if markers:
            schema = self._apply_markers(schema, field, markers)
            names += [marker.value for marker in field_markers if marker.option.name == "alt_name"]
        schema = kubernetes_messages.apply_field_overlay(schema, field.full_name)
        is_required = self._presence.is_required(field, field_markers)
        return field_markers, drop_null(schema, field, counted=is_required or len(names) > 1), names, is_required

    def _apply_markers(self, schema: Schema, field: Field, markers: Sequence[Marker]) -> Schema:
        """Return the schema of a field with its markers, except those that are read when the schema is built."""
        applied = [marker for marker in markers if marker.option.name not in _ON_FIELDS]
        if self._settings.int64_as == "int-or-string":
            _check_int64_strings(field, applied, self._problems)
        schema = self._applier.apply(schema, self._descriptions.rewrite_markers(applied, field))
        foreign = [marker for marker in applied if marker.foreign]
        if not foreign:
            return schema
        from protoc_gen_crd.generation.rejected_foreign_defaults import drop_rejected_default  # noqa: PLC0415 - few fields have any

        return drop_null_items(drop_rejected_default(schema, foreign, self._problems), foreign)

    def _make_field(self, field: Field, element_markers: ElementMarkers, markers: Sequence[Marker]) -> Schema:
        """Build the schema of a field without its markers: its type, with the description and place of the field."""
        typed = self._make_field_type(field, markers)
        description = self._descriptions.describe_element(field, typed)
        base = {**typed.keywords, "description": description} if description else typed.keywords
        described_type = self._element_filter.get_described_type(field)
        facts = self._element_filter.get_facts(element_markers, described_type)
        if self._collector.is_deprecated(field) or (
            described_type is not None and self._collector.is_deprecated(described_type)
        ):
            facts[DEPRECATED] = True
        facts[FIELD] = FieldOrigin(field.full_name, field.number)
        return Schema(base, field.at, typed.marks, {**typed.facts, **facts} if typed.facts else facts)

    def _make_field_type(self, field: Field, markers: Sequence[Marker]) -> Schema:
        """Build the schema of the type of a field."""
        if markers and any(marker.option.name == "schemaless" and marker.value for marker in markers):
            return Schema({})
        opaque = [marker for marker in markers if marker.option.name == "opaque" and marker.value] if markers else ()
        entry = self._api.find_message(field.type_name) if field.kind == "message" else None
        if entry is not None and entry.is_map_entry:
            key, value = entry.fields
            values = self._make_value(value, "values", opaque)
            if values.origin is value.at:  # the place in the map entry, which is not in the source
                values = Schema(values.keywords, field.at, values.marks, values.facts)
            schema = build_map_schema(field, key.kind, values, markers, self._problems)
            self._context.has_key_rules |= bool(schema.rules)
            return schema
        element = self._make_value(field, "items" if field.repeated else "", opaque)
        return Schema({"type": "array", "items": element}) if field.repeated else element

    def _make_value(self, field: Field, step: str, opaque: Sequence[Marker]) -> Schema:
        """Build the schema of a single value of a field. `step` is `items`, `values`, or empty for the field itself."""
        for marker in opaque:
            if field.kind not in ("message", "group") or marker.steps not in ((), (step,)):
                problem = f'"{marker.name}" applies to messages and to lists and maps of them, not to {field.kind}'
                self._problems.report("marker-type", problem, marker.at, path=marker.owner)
            else:
                message = self._api.find_message(field.type_name)
                description = self._descriptions.describe_element(message) if message else ""
                return Schema({"description": description, **_OPAQUE} if description else _OPAQUE, marker.at)
        element = self._make_element(field)
        return element if element.origin else Schema(element.keywords, field.at, element.marks)

    def _make_element(self, field: Field) -> Schema:
        if field.kind == "enum":
            return self._get_enum_schema(field.type_name)
        if field.kind in ("message", "group"):
            return self._make_nested(field)
        return Schema(get_scalar_keywords(field.kind, self._settings), field.at)

    def _make_nested(self, field: Field) -> Schema:
        name = field.type_name
        if name in self._open and name not in well_known_types.MESSAGES and name not in self._custom_types:
            self._stack.report_cycle(name)
            return _make_unknown_schema(field.at)
        return _make_unknown_schema(field.at) if self._stack.check_depth(field) else self._get_message_schema(name)

    def _make_enum(self, full_name: str) -> Schema:
        if full_name in well_known_types.ENUMS:
            return Schema(well_known_types.ENUMS[full_name])
        enum = self._api.find_enum(full_name)
        if enum is None:
            self._stack.report_missing(full_name)
            return _make_unknown_schema(self._stack.place)
        visible, hidden = self._element_filter.select_values(enum, self._problems)
        keywords: dict[str, Any] = {"type": "string", "enum": [value.name for value in visible]}
        deprecated = [value.name for value in visible if self._collector.is_deprecated(value)]
        members = {value.name: value.number for value in enum.values}
        facts = self._get_facts(enum, NamedType(full_name, partial(describe_values, visible), members, hidden))
        facts |= {DEPRECATED_VALUES: deprecated} if deprecated else {}
        facts |= self.channel_filter.get_value_facts(visible) | self._element_filter.get_value_facts(visible)
        description = self._descriptions.describe_enum(enum, facts)
        if description:
            keywords["description"] = description
        if self._settings.enum_as_int_or_string:
            del keywords["type"], keywords["enum"]
            keywords |= INT_OR_STRING_KEYWORDS
        selected = self._element_filter.select_markers(self._collector.collect(enum))
        markers = self._descriptions.rewrite_markers(selected, enum)
        return self._register_type(self._applier.apply(Schema(keywords, enum.at, facts=facts), markers))

    def _check_size(self, schema: Schema, message: Message) -> Schema:
        if self._stack.is_unused or not (excess := self.sizes.find_excess(schema)):
            return schema
        self._stack.report_size(excess, message)
        return _make_unknown_schema(message.at)


# A field's own markers, its schema, its names, and whether it is required.
FieldProperty = tuple[list[Marker], Schema, list[str], bool]
_ON_FIELDS = BUILDERS | {"opaque"}  # markers that are read when the schema of a field is built
_MERGE = "<<"  # the merge key of YAML
_OPAQUE = {"type": "object", PRESERVE: True}


def _load_custom_types(api: ApiSet, settings: Settings, problems: Problems) -> dict[str, Schema]:
    from protoc_gen_crd.generation.custom_types import load_custom_types  # noqa: PLC0415 - few settings have rows

    return load_custom_types(api, settings, problems)


def _check_int64_strings(field: Field, markers: Sequence[Marker], problems: Problems) -> None:
    from protoc_gen_crd.generation.int64_marker_checks import check_int64_strings  # noqa: PLC0415 - not the default

    check_int64_strings(field, markers, problems)


def _make_unknown_schema(place: Place | None) -> Schema:
    """Make the placeholder for a schema that could not be generated. Each of them has a finding."""
    return Schema(_OPAQUE, place)
