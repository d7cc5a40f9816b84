"""Reader of the messages of a version: the types of their fields on the level of the hub, and their declarations."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.groups.group_model import (
    WELL_KNOWN_PACKAGE,
    Declaration,
    FieldType,
    GroupVersion,
    HubType,
    VersionField,
    VersionMessage,
)
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Element, Field, Message

_CONVERSIONS, _GONE = ("conversion", "type_conversion"), "gone"


def read_declarations(element: Element, collector: MarkerCollector) -> tuple[Declaration, ...]:
    """Return the conversion options of an element."""
    markers = [marker for marker in collector.collect(element).schema if marker.name in _CONVERSIONS]
    return tuple([Declaration(values, marker.at, marker.owner) for marker in markers for values in marker.value])


def read_gone(message: Message, collector: MarkerCollector) -> dict[str, Place]:
    """Return the names in the option `gone` of a message, with their places."""
    markers = [marker for marker in collector.collect(message).schema if marker.name == _GONE]
    return {name: marker.at for marker in markers for name in marker.value}


class MessageReader:
    """Reads messages. `names` are the classes of types by version index and full name."""

    def __init__(
        self, api: ApiSet, collector: MarkerCollector, presence: frozenset[str], names: Mapping[tuple[int, str], str]
    ) -> None:
        self._api = api
        self._collector = collector
        self._presence = presence
        self._names = names

    def read(self, version: GroupVersion, message: Message) -> VersionMessage:
        """Return a message of a version."""
        fields = {
            field.name: VersionField(
                field, self._read_type(version.index, message, field), read_declarations(field, self._collector)
            )
            for field in message.fields
        }
        declarations = read_declarations(message, self._collector)
        return VersionMessage(version, message, fields, declarations, read_gone(message, self._collector))

    def _read_type(self, version: int, message: Message, field: Field) -> FieldType:
        entry = self._api.find_message(field.type_name) if field.kind == "message" else None
        if entry is not None and entry.is_map_entry:
            key, value = entry.fields
            return FieldType("map", self._read_single(version, value), self._read_single(version, key))
        single = self._read_single(version, field)
        if field.repeated:
            return FieldType("list", single)
        oneof = message.oneofs[field.oneof].name if field.oneof >= 0 else ""
        return FieldType("single", single, None, field.full_name in self._presence, oneof)

    def _read_single(self, version: int, field: Field) -> HubType:
        if field.type_name.startswith(f"{WELL_KNOWN_PACKAGE}."):
            return HubType("int32") if field.kind == "enum" else HubType("well-known", field.type_name)
        if field.kind in ("message", "group"):
            return HubType("message", self._names[version, field.type_name])
        if field.kind == "enum":
            return HubType("enum", self._names[version, field.type_name])
        return HubType(field.kind)
