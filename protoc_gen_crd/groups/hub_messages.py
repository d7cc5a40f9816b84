"""The messages of the hub: their fields, and the expression of each field from and to every version.

A field of the hub is a field of the hub version, or of another version without a counterpart there. Its value in a
version is found by following the links from one adjacent version to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.groups.field_links import Link, MessageLinks
from protoc_gen_crd.groups.group_model import FieldType, MessageLineage, ServiceGroup, VersionField
from protoc_gen_crd.groups.python_names import format_attribute, format_class, make_unique
from protoc_gen_crd.groups.value_conversions import parse_default
from protoc_gen_crd.groups.value_expressions import WELL_KNOWN_MODULES, Value, format_zero

Read = Callable[[VersionField], Value]


class HubField(Record):
    """A field of a message of the hub.

    `version` is the index of the version that defines it. `choice` is the class of a member of a oneof, whose attribute
    is `attribute`. `last` is the last version with the field if newer versions do not have it.
    """

    name: str
    attribute: str
    type: FieldType
    version: int
    origin: VersionField
    choice: str = ""
    last: str = ""

    def get_value(self) -> Value:
        """Return the value of the field in the hub object `source`."""
        code = f"source.{self.attribute}"
        if self.choice:
            return Value(f"{code}.value", f"isinstance({code}, hub.{self.choice})")
        return Value(code, f"{code} is not None" if format_zero(self.type) == "None" else "")


class HubMessage:
    """A message of the hub, and the links between the versions of its lineage."""

    def __init__(
        self, lineage: MessageLineage, links: Sequence[MessageLinks], group: ServiceGroup, classes: Collection[str]
    ) -> None:
        self.lineage = lineage
        self.name = lineage.name
        self.links = tuple(links)
        self._group = group
        self._indexes = sorted(lineage.members)
        inputs = {
            (index, version_rpc.method.input_type) for rpc in group.rpcs for index, version_rpc in rpc.methods.items()
        }
        self.has_version = group.line is not None and any(
            (index, member.message.full_name) in inputs for index, member in lineage.members.items()
        )  # requests of microversions have the version of the client
        self._reserved = _RESERVED.union(classes, [VERSION] if self.has_version else [])
        self._up = {link.older.version.index: link for link in links}
        self._down = {link.newer.version.index: link for link in links}
        older = [index for index in self._indexes if index <= group.hub]
        self.hub = max(older) if older else min(self._indexes)
        self._version_values: dict[tuple[int, str], Value] = {}
        self.fields = tuple(self._make_fields())

    def _make_fields(self) -> Iterator[HubField]:
        order = sorted(self._indexes, key=lambda index: (index != self.hub, -index))
        taken: dict[str, None] = {}
        for index in order:
            member = self.lineage.members[index]
            for name, field in member.fields.items():
                if self._is_canonical(index, name):
                    yield self._make_field(index, name, field, taken)

    def _make_field(self, index: int, name: str, field: VersionField, taken: dict[str, None]) -> HubField:
        field_type = field.type.replace(has_presence=field.type.has_presence or self._has_presence(index, name))
        version = self._group.versions[index].name
        last = version if index < self._indexes[-1] and self._find_up(index, name) is None else ""
        oneof = field.type.oneof
        if oneof:
            attribute = format_attribute(oneof, self._reserved)
            choice = format_class(f"{self.name}.{oneof}.{name}")
            taken.setdefault(attribute)
            return HubField(name, attribute, field_type, index, field, choice, last)
        attribute = format_attribute(name, self._reserved)
        attribute = make_unique(
            f"{attribute}_{self._group.versions[index].module}" if attribute in taken else attribute, taken
        )
        taken[attribute] = None
        return HubField(name, attribute, field_type, index, field, "", last)

    def _is_canonical(self, index: int, name: str) -> bool:
        if index == self.hub:
            return True
        if index > self.hub:
            return self._find_down(index, name) is None
        pair = self._up[index]
        has_function = bool(pair.functions) and name not in pair.newer.gone
        return self._find_up(index, name) is None and not has_function

    def _find_up(self, index: int, name: str) -> Link | None:
        """Return the link from a field to the next newer version."""
        pair = self._up.get(index)
        return next((link for link in pair.links if name in link.older), None) if pair else None

    def _find_down(self, index: int, name: str) -> Link | None:
        """Return the link from a field to the next older version."""
        pair = self._down.get(index)
        return next((link for link in pair.links if name in link.newer), None) if pair else None

    def _has_presence(self, index: int, name: str) -> bool:
        """Return whether the field has presence in another version that has it under one name."""
        for find, get_names, step in ((self._find_up, _get_newer, 1), (self._find_down, _get_older, -1)):
            place, current = self._indexes.index(index), name
            while (link := find(self._indexes[place], current)) and len(link.older) == len(link.newer) == 1:
                place, current = place + step, get_names(link)[0]
                if self.lineage.members[self._indexes[place]].fields[current].type.has_presence:
                    return True
        return False

    def get_hub_value(self, field: HubField, version: int, read: Read) -> Value:
        """Return the value of a field of the hub, computed from a message of a version."""
        if version <= field.version:
            return self._get_from_older(field.version, field.name, version, read)
        return self._get_from_newer(field.version, field.name, version, read)

    def _get_from_older(self, index: int, name: str, version: int, read: Read) -> Value:
        field = self.lineage.members[index].fields[name]
        if index == version:
            return read(field)
        link = self._find_down(index, name)
        if link is None:
            return Value(format_default(field))
        older = self._down[index].older.version.index
        values = [self._get_from_older(older, field_name, version, read) for field_name in link.older]
        return link.change.up(values)[link.newer.index(name)]

    def _get_from_newer(self, index: int, name: str, version: int, read: Read) -> Value:
        field = self.lineage.members[index].fields[name]
        if index == version:
            return read(field)
        link = self._find_up(index, name)
        if link is None:
            return Value(format_zero(field.type))
        newer = self._up[index].newer.version.index
        values = [self._get_from_newer(newer, field_name, version, read) for field_name in link.newer]
        return link.change.down(values)[link.older.index(name)]

    def get_version_value(self, version: int, name: str) -> Value:
        """Return the value of a field of a version, computed from the hub object `source`."""
        if (version, name) not in self._version_values:
            self._version_values[version, name] = self._compute_version_value(version, name)
        return self._version_values[version, name]

    def _compute_version_value(self, version: int, name: str) -> Value:
        if self._is_canonical(version, name):
            return self.get_field(version, name).get_value()
        if version < self.hub:
            link, newer = self._get_link(version, name), self._up[version].newer.version.index
            values = [self.get_version_value(newer, field_name) for field_name in link.newer]
            return link.change.down(values)[link.older.index(name)]
        link, older = self._get_link(version, name), self._down[version].older.version.index
        values = [self.get_version_value(older, field_name) for field_name in link.older]
        return link.change.up(values)[link.newer.index(name)]

    def _get_link(self, version: int, name: str) -> Link:
        """Return the link from a field towards the hub version. Raises KeyError for a field of the hub."""
        link = self._find_up(version, name) if version < self.hub else self._find_down(version, name)
        if link is None:
            raise KeyError(name)
        return link

    def get_field(self, version: int, name: str) -> HubField:
        """Return the field of the hub that a field of a version defines."""
        return next(field for field in self.fields if (field.version, field.name) == (version, name))

    def find_functions(self, version: int) -> Mapping[str, str]:
        """Return the hand-written functions for the whole message between a version and the hub, by direction."""
        indexes = self._indexes
        if version < self.hub:
            pairs = [self._up[index] for index in indexes if version <= index < self.hub]
            return next((pair.functions for pair in pairs if pair.functions), {})
        pairs = [self._down[index] for index in indexes if self.hub < index <= version]
        functions = next((pair.functions for pair in pairs if pair.functions), {})
        return {_REVERSED[way]: name for way, name in functions.items()}

    def list_members(self, version: int) -> list[str]:
        """Return the fields of a version that a hub object has values for."""
        has_function = bool(self.find_functions(version))
        names = self.lineage.members[version].fields
        return [name for name in names if not has_function or self._is_derived(version, name)]

    def _is_derived(self, version: int, name: str) -> bool:
        """Return whether a field of a version is linked through all versions to the hub."""
        if version == self.hub:
            return True
        link = self._find_up(version, name) if version < self.hub else self._find_down(version, name)
        if link is None:
            return False
        if version < self.hub:
            newer = self._up[version].newer.version.index
            return all(self._is_derived(newer, field_name) for field_name in link.newer)
        older = self._down[version].older.version.index
        return all(self._is_derived(older, field_name) for field_name in link.older)


_REVERSED = {"from": "to", "to": "from"}
VERSION = "version"  # the attribute of requests
_RESERVED = frozenset(["dataclass", "enum", "field", "hub", *WELL_KNOWN_MODULES.values()])


def _get_newer(link: Link) -> tuple[str, ...]:
    return link.newer


def _get_older(link: Link) -> tuple[str, ...]:
    return link.older


def format_default(field: VersionField) -> str:
    """Return the value of a field for clients of older versions: its declared default, or that of an unset field."""
    text = next(
        (str(declaration.values["default"]) for declaration in field.declarations if "default" in declaration.values),
        None,
    )
    return format_zero(field.type) if text is None else parse_default(field.type, text) or format_zero(field.type)
