"""The plan of a group: its types, the messages of its hub, and the findings about conversions that lose values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from keyword import iskeyword

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.groups.conversion_checks import check_conversions
from protoc_gen_crd.groups.deprecation_notices import find_deprecation
from protoc_gen_crd.groups.field_links import LinkBuilder
from protoc_gen_crd.groups.group_model import GroupVersion, HubTypes, NumberRecord, ServiceGroup
from protoc_gen_crd.groups.hub_messages import HubMessage
from protoc_gen_crd.groups.python_names import format_class, format_module
from protoc_gen_crd.groups.type_lineages import LineageBuilder
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.descriptor_checks import INVALID_DESCRIPTOR_HINT
from protoc_gen_crd.proto.element_model import Element, Enum, EnumValue
from protoc_gen_crd.proto.embedded_files import EmbeddedFiles, index_types
from protoc_gen_crd.proto.request import Request

RESERVED_CLASSES = ("Version", "Protocol")
RESERVED_MODULES = ("runtime",)


class GroupPlan(Record):
    """A group with everything that its modules are generated from. `descriptors` are by version index."""

    group: ServiceGroup
    types: HubTypes
    messages: Mapping[str, HubMessage]
    descriptors: Mapping[int, bytes]
    deprecations: Mapping[str, str]  # notices of deprecated fields by full name, and of enum values below their enums
    paths: Mapping[tuple[int, str], str]  # names of messages and enums in the module of a version
    all_descriptors: bytes = b""  # of all microversions, from the annotated file
    records: Mapping[str, NumberRecord] = {}  # of microversions

    @property
    def package(self) -> str:
        """The name of the Python package."""
        return format_module(self.group.name, RESERVED_MODULES)

    def get_message_path(self, version: GroupVersion, full_name: str) -> str:
        """Return the name of a message in the module of its version, such as `Outer.Inner`."""
        return self.paths[version.index, full_name]

    def get_deprecation(self, element: Element) -> str:
        """Return the deprecation notice of a field, empty if it is not deprecated."""
        return self.deprecations.get(element.full_name, "")

    def get_value_deprecation(self, enum: Enum, value: EnumValue) -> str:
        """Return the deprecation notice of an enum value, empty if it is not deprecated."""
        return self.deprecations.get(f"{enum.full_name}.{value.name}", "")


class GroupPlanner:
    """Builds the plans of groups."""

    def __init__(
        self,
        request: Request,
        api: ApiSet,
        collector: MarkerCollector,
        problems: Problems,
        originals: Mapping[str, str],
    ) -> None:
        """Plan groups of a request. `originals` are the annotated files by the names of the files of versions."""
        self._request = request
        self._declaring = index_types(request)
        self._originals = originals
        self._api = api
        self._collector = collector
        self._problems = problems

    def build(self, groups: Iterable[ServiceGroup]) -> list[GroupPlan]:
        """Return the plans of groups. Conversions that would lose values and invalid files are reported."""
        return [plan for group in groups if (plan := self._build_plan(group)) is not None]

    def _find_presence(self, group: ServiceGroup, files: Iterable[EmbeddedFiles]) -> frozenset[str] | None:
        try:
            return frozenset(name for embedded in files for name in embedded.find_presence())
        except TypeError as error:
            message = f"group {group.name} cannot be loaded: {error}"
            place = group.versions[-1].service.at
            self._problems.report("request-descriptor", message, place, path=group.name, hint=INVALID_DESCRIPTOR_HINT)
            return None

    def _build_plan(self, group: ServiceGroup) -> GroupPlan | None:
        files = {
            version.index: EmbeddedFiles(self._request, [version.service.file], self._declaring)
            for version in group.versions
        }
        presence = self._find_presence(group, files.values())
        if presence is None:
            return None
        types = LineageBuilder(self._api, self._collector, presence, self._problems).build(group, RESERVED_CLASSES)
        links = LinkBuilder(types, [version.name for version in group.versions], self._problems)
        messages = {
            name: HubMessage(lineage, links.link(lineage), group, (*types.messages, *types.enums))
            for name, lineage in types.messages.items()
        }
        fields = [
            field.field for lineage in types.messages.values()
            for member in lineage.members.values() for field in member.fields.values()
        ]  # fmt: skip
        values = [
            (f"{enum.full_name}.{value.name}", value) for lineage in types.enums.values()
            for enum in lineage.members.values() for value in enum.values
        ]  # fmt: skip
        elements: list[tuple[str, Element]] = [*((field.full_name, field) for field in fields), *values]
        notices = {name: notice for name, element in elements if (notice := find_deprecation(element, self._collector))}
        check_conversions(group, types, messages, self._problems)
        for version in group.versions:
            if version.wire_package is not None:
                files[version.index].rename_package(version.package, version.wire_package, self._originals)
        descriptors = {index: embedded.serialize() for index, embedded in files.items()}
        paths = {key: self._find_path(group.versions[key[0]], key[1]) for key in types.names}
        annotated = [self._originals[group.versions[-1].service.file]] if group.line else []
        all_descriptors = EmbeddedFiles(self._request, annotated).serialize() if annotated else b""
        return GroupPlan(group, types, messages, descriptors, notices, paths, all_descriptors)

    def _find_path(self, version: GroupVersion, full_name: str) -> str:
        message = self._api.find_message(full_name)
        scope = message.parent if message else ""
        if scope:
            return f"{self._find_path(version, scope)}.{full_name.rpartition('.')[2]}"
        relative = version.get_relative_name(full_name)
        return format_class(relative) if "." in relative or iskeyword(relative) else relative
