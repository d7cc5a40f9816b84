"""Model of API groups: versions, RPCs, and the types that the hub has for the messages of all versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.groups.served_microversions import MicroversionLine, VersionMetadata
from protoc_gen_crd.kubernetes.version_ranges import is_release
from protoc_gen_crd.proto.element_model import Enum, Field, Message, Method, Service

WELL_KNOWN_PACKAGE = "google.protobuf"


def get_version_module(name: str) -> str:
    """Return the name of the Python package of a version: v1beta1, or v3_4 for the microversion 3.4."""
    return f"v{name.replace('.', '_')}" if is_release(name) else name


class Declaration(Record):
    """A conversion option: its members, its place, and the full name of its element."""

    values: Mapping[str, Any]
    at: Place
    owner: str


class GroupVersion(Record):
    """A version of a group: its service and package. `index` is its position by age, from 0 for the oldest."""

    index: int
    name: str
    package: str
    service: Service
    deprecated: str  # the deprecation notice, empty if the version is not deprecated
    endpoint: str
    rejects_unknown_fields: bool
    is_generated: bool = False  # from an annotated service
    policy: Mapping[str, int] = {}  # the minimum support of deprecated elements, in months and releases
    wire_package: str | None = None  # the package that all microversions share; None for an API version

    @property
    def module(self) -> str:
        """The name of the Python package of the version: v1beta1, or v3_4 for the microversion 3.4."""
        return get_version_module(self.name)

    @property
    def constant(self) -> str:
        """The name of the version in the enum of versions: V1BETA1, or V3_4."""
        return self.module.upper()

    def get_wire_name(self, full_name: str) -> str:
        """Return the full name of a type or service for clients."""
        prefix = f"{self.package}."
        if self.wire_package is None or not full_name.startswith(prefix):
            return full_name
        return f"{self.wire_package}.{full_name.removeprefix(prefix)}".removeprefix(".")

    def get_relative_name(self, full_name: str) -> str:
        """Return the name of a type below the package of the version; other types keep their full names."""
        return full_name.removeprefix(f"{self.package}.") if self.package else full_name


class VersionRpc(Record):
    """An RPC of a version.

    `deprecated` is the deprecation notice, empty if it is not deprecated; `policy` the minimum support after that.
    """

    version: GroupVersion
    method: Method
    deprecated: str
    policy: Mapping[str, int] = {}


class Rpc(Record):
    """An RPC of the hub: its name in the newest version that has it, and its methods by version index."""

    name: str
    methods: Mapping[int, VersionRpc]

    @property
    def newest(self) -> VersionRpc:
        """The RPC of the newest version that has it."""
        return self.methods[max(self.methods)]

    @property
    def client_streaming(self) -> bool:
        """True if clients send a stream."""
        return self.newest.method.client_streaming

    @property
    def server_streaming(self) -> bool:
        """True if the server sends a stream."""
        return self.newest.method.server_streaming


class ServiceGroup(Record):
    """A group: its versions from oldest to newest, its RPCs, and the index of its hub version.

    `line` is the line of its microversions, None for API versions, and `header` the metadata that names them.
    """

    name: str
    versions: tuple[GroupVersion, ...]
    rpcs: tuple[Rpc, ...]
    hub: int
    line: MicroversionLine | None = None
    header: VersionMetadata = VersionMetadata()


class NumberRecord(Record):
    """The history of a microversion: title, constant and text of its note, and the release that first had it.

    All are empty if unknown.
    """

    title: str = ""
    constant: str = ""
    text: str = ""
    release: str = ""
    date: str = ""


class HubType(Record):
    """The type of a single value in the hub.

    `kind` is a scalar type of protobuf, `enum`, `message`, or `well-known`; `name` is the class for the last three.
    """

    kind: str
    name: str = ""


class FieldType(Record):
    """The type of a field on the level of the hub: `label` is single, list, or map; `key` is the type of map keys.

    `has_presence` is true if the field distinguishes unset from its default value; `oneof` is the name of its oneof.
    """

    label: str
    value: HubType
    key: HubType | None = None
    has_presence: bool = False
    oneof: str = ""


class VersionField(Record):
    """A field of a version and its type on the level of the hub."""

    field: Field
    type: FieldType
    declarations: tuple[Declaration, ...]

    @property
    def name(self) -> str:
        """The name in the proto."""
        return self.field.name


class VersionMessage(Record):
    """A message of a version. `gone` are the fields of older versions that it lacks on purpose, with their places."""

    version: GroupVersion
    message: Message
    fields: Mapping[str, VersionField]
    declarations: tuple[Declaration, ...]
    gone: Mapping[str, Place]


class MessageLineage(Record):
    """A message through the versions. `name` is the class of the hub; `members` are by version index."""

    name: str
    members: Mapping[int, VersionMessage]

    @property
    def newest(self) -> VersionMessage:
        """The message of the newest version that has it."""
        return self.members[max(self.members)]


class EnumLineage(Record):
    """An enum through the versions. `values` are the names and numbers in the hub; `members` are by version index."""

    name: str
    members: Mapping[int, Enum]
    values: Mapping[str, int]


class HubTypes(Record):
    """The types of a group by class name."""

    messages: Mapping[str, MessageLineage]
    enums: Mapping[str, EnumLineage]
    names: Mapping[tuple[int, str], str]  # the class of a type by version index and full name

    def get_message(self, version: int, full_name: str) -> MessageLineage:
        """Return the lineage of a message of a version."""
        return self.messages[self.names[version, full_name]]
