"""Filters for the parts of an element that belong to the current version and release channel."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation import well_known_types
from protoc_gen_crd.generation.channel_filter import ChannelFilter
from protoc_gen_crd.generation.version_cache import VersionCache
from protoc_gen_crd.markers.marker import NO_MARKERS, ElementMarkers, Marker
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.markers.marker_ranges import LocatedRange
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Enum, EnumValue, Field, Message
from protoc_gen_crd.schema.schema import CHANNEL, SKIPPED, SPANS, SPANS_OF_VALUES


class ElementFilter:
    """Selects elements by ranges and channels. `custom_types` are the types with schemas in the settings."""

    def __init__(
        self,
        api: ApiSet,
        collector: MarkerCollector,
        version_cache: VersionCache,
        channels: ChannelFilter,
        custom_types: Container[str],
    ) -> None:
        self._api = api
        self._collector = collector
        self._version_cache = version_cache
        self._channels = channels
        self._custom_types = custom_types
        # Shortcut described-types: the types of an API do not change.
        self._described: dict[str, Message | Enum | None] = {}

    def select_markers(self, markers: ElementMarkers) -> list[Marker]:
        """Return the markers of an element that apply to the current version and channel."""
        if not markers.schema:
            return []
        included = self._channels.filter_markers(markers.schema)
        applicable = [
            marker for marker in included if not marker.spans or self._version_cache.is_in_ranges(marker.spans)
        ]
        ranged = {(marker.steps, marker.option.name) for marker in applicable if marker.spans}
        if not ranged:
            return applicable
        return [
            marker for marker in applicable if not any((marker.steps, name) in ranged for name in marker.is_default)
        ]

    def select_values(self, enum: Enum, problems: Problems) -> tuple[list[EnumValue], set[str]]:
        """Return the values of an enum that can be set, and the names of those that are hidden or of other versions."""
        hidden = {value.name for value in enum.values if self._is_hidden(self._collector.collect(value))}
        visible = [value for value in enum.values if value.name not in hidden]
        for value in enum.values if hidden else ():
            if value.name in hidden and (where := self._describe_location(self._collector.collect(value))):
                self._channels.record_omitted_value(value.name, where, [value.name for value in visible])
        if not visible:
            problem = f'enum "{enum.name}" has no value that can be set'
            hint = (
                "all values are hidden or belong to other versions or later channels: give its fields the same ranges"
            )
            problems.report("marker-contradiction", problem, enum.at, path=enum.full_name, hint=hint)
        return visible, hidden

    def _is_hidden(self, markers: ElementMarkers) -> bool:
        hidden = any(members.values.get("hidden") or self._channels.is_omitted(members) for members in markers.members)
        return hidden or not self._version_cache.is_in_ranges(markers.spans)

    def _describe_location(self, markers: ElementMarkers) -> str:
        """Describe the versions or channel of an omitted value; empty for a hidden value."""
        if any(members.values.get("hidden") for members in markers.members):
            return ""
        if not self._version_cache.is_in_ranges(markers.spans):
            return _describe_ranges(markers.spans)
        return next(
            (
                f'channel "{members.values[CHANNEL]}"'
                for members in markers.members
                if self._channels.is_omitted(members)
            ),
            "",
        )

    def is_skipped(self, field: Field) -> bool:
        """Return whether a marker skips a field."""
        return self._is_skipped(self._collector.collect(field))

    def _is_skipped(self, markers: ElementMarkers) -> bool:
        if not _can_be_skipped(markers.schema):
            return False  # without evaluating the ranges of other markers
        return any(marker.option.name == SKIPPED and marker.value for marker in self.select_markers(markers))

    def find_other_location(self, field: Field, markers: ElementMarkers) -> str | None:
        """Describe the versions or channel of an omitted field, None for a field that is present."""
        if _is_bare(field, markers):
            return None
        if self._is_skipped(markers):
            return SKIPPED
        described = self.get_described_type(field)
        spans = self._get_ranges(markers, described)
        if spans and not self._version_cache.is_in_ranges(spans, field):
            return _describe_ranges(spans)
        return self._channels.find_omitting_channel(field, described)

    def get_facts(self, markers: ElementMarkers, described: Message | Enum | None) -> dict[str, Any]:
        """Return the facts of a field: the ranges of releases of the field and of its described type."""
        spans = self._get_ranges(markers, described)
        ranges = _select_release_ranges(spans) if spans else ()
        return {SPANS: ranges} if ranges else {}

    def get_value_facts(self, values: Sequence[EnumValue]) -> dict[str, Any]:
        """Return the facts of an enum: the ranges of releases of its values."""
        ranges = {value.name: _select_release_ranges(self._collector.collect(value).spans) for value in values}
        ranges = {name: spans for name, spans in ranges.items() if spans}
        return {SPANS_OF_VALUES: ranges} if ranges else {}

    def _get_ranges(self, markers: ElementMarkers, described: Message | Enum | None) -> Sequence[LocatedRange]:
        """Return the ranges of a field and of its type. The field exists in versions that are in all of them."""
        return markers.spans if described is None else markers.spans + self._collector.collect(described).spans

    def get_described_type(self, field: Field) -> Message | Enum | None:
        """Return the type of a field, or of the values of a map, if the request describes it."""
        name = field.type_name
        if not name:
            return None
        if name not in self._described:
            self._described[name] = self._find_described_type(field)
        return self._described[name]

    def _find_described_type(self, field: Field) -> Message | Enum | None:
        name = field.type_name
        if name in self._custom_types or name in well_known_types.MESSAGES or name in well_known_types.ENUMS:
            return None
        if field.kind == "enum":
            return self._api.find_enum(name)
        message = self._api.find_message(name)
        return self.get_described_type(message.fields[1]) if message is not None and message.is_map_entry else message


def _is_bare(field: Field, markers: ElementMarkers) -> bool:
    # Shortcut bare-fields: only markers, of a field or of its type, name versions and channels.
    return not field.type_name and markers is NO_MARKERS


def _can_be_skipped(markers: Sequence[Marker]) -> bool:
    # Shortcut unskipped-fields: selecting markers adds none, so none skips a field if none does so in any version.
    return SKIPPED in [marker.option.name for marker in markers]


def _select_release_ranges(spans: Sequence[LocatedRange]) -> tuple[LocatedRange, ...]:
    return tuple([span for span in spans if span.range.is_of_releases])


def _describe_ranges(spans: Sequence[LocatedRange]) -> str:
    from protoc_gen_crd.kubernetes.version_phrases import format_ranges  # noqa: PLC0415 - many APIs have no ranges

    return format_ranges([span.range for span in spans])
