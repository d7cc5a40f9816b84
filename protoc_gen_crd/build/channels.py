"""Release channels: what elements say of theirs, and what is left out where the output is for a lower one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.build.context import RunContext
from protoc_gen_crd.build.editions import Editions
from protoc_gen_crd.build.sources import Source
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.marker import Marker, Members
from protoc_gen_crd.proto.model import Element, EnumValue, Field
from protoc_gen_crd.schema.types import CHANNEL, CHANNEL_VALUES
from protoc_gen_crd.settings import Settings


class Channels:
    """The channels of one run. With no channel asked for, or guarded ones, everything is there."""

    def __init__(self, settings: Settings, collector: Collector, context: RunContext, editions: Editions) -> None:
        self.any_left_out = False
        self._settings = settings
        self._collector = collector
        self._context = context
        self._editions = editions
        asked = settings.channel
        self._leaves_out = settings.channel_fields == "left-out" and bool(asked)
        if asked and not context.knows(asked, settings.places.get("channel"), ""):
            self._leaves_out = False

    def omits(self, members: Members) -> bool:
        """Whether an enum value is left out."""
        return self._leaves_out and self._settings.beyond(members.values.get(CHANNEL, ""))

    def leave_out_value(self, name: str, where: str, others: Sequence[str]) -> None:
        """Remember a value of an enum that is not there, with the ranges or the channel that have it."""
        self._context.leave_out_value(name, where, others)

    def kept(self, markers: Sequence[Marker]) -> Sequence[Marker]:
        """The markers less rules of what is left out."""
        return [one for one in markers if not self._settings.beyond(_of_rule(one))] if self._leaves_out else markers

    def elsewhere(self, field: Field, described: Element | None) -> str | None:
        """The channel of a field, or of its type, that is left out for it; None where the field is there."""
        if not self._leaves_out:
            return None
        found = [self._marked(one) for one in (field, described) if one is not None]
        where = next((f'channel "{one}"' for one in found if self._settings.beyond(one)), None)
        self.any_left_out = self.any_left_out or where is not None
        return where

    def of_values(self, values: Sequence[EnumValue]) -> dict[str, Any]:
        """The facts of an enum: the channels of its values, by name, and by number where that is a value too."""
        made = {value.name: self._of_value(value) for value in values}
        if self._settings.enum_as_int_or_string:
            # What a number has several names for may be written as long as one of them may.
            for value in sorted(values, key=lambda value: -self._rank(made[value.name])):
                made[str(value.number)] = made[value.name]
        known = {name: channel for name, channel in made.items() if channel}
        return {CHANNEL_VALUES: known} if known else {}

    def _of_value(self, value: EnumValue) -> str:
        """The channel of a value; empty for what has none or an unknown one."""
        found = ""
        for members in self._collector.marks(value).members:
            channel, place = members.values.get(CHANNEL), members.place(CHANNEL)
            if channel is not None and self._context.knows(channel, place, value.full_name, members.excerpt):
                found = channel
        return found

    def _rank(self, channel: str) -> int:
        names = list(self._settings.channels)
        return names.index(channel) if channel in names else 0

    def of_version(self, source: Source, name: str) -> str:
        """The channel of one version of a kind, the latest of those said; empty for what has none or an unknown one."""
        declared, owner = source.declared, source.message.full_name
        by_version: Mapping[str, str] = declared.get("version_channels") or {}
        given = {"version_channels": by_version.get(name), CHANNEL: declared.get(CHANNEL)}
        said = {at: one for at, one in given.items() if one and self._context.knows(one, declared.place(at), owner)}
        latest = self._marked(source.message)
        for one in said.values():
            latest = self._context.later(latest, one)
        if said.get("version_channels", latest) != latest:
            self._report_earlier(source, name, said["version_channels"], latest)
        return latest

    def _report_earlier(self, source: Source, version: str, found: str, latest: str) -> None:
        """A version that is said to be in an earlier channel than its kind or message."""
        self._context.problems.report(
            "channel-earlier",
            f'a release channel must be no earlier than that of the kind, "{latest}", found "{found}" for "{version}"',
            source.declared.place(f"version_channels[{version}]"),
            path=source.message.full_name,
            hint=f'"{latest}" counts: give the other versions theirs instead of the kind',
        )

    def held(self, crd: Crd, problems: Problems) -> Crd | None:
        """A Crd in the versions that are not left out; None if there is none."""
        if not self._leaves_out:
            return crd
        kept = tuple([version for version in crd.versions if not self._settings.beyond(version.channel)])
        if kept and not any(version.storage for version in kept):
            self._report_storage(crd, kept, problems)
            return crd
        return crd.replace(versions=kept) if kept else None

    def _report_storage(self, crd: Crd, kept: Sequence[Version], problems: Problems) -> None:
        stored = next(version for version in crd.versions if version.storage)
        listed = ", ".join([version.name for version in kept])
        problems.report(
            "channel-storage",
            f'the storage version must be one of channel "{self._settings.channel}", {listed}, '
            f'found "{stored.name}" of {crd.names.kind} in channel "{stored.channel}"',
            stored.origin,
            path=crd.name,
            hint="let a version of the channel be the storage version, or keep and guard the others: "
            "channel_fields=guarded",
        )

    def _marked(self, element: Element) -> str:
        """The channel of a field or type in the version being made."""
        markers = [one for one in self._collector.marks(element).schema if one.option.name == CHANNEL and not one.steps]
        return next((str(one.value) for one in markers if self._editions.holds(one.spans)), "")


def _of_rule(marker: Marker) -> str:
    """The channel of a rule; each is a marker of its own."""
    values = marker.value if marker.option.name == "rules" else ()
    return next((str(one[CHANNEL]) for one in values if CHANNEL in one), "")
