"""Release channels of elements, and the filter of elements of later channels than that of the output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.resource_messages import ResourceSource
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.generation.version_cache import VersionCache
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.element_model import Element, EnumValue, Field
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES
from protoc_gen_crd.settings.settings import Settings


class ChannelFilter:
    """The channels of a run. Nothing is omitted if no channel is selected, or with `channel_fields=policy`."""

    def __init__(
        self, settings: Settings, collector: MarkerCollector, context: RunContext, version_cache: VersionCache
    ) -> None:
        self.has_omissions = False
        self._settings = settings
        self._collector = collector
        self._context = context
        self._version_cache = version_cache
        channel = settings.channel
        self._omits = settings.channel_fields == "omit" and bool(channel)
        if channel and not context.is_known_channel(channel, settings.places.get("channel"), ""):
            self._omits = False

    def is_omitted(self, members: MessageMembers) -> bool:
        """Return whether an enum value is omitted."""
        return self._omits and self._settings.is_beyond(members.values.get(CHANNEL, ""))

    def record_omitted_value(self, name: str, where: str, others: Sequence[str]) -> None:
        """Record an omitted enum value, with its ranges or channel, and the other values."""
        self._context.record_omitted_value(name, where, others)

    def filter_markers(self, markers: Sequence[Marker]) -> Sequence[Marker]:
        """Return the markers without omitted rules."""
        return (
            [marker for marker in markers if not self._settings.is_beyond(_get_rule_channel(marker))]
            if self._omits
            else markers
        )

    def find_omitting_channel(self, field: Field, field_type: Element | None) -> str | None:
        """Return the channel of a field or of its type that omits the field; None if it is not omitted."""
        if not self._omits:
            return None
        channels = [self._get_marked_channel(element) for element in (field, field_type) if element is not None]
        omitting = next((f'channel "{element}"' for element in channels if self._settings.is_beyond(element)), None)
        self.has_omissions = self.has_omissions or omitting is not None
        return omitting

    def get_value_facts(self, values: Sequence[EnumValue]) -> dict[str, Any]:
        """Return the facts of an enum: the channels of its values by name, and by number if numbers are accepted."""
        channels = {value.name: self._get_value_channel(value) for value in values}
        if self._settings.enum_as_int_or_string:
            # A number with several names belongs to the earliest of their channels.
            for value in sorted(values, key=lambda value: -self._rank(channels[value.name])):
                channels[str(value.number)] = channels[value.name]
        declared = {name: channel for name, channel in channels.items() if channel}
        return {CHANNEL_VALUES: declared} if declared else {}

    def _get_value_channel(self, value: EnumValue) -> str:
        """Return the channel of an enum value; empty if it has none or an unknown channel."""
        result = ""
        for members in self._collector.collect(value).members:
            channel, place = members.values.get(CHANNEL), members.get_place(CHANNEL)
            if channel is not None and self._context.is_known_channel(channel, place, value.full_name, members.excerpt):
                result = channel
        return result

    def _rank(self, channel: str) -> int:
        names = list(self._settings.channels)
        return names.index(channel) if channel in names else 0

    def get_version_channel(self, source: ResourceSource, name: str) -> str:
        """Return the latest channel declared for a version of a kind; empty if there is none or it is unknown."""
        declared, owner = source.declared, source.message.full_name
        by_version: Mapping[str, str] = declared.get("version_channels") or {}
        values = {"version_channels": by_version.get(name), CHANNEL: declared.get(CHANNEL)}
        known = {
            member: channel
            for member, channel in values.items()
            if channel and self._context.is_known_channel(channel, declared.get_place(member), owner)
        }
        latest = self._get_marked_channel(source.message)
        for channel in known.values():
            latest = self._context.choose_later_channel(latest, channel)
        if known.get("version_channels", latest) != latest:
            self._report_earlier(source, name, known["version_channels"], latest)
        return latest

    def _report_earlier(self, source: ResourceSource, version: str, channel: str, latest: str) -> None:
        """Report a version that is declared to be in an earlier channel than its kind or message."""
        self._context.problems.report(
            "channel-earlier",
            f'channel "{channel}" of version "{version}" has no effect: '
            f'its kind is in the less stable channel "{latest}"',
            source.declared.get_place(f"version_channels[{version}]"),
            path=source.message.full_name,
            hint="set the channels of the other versions instead of the kind",
        )

    def filter_versions(self, crd: Crd, problems: Problems) -> Crd | None:
        """Return a CRD with the versions that are not omitted; None if no version remains."""
        if not self._omits:
            return crd
        included = tuple([version for version in crd.versions if not self._settings.is_beyond(version.channel)])
        if included and not any(version.storage for version in included):
            self._report_storage(crd, included, problems)
            return crd
        return crd.replace(versions=included) if included else None

    def _report_storage(self, crd: Crd, included: Sequence[CrdVersion], problems: Problems) -> None:
        storage_version = next(version for version in crd.versions if version.storage)
        listed = ", ".join([version.name for version in included])
        problems.report(
            "channel-storage",
            f'storage version "{storage_version.name}" of {crd.names.kind} is in channel "{storage_version.channel}", '
            f'outside "{self._settings.channel}" (versions inside: {listed})',
            storage_version.origin,
            path=crd.name,
            hint="make a version of the channel the storage version, or keep the others with channel_fields=policy",
        )

    def _get_marked_channel(self, element: Element) -> str:
        """Return the channel of a field or type in the current version."""
        markers = [
            marker
            for marker in self._collector.collect(element).schema
            if marker.option.name == CHANNEL and not marker.steps
        ]
        return next((str(marker.value) for marker in markers if self._version_cache.is_in_ranges(marker.spans)), "")


def _get_rule_channel(marker: Marker) -> str:
    """Return the channel of a rule. Each rule is a separate marker."""
    values = marker.value if marker.option.name == "rules" else ()
    return next((str(rule[CHANNEL]) for rule in values if CHANNEL in rule), "")
