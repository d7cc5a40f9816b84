"""The types of a group: messages and enums of all versions, joined to one class of the hub each.

Types of the same name, relative to the package of their version, are the same type. A type with `renamed_from` is the
type of that name in the previous version. The messages of a renamed RPC are those of the RPC of the old name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.groups.group_model import (
    EnumLineage,
    GroupVersion,
    HubTypes,
    MessageLineage,
    ServiceGroup,
)
from protoc_gen_crd.groups.python_names import format_class, make_unique
from protoc_gen_crd.groups.rpcs import list_message_pairs
from protoc_gen_crd.groups.service_types import find_types
from protoc_gen_crd.groups.version_messages import MessageReader, read_declarations
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Enum, Message

TypeKey = tuple[int, str]  # version index and full name


class _Components:
    """Sets of types that are the same type in several versions."""

    def __init__(self) -> None:
        self._parents: dict[TypeKey, TypeKey] = {}

    def add(self, key: TypeKey) -> None:
        self._parents.setdefault(key, key)

    def find(self, key: TypeKey) -> TypeKey:
        while self._parents[key] != key:
            key = self._parents[key]
        return key

    def join(self, one: TypeKey, other: TypeKey) -> None:
        if one in self._parents and other in self._parents:
            self._parents[self.find(other)] = self.find(one)

    def list_sets(self) -> Iterator[list[TypeKey]]:
        sets: dict[TypeKey, list[TypeKey]] = {}
        for key in self._parents:
            sets.setdefault(self.find(key), []).append(key)
        yield from sets.values()


class LineageBuilder:
    """Builds the types of a group."""

    def __init__(self, api: ApiSet, collector: MarkerCollector, presence: frozenset[str], problems: Problems) -> None:
        self._api = api
        self._collector = collector
        self._presence = presence
        self._problems = problems

    def build(self, group: ServiceGroup, reserved: Iterable[str]) -> HubTypes:
        """Return the types of a group. Classes do not get `reserved` names."""
        reachable = {version.index: find_types(self._api, version.service) for version in group.versions}
        components = _Components()
        for index, types in reachable.items():
            for full_name in types:
                components.add((index, full_name))
        self._join_names(group.versions, reachable, components)
        for pair in list_message_pairs(group.rpcs):
            indexes = sorted(pair)
            for older, newer in pairwise(indexes):
                components.join((newer, pair[newer]), (older, pair[older]))
        return self._make_types(group, list(components.list_sets()), set(reserved), reachable)

    def _join_names(
        self,
        versions: Sequence[GroupVersion],
        reachable: Mapping[int, Mapping[str, Message | Enum]],
        components: _Components,
    ) -> None:
        """Join the types of the same name, and of the name that a newer type is renamed from."""
        previous: dict[str, TypeKey] = {}
        for version in versions:
            current: dict[str, TypeKey] = {}
            for full_name, element in reachable[version.index].items():
                name, key = version.get_relative_name(full_name), (version.index, full_name)
                current[name] = key
                old_name = next(
                    (
                        str(declaration.values["renamed_from"])
                        for declaration in read_declarations(element, self._collector)
                        if "renamed_from" in declaration.values
                    ),
                    name,
                )
                for known in (name, old_name):
                    if known in previous:
                        components.join(key, previous[known])
                        break
            previous |= current

    def _make_types(
        self,
        group: ServiceGroup,
        sets: Sequence[Sequence[TypeKey]],
        reserved: set[str],
        reachable: Mapping[int, Mapping[str, Message | Enum]],
    ) -> HubTypes:
        names: dict[TypeKey, str] = {}
        members_by_name: dict[str, dict[int, Message | Enum]] = {}
        for keys in sets:
            members = {index: reachable[index][full_name] for index, full_name in sorted(keys)}
            if len(members) < len(keys):
                self._report_repeated(group, keys)
            if all(isinstance(member, Message) and member.is_map_entry for member in members.values()):
                continue
            index = group.hub if group.hub in members else max(members)
            relative = group.versions[index].get_relative_name(members[index].full_name)
            name = make_unique(format_class(relative, reserved), members_by_name)
            members_by_name[name] = members
            names |= dict.fromkeys(keys, name)
        reader = MessageReader(self._api, self._collector, self._presence, names)
        messages = {
            name: MessageLineage(name, {
                index: reader.read(group.versions[index], member)
                for index, member in members.items() if isinstance(member, Message)
            })
            for name, members in members_by_name.items() if isinstance(members[max(members)], Message)
        }  # fmt: skip
        enums = {
            name: _make_enum(
                name, {index: member for index, member in members.items() if isinstance(member, Enum)}, group.hub
            )
            for name, members in members_by_name.items()
            if isinstance(members[max(members)], Enum)
        }
        self._report_mixed(group, members_by_name)
        return HubTypes(messages, enums, names)

    def _report_repeated(self, group: ServiceGroup, keys: Sequence[TypeKey]) -> None:
        by_version: dict[int, list[str]] = {}
        for index, full_name in keys:
            by_version.setdefault(index, []).append(full_name)
        index, full_names = next((index, names) for index, names in by_version.items() if len(names) > 1)
        problem = f'{" and ".join(sorted(full_names))} of version "{group.versions[index].name}" '
        problem += "are the same type in another version"
        message = self._api.find_message(full_names[-1]) or self._api.find_enum(full_names[-1])
        hint = "give the messages of the renamed RPC names that no older version uses"
        self._problems.report("group-rpc", problem, message.at if message else None, path=full_names[-1], hint=hint)

    def _report_mixed(self, group: ServiceGroup, members_by_name: Mapping[str, Mapping[int, Message | Enum]]) -> None:
        """Report a name that is a message in one version and an enum in another."""
        for members in members_by_name.values():
            newest = members[max(members)]
            for index, member in members.items():
                if isinstance(member, Enum) != isinstance(newest, Enum):
                    kind = "an enum" if isinstance(member, Enum) else "a message"
                    problem = f'"{newest.name}" is {kind} in {group.versions[index].name}, but not in newer versions'
                    hint = "give the type of the newer version another name"
                    self._problems.report("conversion-type", problem, newest.at, path=newest.full_name, hint=hint)


def _make_enum(name: str, members: Mapping[int, Enum], hub: int) -> EnumLineage:
    """Return an enum with the values of all versions. Values of the hub version keep their numbers."""
    values: dict[str, int] = {}
    for index in sorted(members, key=lambda index: (index != hub, -index)):
        taken = {*values.values()}
        for value in members[index].values:
            if value.name not in values:
                values[value.name] = max(values.values()) + 1 if value.number in taken else value.number
    return EnumLineage(name, members, values)
