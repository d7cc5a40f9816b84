"""Crd and its parts, independent of protobuf and YAML.

Fields mirror apiextensions.k8s.io/v1. `origin` is the place of a part, `marks` are the places of its members by JSON
path. Paths of a Crd are relative to its spec (`scope`, `names.kind`), except for `metadata.labels` and the like. Items
of lists and entries of maps have paths such as `names.shortNames[1]` and `metadata.labels[key]`. A path without a mark
has the place of its parent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.schema import Schema

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def _find_place(marks: Mapping[str, Place], origin: Place | None, path: str) -> Place | None:
    while path:
        if path in marks:
            return marks[path]
        path = path.rpartition("[" if path.endswith("]") else ".")[0]
    return origin


class Names(Record):
    """spec.names."""

    kind: str
    plural: str
    singular: str = ""
    list_kind: str = ""
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


class PrinterColumn(Record):
    """One entry of additionalPrinterColumns."""

    name: str
    type: str
    json_path: str
    description: str = ""
    format: str = ""
    priority: int = 0
    origin: Place | None = None


class Scale(Record):
    """The scale subresource."""

    spec_replicas_path: str
    status_replicas_path: str
    label_selector_path: str | None = None
    origin: Place | None = None


class CrdVersion(Record):
    """One entry of spec.versions. `explicit_empty` names the members that exist in the manifest, even if empty.

    `channel` is the release channel, which servers do not read.
    """

    name: str
    schema: Schema | None = None
    served: bool = True
    storage: bool = False
    deprecated: bool = False
    deprecation_warning: str | None = None
    status: bool = False
    scale: Scale | None = None
    columns: tuple[PrinterColumn, ...] = ()
    selectable_fields: tuple[str, ...] = ()
    origin: Place | None = None
    marks: Mapping[str, Place] = _NOTHING
    explicit_empty: tuple[str, ...] = ()
    channel: str = ""

    def get_place(self, path: str) -> Place | None:
        """Return the place of a member such as `deprecationWarning`, otherwise of the version."""
        return _find_place(self.marks, self.origin, path)


class UnknownField(Record):
    """A field of a manifest that no API server knows: its path in the manifest, its plain value, and its key's place.

    `known` are the fields that the newest API servers know at the same place. `is_reported` is whether servers report
    the field: they drop those below `items` and `additionalProperties` without a warning.
    """

    path: tuple[str | int, ...]
    value: Any
    origin: Place | None = None
    known: Collection[str] = ()
    is_reported: bool = True

    @property
    def message(self) -> str:
        """The message of strict decoding about the field."""
        from protoc_gen_crd.schema.go_type_decoder import format_path  # noqa: PLC0415 - generated CRDs have no such field

        return f'unknown field "{format_path(self.path)}"'

    def make_hint(self) -> str:
        """Return a hint for a misspelled name; empty for a field that only older API servers lack."""
        name = str(self.path[-1])
        return "" if name in self.known else suggest(name, self.known)


class Crd(Record):
    """A CustomResourceDefinition. `conversion`, `status` and further members of `metadata` are plain data.

    `hub` is the version that conversions go through, if it is not the storage version, and `earlier_hubs` are others of
    recorded releases; servers read neither. Absent members are None; `explicit_empty` is as in CrdVersion. `metadata`
    contains a name other than `<plural>.<group>`. `unknown_fields` are those of the manifest that it was decoded from.
    """

    group: str
    names: Names
    scope: str
    versions: tuple[CrdVersion, ...]
    labels: Mapping[str, str] = _NOTHING
    annotations: Mapping[str, str] = _NOTHING
    conversion: Mapping[str, Any] | None = None
    origin: Place | None = None
    marks: Mapping[str, Place] = _NOTHING
    metadata: Mapping[str, Any] = _NOTHING
    preserve_unknown_fields: bool = False
    status: Mapping[str, Any] | None = None
    explicit_empty: tuple[str, ...] = ()
    hub: str = ""
    earlier_hubs: tuple[str, ...] = ()
    unknown_fields: tuple[UnknownField, ...] = ()

    @property
    def name(self) -> str:
        """Return metadata.name, by default `<plural>.<group>`."""
        name: str | None = self.metadata.get("name")
        return f"{self.names.plural}.{self.group}" if name is None else name

    def get_place(self, path: str) -> Place | None:
        """Return the place of a member of the spec such as `names.kind`, otherwise of the CRD."""
        return _find_place(self.marks, self.origin, path)
