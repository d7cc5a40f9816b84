"""Release channels: what elements say of theirs, and what is left out where the output is for a lower one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.resource_messages import ResourceSource
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.generation.version_cache import VersionCache
from protoc_gen_crd.markers.collector import MarkerCollector
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.proto.model import Element, EnumValue, Field
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES
from protoc_gen_crd.settings.settings import Settings


class ChannelFilter:
    """The channels of one run. With no channel asked for, or guarded ones, everything is there."""

    def __init__(
        self, settings: Settings, collector: MarkerCollector, context: RunContext, version_cache: VersionCache
    ) -> None:
        self.has_omissions = False
        self._settings = settings
        self._collector = collector
        self._context = context
        self._editions = version_cache
        asked = settings.channel
        self._leaves_out = settings.channel_fields == "omit" and bool(asked)
        if asked and not context.is_known_channel(asked, settings.places.get("channel"), ""):
            self._leaves_out = False

    def is_omitted(self, members: MessageMembers) -> bool:
        """Report whether an enum value is omitted."""
        return self._leaves_out and self._settings.is_beyond(members.values.get(CHANNEL, ""))

    def record_omitted_value(self, name: str, where: str, others: Sequence[str]) -> None:
        """Remember a value of an enum that is not there, with the ranges or the channel that have it."""
        self._context.record_omitted_value(name, where, others)

    def filter_markers(self, markers: Sequence[Marker]) -> Sequence[Marker]:
        """The markers less rules of what is left out."""
        return (
            [one for one in markers if not self._settings.is_beyond(_get_rule_channel(one))]
            if self._leaves_out
            else markers
        )

    def find_omitting_channel(self, field: Field, described: Element | None) -> str | None:
        """The channel of a field, or of its type, that is left out for it; None where the field is there."""
        if not self._leaves_out:
            return None
        found = [self._get_marked_channel(one) for one in (field, described) if one is not None]
        where = next((f'channel "{one}"' for one in found if self._settings.is_beyond(one)), None)
        self.has_omissions = self.has_omissions or where is not None
        return where

    def get_value_facts(self, values: Sequence[EnumValue]) -> dict[str, Any]:
        """The facts of an enum: the channels of its values, by name, and by number where that is a value too."""
        made = {value.name: self._get_value_channel(value) for value in values}
        if self._settings.enum_as_int_or_string:
            # What a number has several names for may be written as long as one of them may.
            for value in sorted(values, key=lambda value: -self._rank(made[value.name])):
                made[str(value.number)] = made[value.name]
        known = {name: channel for name, channel in made.items() if channel}
        return {CHANNEL_VALUES: known} if known else {}

    def _get_value_channel(self, value: EnumValue) -> str:
        """The channel of a value; empty for what has none or an unknown one."""
        found = ""
        for members in self._collector.collect(value).members:
            channel, place = members.values.get(CHANNEL), members.get_place(CHANNEL)
            if channel is not None and self._context.is_known_channel(channel, place, value.full_name, members.excerpt):
                found = channel
        return found

    def _rank(self, channel: str) -> int:
        names = list(self._settings.channels)
        return names.index(channel) if channel in names else 0

    def get_version_channel(self, source: ResourceSource, name: str) -> str:
        """The channel of one version of a kind, the latest of those said; empty for what has none or an unknown one."""
        declared, owner = source.declared, source.message.full_name
        by_version: Mapping[str, str] = declared.get("version_channels") or {}
        given = {"version_channels": by_version.get(name), CHANNEL: declared.get(CHANNEL)}
        said = {
            at: one
            for at, one in given.items()
            if one and self._context.is_known_channel(one, declared.get_place(at), owner)
        }
        latest = self._get_marked_channel(source.message)
        for one in said.values():
            latest = self._context.choose_later_channel(latest, one)
        if said.get("version_channels", latest) != latest:
            self._report_earlier(source, name, said["version_channels"], latest)
        return latest

    def _report_earlier(self, source: ResourceSource, version: str, found: str, latest: str) -> None:
        """A version that is said to be in an earlier channel than its kind or message."""
        self._context.problems.report(
            "channel-earlier",
            f'channel "{found}" of version "{version}" is earlier than channel "{latest}" of its kind',
            source.declared.get_place(f"version_channels[{version}]"),
            path=source.message.full_name,
            hint=f'"{latest}" applies: set the channels of the other versions instead of the kind',
        )

    def filter_versions(self, crd: Crd, problems: Problems) -> Crd | None:
        """A Crd in the versions that are not left out; None if there is none."""
        if not self._leaves_out:
            return crd
        kept = tuple([version for version in crd.versions if not self._settings.is_beyond(version.channel)])
        if kept and not any(version.storage for version in kept):
            self._report_storage(crd, kept, problems)
            return crd
        return crd.replace(versions=kept) if kept else None

    def _report_storage(self, crd: Crd, kept: Sequence[CrdVersion], problems: Problems) -> None:
        stored = next(version for version in crd.versions if version.storage)
        listed = ", ".join([version.name for version in kept])
        problems.report(
            "channel-storage",
            f'storage version "{stored.name}" of {crd.names.kind} is in channel "{stored.channel}", '
            f'outside "{self._settings.channel}" (versions inside: {listed})',
            stored.origin,
            path=crd.name,
            hint="make a version of the channel the storage version, or keep the others with channel_fields=policy",
        )

    def _get_marked_channel(self, element: Element) -> str:
        """The channel of a field or type in the version being made."""
        markers = [
            one for one in self._collector.collect(element).schema if one.option.name == CHANNEL and not one.steps
        ]
        return next((str(one.value) for one in markers if self._editions.is_in_ranges(one.spans)), "")


def _get_rule_channel(marker: Marker) -> str:
    """The channel of a rule; each is a marker of its own."""
    values = marker.value if marker.option.name == "rules" else ()
    return next((str(one[CHANNEL]) for one in values if CHANNEL in one), "")
