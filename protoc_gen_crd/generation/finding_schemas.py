"""Builder of schemas of which a run reads only the findings, as default mode reports them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.generation import well_known_types
from protoc_gen_crd.generation.message_schemas import FieldProperty, MessageBuilder
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.markers.marker import ElementMarkers, Marker
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Field
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings

_BASIC = frozenset(["", *well_known_types.MESSAGES, *well_known_types.WRAPPERS])  # types without fields
_OF_OBJECTS = ("alt_name", "immutable")  # options that change the object around the field
_PRESENCE = ("required", "non_empty")
_FieldKey = tuple[str | bool, ...]


class FindingBuilder(MessageBuilder):
    """Builds schemas that have the findings and the sizes of complete ones, but neither descriptions nor all places."""

    def __init__(self, api: ApiSet, collector: MarkerCollector, settings: Settings, context: RunContext) -> None:
        super().__init__(api, collector, settings, context)
        self._equal: dict[_FieldKey, tuple[Schema, bool | None]] = {}
        self._of_metadata = frozenset(_iterate_metadata_types(api))

    def _get_property(self, field: Field, element_markers: ElementMarkers) -> FieldProperty:
        """Return a field in the current version. Equal fields without findings have the schema of the first of them.

        Shortcut equal-fields: a field of a basic type depends on its type and on the text of its comment lines, except
        for facts and places. Of these, only the facts of a field and the places in metadata are in other findings.
        """
        key = self._make_key(field, element_markers.schema)
        if key is None:
            return super()._get_property(field, element_markers)
        equal = self._equal.get(key)
        if equal is not None:
            schema, declared = equal
            return (
                [],
                schema,
                [field.json_name],
                self._presence.is_required(field, ()) if declared is None else declared,
            )
        count = len(self._problems.findings)
        markers, schema, names, is_required = super()._get_property(field, element_markers)
        options = {marker.option.name for marker in markers}
        is_equal = len(self._problems.findings) == count and options.isdisjoint(_OF_OBJECTS)
        if is_equal and not schema.facts and "nullable" not in schema:  # whether null remains depends on the field
            self._equal[key] = schema, None if options.isdisjoint(_PRESENCE) else is_required
        return markers, schema, names, is_required

    def _make_field(self, field: Field, _: ElementMarkers, markers: Sequence[Marker]) -> Schema:
        """Build the schema of a field without its markers.

        Shortcut placed-types: findings depend on the facts of types, but not on those that a field adds, and the place
        of a field is only in findings about its markers.
        """
        typed = self._make_field_type(field, markers)
        return Schema(typed.keywords, field.at, typed.marks, typed.facts) if markers else typed

    def _is_of_metadata(self, field: Field) -> bool:
        return bool(self._of_metadata) and field.full_name.rpartition(".")[0] in self._of_metadata

    def _make_key(self, field: Field, markers: Sequence[Marker]) -> _FieldKey | None:
        """Return the key of a field, None if it depends on more than its type and comment lines."""
        if field.type_name not in _BASIC or field.oneof >= 0:
            return None
        if field.full_name.startswith("k8s.io.") or self._is_of_metadata(field):
            return None
        texts = []
        for marker in markers:
            is_comment = marker.text.startswith("+")
            if marker.spans or marker.parts or not (is_comment or (marker.option.name == "required" and marker.value)):
                return None
            texts.append(marker.text)
        return field.kind, field.type_name, field.repeated, *texts


def _iterate_metadata_types(api: ApiSet) -> Iterator[str]:
    """Yield the names of the messages that can contain metadata, and of those below them."""
    stack = [
        message.full_name
        for message in api.target_messages
        if any(field.json_name == "metadata" and field.type_name for field in message.fields)
    ]
    seen: set[str] = set()
    while stack:
        name = stack.pop()
        if name not in seen and (message := api.find_message(name)) is not None:
            seen.add(name)
            yield name
            stack += [field.type_name for field in message.fields if field.type_name]
