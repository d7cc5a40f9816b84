"""Messages that declare resources: the group, kind and versions that each describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import parse_version
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.resource import Declared, declared
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import File, Message

STRATEGY = "buf runs a plugin once per folder: set `strategy: all` in buf.gen.yaml, or give protoc all files at once"


class Source(Record):
    """One message that describes versions of a kind."""

    message: Message
    declared: Declared
    group: str
    kind: str
    versions: tuple[str, ...]
    package: Mapping[str, Place]

    def place(self, member: str = "") -> Place:
        """Where a member of the resource was declared, else where the resource was."""
        return self.mark(member) or self.declared.at

    def mark(self, member: str) -> Place | None:
        """Where a member was declared: on the message, else on its package."""
        return self.declared.places.get(member) or self.package.get(member)


class SourceReader:
    """Reads the sources of messages."""

    def __init__(self, api: ApiSet, collector: Collector, problems: Problems) -> None:
        self._api = api
        self._collector = collector
        self._problems = problems

    def of(self, messages: Iterable[Message]) -> Iterator[Source]:
        """The resources that messages declare. What is missing or wrong in one is a finding, and no source."""
        for message in messages:
            package, places = self._package(message)
            for resource in declared(self._collector.marks(message).members, message.full_name, self._problems):
                if not (resource.get("skip") or package.get("skip") or _is_list(message, resource)):
                    yield from self._source(message, resource, package, places)

    def _source(
        self, message: Message, resource: Declared, package: Mapping[str, Any], places: Mapping[str, Place]
    ) -> Iterator[Source]:
        kind = resource.get("kind") or resource.kind or message.name
        group = resource.get("group") or package.get("group", "")
        versions = self._versions(message, resource, package)
        if not group:
            self._problems.report(
                "resource-group",
                f'a resource must have an API group, found none for kind "{kind}"',
                resource.at,
                path=message.full_name,
                hint='set (protoc_gen_crd.v1.resource).group, or put "+groupName=<group>" above the package line',
            )
        if group and versions:
            yield Source(message, resource, group, kind, versions, places)

    def _package(self, message: Message) -> tuple[Mapping[str, Any], Mapping[str, Place]]:
        """What its package says of a message, and where it says what the members of a resource are called for."""
        merged: dict[str, Any] = {}
        places: dict[str, Place] = {}
        for members in self._collector.package(self._api.file(message.file)):
            merged |= members.values
            places |= {_OF_PACKAGES.get(name, name): members.place(name) for name in members.values}
        return merged, places

    def _versions(self, message: Message, resource: Declared, package: Mapping[str, Any]) -> tuple[str, ...]:
        given = resource.get("versions")
        if given:
            return tuple(dict.fromkeys(given))
        if package.get("version"):
            return (package["version"],)
        last = self._api.file(message.file).package.rpartition(".")[2]
        if parse_version(last):
            return (last,)
        self._problems.report(
            "resource-version",
            f'a resource must have a version, found none for "{message.name}"',
            resource.at,
            path=message.full_name,
            hint='name versions in (protoc_gen_crd.v1.resource).versions, or end the package in one, such as "v1"',
        )
        return ()


_OF_PACKAGES = {"version": "versions"}  # what members of a package are called in a resource


def _is_list(message: Message, resource: Declared) -> bool:
    """Whether a message only spells out the list of a kind, as Go types for controller-gen do: `WidgetList.items`."""
    return not resource.values and any(
        field.name == "items" and field.repeated and f"{field.type_name.rpartition('.')[2]}List" == message.name
        for field in message.fields
    )


def target_messages(api: ApiSet) -> Iterator[Message]:
    """Every message of the targets, nested ones after their parents; map entries are left out."""
    for file in api.targets():
        yield from _messages(api, file)


def check_targets(sources: Iterable[Source], api: ApiSet, problems: Problems) -> None:
    """Every version of a kind that is in the request must be in a file to generate."""
    kinds = {(source.group, source.kind): source for source in sources}
    if not kinds:
        return
    ignored = Problems()  # what is wrong with a file is told by the run that generates for it
    reader = SourceReader(api, Collector(api, ignored), ignored)
    for file in api.imports():
        for other in reader.of(m for m in _messages(api, file) if m.options or "+" in m.comment):
            source = kinds.get((other.group, other.kind))
            if source is not None:
                problems.report(
                    "resource-targets",
                    f"all versions of {source.kind} must be in files to generate, found {', '.join(other.versions)} "
                    f'in "{file.name}", which is none',
                    source.place(),
                    path=source.message.full_name,
                    hint=STRATEGY,
                )


def _messages(api: ApiSet, file: File) -> Iterator[Message]:
    stack = list(reversed(file.messages))
    while stack:
        message = api.message(stack.pop())
        if message is not None and not message.map_entry:
            yield message
            stack.extend(reversed(message.messages))
