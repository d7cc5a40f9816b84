"""Crd and its parts. Knows neither protobuf nor YAML.

Fields mirror apiextensions.k8s.io/v1. `origin` is where a part came from, `marks` where single members did.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.types import Schema

_NOTHING: Mapping[str, Any] = MappingProxyType({})


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
    label_selector_path: str = ""
    origin: Place | None = None


class Version(Record):
    """One entry of spec.versions."""

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


class Crd(Record):
    """A CustomResourceDefinition. `conversion` is spec.conversion as plain data, None where it is not given."""

    group: str
    names: Names
    scope: str
    versions: tuple[Version, ...]
    labels: Mapping[str, str] = _NOTHING
    annotations: Mapping[str, str] = _NOTHING
    conversion: Mapping[str, Any] | None = None
    origin: Place | None = None
    marks: Mapping[str, Place] = _NOTHING

    @property
    def name(self) -> str:
        """metadata.name, by rule `<plural>.<group>`."""
        return f"{self.names.plural}.{self.group}"
