"""Decoding of manifests into Crd by the Go types of the server, with its errors for other data.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1 types.go, k8s.io/apimachinery pkg/runtime/serializer.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.recursion_limit import raise_recursion_limit
from protoc_gen_crd.crd import metadata_go_types
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names, PrinterColumn, Scale, UnknownField
from protoc_gen_crd.crd.type_meta import KIND, KindMismatch, find_kind_mismatch
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema import schema_decoder as schema
from protoc_gen_crd.schema.go_type_decoder import (
    Builder,
    Decoder,
    DocumentPlace,
    Link,
    MemberPlaces,
    Path,
    Places,
    TypeMismatch,
    append_steps,
)

if TYPE_CHECKING:
    from protoc_gen_crd.schema.known_structs import KnownStructs

_STRUCTS: dict[str, dict[str, str]] = {
    "v1.CustomResourceDefinition": {
        "kind": "string", "apiVersion": "string", "metadata": metadata_go_types.OBJECT_META,
        "spec": "v1.CustomResourceDefinitionSpec", "status": "v1.CustomResourceDefinitionStatus",
    },
    "v1.CustomResourceDefinitionSpec": {
        "group": "string", "names": "v1.CustomResourceDefinitionNames", "scope": "v1.ResourceScope",
        "versions": "[]v1.CustomResourceDefinitionVersion", "conversion": "*v1.CustomResourceConversion",
        "preserveUnknownFields": "bool",
    },
    "v1.CustomResourceDefinitionNames": {
        "plural": "string", "singular": "string", "shortNames": "[]string", "kind": "string", "listKind": "string",
        "categories": "[]string",
    },
    "v1.CustomResourceDefinitionVersion": {
        "name": "string", "served": "bool", "storage": "bool", "deprecated": "bool", "deprecationWarning": "*string",
        "schema": "*v1.CustomResourceValidation", "subresources": "*v1.CustomResourceSubresources",
        "additionalPrinterColumns": "[]v1.CustomResourceColumnDefinition", "selectableFields": "[]v1.SelectableField",
    },
    "v1.CustomResourceValidation": {"openAPIV3Schema": f"*{schema.PROPS}"},
    "v1.CustomResourceSubresources": {
        "status": "*v1.CustomResourceSubresourceStatus", "scale": "*v1.CustomResourceSubresourceScale",
    },
    "v1.CustomResourceSubresourceStatus": {},
    "v1.CustomResourceSubresourceScale": {
        "specReplicasPath": "string", "statusReplicasPath": "string", "labelSelectorPath": "*string",
    },
    "v1.CustomResourceColumnDefinition": {
        "name": "string", "type": "string", "format": "string", "description": "string", "priority": "int32",
        "jsonPath": "string",
    },
    "v1.SelectableField": {"jsonPath": "string"},
    "v1.CustomResourceConversion": {"strategy": "v1.ConversionStrategyType", "webhook": "*v1.WebhookConversion"},
    "v1.WebhookConversion": {"clientConfig": "*v1.WebhookClientConfig", "conversionReviewVersions": "[]string"},
    "v1.WebhookClientConfig": {"url": "*string", "service": "*v1.ServiceReference", "caBundle": "[]uint8"},
    "v1.ServiceReference": {"namespace": "string", "name": "string", "path": "*string", "port": "*int32"},
    "v1.CustomResourceDefinitionStatus": {
        "conditions": "[]v1.CustomResourceDefinitionCondition", "acceptedNames": "v1.CustomResourceDefinitionNames",
        "storedVersions": "[]string", "observedGeneration": "int64",
    },
    "v1.CustomResourceDefinitionCondition": {
        "type": "v1.CustomResourceDefinitionConditionType", "status": "v1.ConditionStatus", "reason": "string",
        "lastTransitionTime": "v1.Time", "message": "string", "observedGeneration": "int64",
    },
}  # fmt: skip
_ALL_STRUCTS = {**schema.STRUCTS, **metadata_go_types.STRUCTS, **_STRUCTS}
_EXTENDED_STRUCTS = frozenset((
    "v1.ValidationRule", "v1.CustomResourceDefinitionVersion", "v1.CustomResourceDefinitionStatus",
    "v1.CustomResourceDefinitionCondition",
))  # fmt: skip
_UNIONS = {**schema.UNIONS, **metadata_go_types.UNIONS}


class DecodedCrd(Record):
    """The result of decoding a manifest: the CRD or the reason for its rejection, and the paths of unknown fields.

    `other_kind` is set for manifests of other kinds, `misfit` for a value of the wrong type. `features` contains the
    members of structs that were extended in some Kubernetes version, such as `v1.ValidationRule.reason`.
    """

    crd: Crd | None
    misfit: TypeMismatch | None = None
    unknown: tuple[Path, ...] = ()
    features: frozenset[str] = frozenset()
    other_kind: KindMismatch | None = None

    def format_rejection(self, *, nested: bool, line: int = 111) -> str:
        """Return the message of the 400 response, empty for a CRD; `nested` for servers with full paths inside `items`.

        `line` is the line of the server's source that the message about an unknown kind contains.
        """
        if self.other_kind is not None:
            return self.other_kind.format_message(line)
        if self.misfit is None:
            return ""
        return f'{KIND} in version "v1" cannot be handled as a {KIND}: {self.misfit.format_message(inner=nested)}'

    def find_rejected_value(self, places: Places) -> DocumentPlace:
        """Return the place of the value that is the reason for the rejection."""
        path = ("apiVersion",) if self.other_kind else self.misfit.path if self.misfit else ()
        return DocumentPlace(places, append_steps(path))


def decode(
    plain: object,
    places: Places | None = None,
    *,
    without: frozenset[str] = frozenset(),
    known: KnownStructs | None = None,
) -> DecodedCrd:
    """Decode a manifest from plain data.

    Args:
        plain: The manifest.
        places: Returns the location of a path in the document.
        without: Members that the server does not have yet, as in `DecodedCrd.features`; they are unknown fields.
        known: Schemas of other documents that share objects with this one, which are not decoded again.
    """
    raise_recursion_limit()
    other = find_kind_mismatch(plain)
    if other is not None:
        return DecodedCrd(None, other_kind=other)
    structs = (
        _ALL_STRUCTS
        if not without
        else {name: _drop_unsupported(name, types, without) for name, types in _ALL_STRUCTS.items()}
    )
    decoder = Decoder(structs, {}, _UNIONS, places, _EXTENDED_STRUCTS, known)
    decoder.builders = {**schema.make_builders(decoder), **_make_builders(decoder)}
    crd = decoder.decode(plain, "v1.CustomResourceDefinition")
    if decoder.misfit is not None:
        return DecodedCrd(None, decoder.misfit, features=frozenset(decoder.present))
    if unknown := decoder.unknown | decoder.unreported:
        fields = [_make_unknown_field(plain, path, decoder, _ALL_STRUCTS[kind]) for path, kind in unknown.items()]
        crd = crd.replace(unknown_fields=tuple(fields))
    return DecodedCrd(crd, None, tuple(decoder.unknown), frozenset(decoder.present))


def _make_unknown_field(plain: Any, path: Path, decoder: Decoder, known: Collection[str]) -> UnknownField:
    value = plain
    for step in path:
        value = value[step]
    place = decoder.get_place(append_steps(path))
    return UnknownField(path, value, place.get_key() if place else None, known, path in decoder.unknown)


def _drop_unsupported(struct: str, types: dict[str, str], without: frozenset[str]) -> dict[str, str]:
    return {key: kind for key, kind in types.items() if f"{struct}.{key}" not in without}


def _make_builders(decoder: Decoder) -> dict[str, Builder]:
    def build_names(members: dict[str, Any], _: Link) -> Names:
        return Names(
            kind=members.get("kind") or "",
            plural=members.get("plural") or "",
            singular=members.get("singular") or "",
            list_kind=members.get("listKind") or "",
            short_names=tuple(members.get("shortNames") or ()),
            categories=tuple(members.get("categories") or ()),
        )

    def build_column(members: dict[str, Any], path: Link) -> PrinterColumn:
        return PrinterColumn(
            name=members.get("name") or "",
            type=members.get("type") or "",
            json_path=members.get("jsonPath") or "",
            description=members.get("description") or "",
            format=members.get("format") or "",
            priority=members.get("priority") or 0,
            origin=decoder.get_place(path),
        )

    def build_scale(members: dict[str, Any], path: Link) -> Scale:
        return Scale(
            spec_replicas_path=members.get("specReplicasPath") or "",
            status_replicas_path=members.get("statusReplicasPath") or "",
            label_selector_path=members.get("labelSelectorPath"),
            origin=decoder.get_place(path),
        )

    def build_version(members: dict[str, Any], path: Link) -> CrdVersion:
        return _build_version(members, decoder, path)

    def build_crd(members: dict[str, Any], _: Link) -> Crd:
        return _build_crd(members, decoder)

    return {
        "v1.CustomResourceDefinitionNames": build_names,
        "v1.CustomResourceColumnDefinition": build_column,
        "v1.CustomResourceSubresourceScale": build_scale,
        "v1.CustomResourceDefinitionVersion": build_version,
        "v1.CustomResourceDefinition": build_crd,
    }


def _build_version(members: dict[str, Any], decoder: Decoder, path: Link) -> CrdVersion:
    subresources = members.get("subresources") or {}
    return CrdVersion(
        name=members.get("name") or "",
        schema=(members.get("schema") or {}).get("openAPIV3Schema"),
        served=bool(members.get("served")),
        storage=bool(members.get("storage")),
        deprecated=bool(members.get("deprecated")),
        deprecation_warning=members.get("deprecationWarning"),
        status=subresources.get("status") is not None,
        scale=subresources.get("scale"),
        columns=tuple(members.get("additionalPrinterColumns") or ()),
        selectable_fields=tuple(field.get("jsonPath") or "" for field in members.get("selectableFields") or ()),
        origin=decoder.get_place(path),
        marks=decoder.get_member_places(path, members),
        explicit_empty=tuple(key for key, value in members.items() if value is not None),
    )


def _build_crd(members: dict[str, Any], decoder: Decoder) -> Crd:
    spec, metadata = members.get("spec") or {}, members.get("metadata") or {}
    return Crd(
        group=spec.get("group") or "",
        names=spec.get("names") or Names("", ""),
        scope=spec.get("scope") or "",
        versions=tuple(spec.get("versions") or ()),
        labels=metadata.get("labels") or {},
        annotations=metadata.get("annotations") or {},
        conversion=spec.get("conversion"),
        origin=decoder.get_place(()),
        marks=_CrdPlaces(decoder.places, (), spec) if decoder.places else {},
        metadata={"name": metadata.get("name") or "", **_get_remaining_metadata(metadata)},
        preserve_unknown_fields=bool(spec.get("preserveUnknownFields")),
        status=members.get("status"),
        explicit_empty=tuple(key for key, value in spec.items() if value is not None),
    )


class _CrdPlaces(MemberPlaces):
    """The places of the members of spec and metadata."""

    def __getitem__(self, member: str) -> Place:
        return super().__getitem__(member if member.startswith("metadata.") else f"spec.{member}")


def _get_remaining_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in metadata.items() if key not in ("name", "labels", "annotations")}
