"""What of an element is there in the version and the release channel being made."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.build import wellknown
from protoc_gen_crd.build.channels import Channels
from protoc_gen_crd.build.editions import Editions
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.marker import Marker, Marks
from protoc_gen_crd.markers.ranges import Span
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Element, Enum, EnumValue, Field, Message
from protoc_gen_crd.schema.types import CHANNEL, SPANS, SPANS_OF_VALUES


class Visible:
    """Asks the ranges and channels of elements; `given` are the types that settings describe, which have none."""

    def __init__(
        self, api: ApiSet, collector: Collector, editions: Editions, channels: Channels, given: Container[str]
    ) -> None:
        self._api = api
        self._collector = collector
        self._editions = editions
        self._channels = channels
        self._given = given

    def markers(self, element: Element) -> list[Marker]:
        """The markers of an element that hold."""
        markers = self._collector.marks(element).schema
        if not markers:
            return []
        kept = self._channels.kept(markers)
        held = [marker for marker in kept if not marker.spans or self._editions.holds(marker.spans)]
        first = {(marker.steps, marker.option.name) for marker in held if marker.spans}
        if not first:
            return held
        return [one for one in held if not any((one.steps, name) in first for name in one.yields)]

    def values(self, enum: Enum, problems: Problems) -> tuple[list[EnumValue], set[str]]:
        """The values of an enum that can be set, and the names of the others: hidden or of other versions."""
        hidden = {value.name for value in enum.values if self._hides(self._collector.marks(value))}
        shown = [value for value in enum.values if value.name not in hidden]
        for value in enum.values if hidden else ():
            if value.name in hidden and (where := self._elsewhere(self._collector.marks(value))):
                self._channels.leave_out_value(value.name, where, [one.name for one in shown])
        if not shown:
            problem = f'an enum must have a value that can be set, found none in "{enum.name}"'
            hint = "all of them are hidden, or of other versions or later channels: give the fields of it the same"
            problems.report("marker-contradiction", problem, enum.at, path=enum.full_name, hint=hint)
        return shown, hidden

    def _hides(self, marks: Marks) -> bool:
        hidden = any(members.values.get("hidden") or self._channels.omits(members) for members in marks.members)
        return hidden or not self._editions.holds(marks.spans)

    def _elsewhere(self, marks: Marks) -> str:
        """Where a value is that is not here; empty for one that is nowhere."""
        if any(members.values.get("hidden") for members in marks.members):
            return ""
        if not self._editions.holds(marks.spans):
            return " and ".join([str(span.range) for span in marks.spans])
        return next((f'channel "{one.values[CHANNEL]}"' for one in marks.members if self._channels.omits(one)), "")

    def only(self, field: Field) -> str | None:
        """Where else a field is, if it is not here."""
        described = self.described(field)
        spans = self._spans(field, described)
        if spans and not self._editions.holds(spans, field):
            return " and ".join([str(span.range) for span in spans])
        return self._channels.elsewhere(field, described)

    def facts(self, field: Field, described: Message | Enum | None) -> dict[str, Any]:
        """The ranges of releases that a field has, whose type is the one described."""
        spans = self._spans(field, described)
        known = _of_releases(spans) if spans else ()
        return {SPANS: known} if known else {}

    def value_facts(self, values: Sequence[EnumValue]) -> dict[str, Any]:
        """The ranges of releases that values of an enum have."""
        known = {value.name: _of_releases(self._collector.marks(value).spans) for value in values}
        known = {name: spans for name, spans in known.items() if spans}
        return {SPANS_OF_VALUES: known} if known else {}

    def _spans(self, field: Field, described: Message | Enum | None) -> Sequence[Span]:
        """The ranges of a field and of its type: it is there where all of them hold."""
        spans = self._collector.marks(field).spans
        return spans if described is None else (*spans, *self._collector.marks(described).spans)

    def described(self, field: Field) -> Message | Enum | None:
        """The type of a field, or of the values of a map, if it is one that is described in the request."""
        name = field.type_name
        if not name or name in self._given or name in wellknown.MESSAGES or name in wellknown.ENUMS:
            return None
        if field.kind == "enum":
            return self._api.enum(name)
        message = self._api.message(name)
        return self.described(message.fields[1]) if message is not None and message.map_entry else message


def _of_releases(spans: Sequence[Span]) -> tuple[Span, ...]:
    return tuple([span for span in spans if span.range.of_releases])
