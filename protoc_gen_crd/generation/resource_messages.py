"""Reader of the messages that declare resources, with their group, kind, and versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.kubernetes.api_version_order import parse_version
from protoc_gen_crd.markers.declared_resources import DeclaredResource, build_resources
from protoc_gen_crd.markers.marker import MessageMembers
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.markers.override_place import is_overridden
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Message

STRATEGY = "buf runs a plugin once per folder: set `strategy: all` in buf.gen.yaml, or pass all files to protoc at once"


class ResourceSource(Record):
    """A message that defines versions of a kind."""

    message: Message
    declared: DeclaredResource
    group: str
    kind: str
    versions: tuple[str, ...]
    package: Mapping[str, Place]

    def get_place(self, member: str = "") -> Place:
        """Return the place of a member of the resource, or else of the resource."""
        return self.find_place(member) or self.declared.at

    def find_place(self, member: str) -> Place | None:
        """Return the place of a member on the message, or else on its package; None if it is not set."""
        place, package = self.declared.places.get(member), self.package.get(member)
        return package if is_overridden(place, package) else place or package


class SourceReader:
    """Reads the sources of messages."""

    def __init__(self, api: ApiSet, collector: MarkerCollector, problems: Problems) -> None:
        self._api = api
        self._collector = collector
        self._problems = problems

    def read_sources(self, messages: Iterable[Message]) -> Iterator[ResourceSource]:
        """Yield the valid resources that messages declare. Invalid resources are findings."""
        for message in messages:
            settings = self._collector.collect_package(self._api.get_file(message.file))
            members = self._collector.collect(message).members
            if not members:
                continue
            package, places = _merge_settings(settings)
            for resource in build_resources(members, message.full_name, self._problems):
                if not (_is_skipped(resource, package, places) or _is_list(message, resource)):
                    yield from self._read_source(message, resource, package, places)

    def _read_source(
        self, message: Message, resource: DeclaredResource, package: Mapping[str, Any], places: Mapping[str, Place]
    ) -> Iterator[ResourceSource]:
        kind = resource.get("kind") or resource.kind or message.name
        group = _get_own(resource, "group", places) or package.get("group", "")
        versions = self._read_versions(message, resource, package, places)
        if not group:
            self._problems.report(
                "resource-group",
                f'kind "{kind}" has no API group',
                resource.at,
                path=message.full_name,
                hint='set (protoc_gen_crd.v1.resource).group, or put "+groupName=<group>" above the package line',
            )
        if group and versions:
            yield ResourceSource(message, resource, group, kind, versions, places)

    def _read_versions(
        self, message: Message, resource: DeclaredResource, package: Mapping[str, Any], places: Mapping[str, Place]
    ) -> tuple[str, ...]:
        versions = _get_own(resource, "versions", places)
        if versions:
            return tuple(dict.fromkeys(versions))
        if package.get("version"):
            return (package["version"],)
        last = self._api.get_file(message.file).package.rpartition(".")[2]
        if parse_version(last):
            return (last,)
        self._problems.report(
            "resource-version",
            f'resource "{message.name}" has no API version',
            resource.at,
            path=message.full_name,
            hint='set (protoc_gen_crd.v1.resource).versions, or end the package name in a version such as "v1"',
        )
        return ()


def _get_own(resource: DeclaredResource, member: str, package: Mapping[str, Place]) -> Any:
    """Return a member of a resource, None if it is not set or if the override of the package replaces it."""
    value, place = resource.get(member), package.get(member)
    if value is None or place is None:
        return value
    return None if is_overridden(resource.places.get(member), place) else value


def _is_skipped(resource: DeclaredResource, package: Mapping[str, Any], places: Mapping[str, Place]) -> bool:
    """Return whether a resource has no CRD. Its `skip: false` takes precedence over its package."""
    return bool(resource.get("skip") or (package.get("skip") and _get_own(resource, "skip", places) is None))


_PACKAGE_MEMBERS = {"version": "versions"}  # name of a member of a package -> name of the member of a resource


def _merge_settings(package: Sequence[MessageMembers]) -> tuple[Mapping[str, Any], Mapping[str, Place]]:
    """Return the resource settings of a package, and their places by member of a resource."""
    merged: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for members in reversed(package):  # options come first
        merged |= members.values
        places |= {_PACKAGE_MEMBERS.get(name, name): members.get_place(name) for name in members.values}
    return merged, places


def _is_list(message: Message, resource: DeclaredResource) -> bool:
    """Return whether a message is the list type of a kind, as in Go types for controller-gen: `WidgetList.items`."""
    return not resource.values and any(
        field.name == "items" and field.repeated and f"{field.type_name.rpartition('.')[2]}List" == message.name
        for field in message.fields
    )


def check_targets(
    sources: Iterable[ResourceSource], api: ApiSet, collector: MarkerCollector, problems: Problems
) -> None:
    """Report versions of a kind that are declared in the request, but not in a file to generate."""
    kinds = {(source.group, source.kind): source for source in sources}
    if not kinds:
        return
    ignored = Problems()  # the run that generates from a file reports its findings
    other_collector = collector.copy(ignored)
    reader = SourceReader(api, other_collector, ignored)
    for file in api.list_imports():
        marked = (message for message in api.iterate_messages(file) if other_collector.has_markers(message))
        for other in reader.read_sources(marked):
            source = kinds.get((other.group, other.kind))
            if source is not None:
                problems.report(
                    "resource-targets",
                    f"{', '.join(other.versions)} of {source.kind} is declared in "
                    f'"{file.name}", which is not a file to generate',
                    source.get_place(),
                    path=source.message.full_name,
                    hint=STRATEGY,
                )
