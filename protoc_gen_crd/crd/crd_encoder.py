"""Encoding of Crd as plain data, as in a manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names, PrinterColumn, Scale
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas
from protoc_gen_crd.schema.schema_encoder import encode as encode_schema

if TYPE_CHECKING:
    from protoc_gen_crd.schema.go_type_decoder import Path


def encode(crd: Crd, memo: EncodedSchemas | None = None) -> dict[str, Any]:
    """Return the manifest of a CRD.

    Args:
        crd: The CRD.
        memo: Shares the plain data of shared schemas across versions and CRDs.
    """
    memo = EncodedSchemas() if memo is None else memo
    metadata = {"name": crd.name, "annotations": dict(crd.annotations), "labels": dict(crd.labels)}
    spec: dict[str, Any] = {
        "group": crd.group,
        "names": _encode_names(crd.names),
        "scope": crd.scope,
        "versions": [_encode_version(version, memo) for version in crd.versions],
    }
    if crd.conversion is not None:
        spec["conversion"] = dict(crd.conversion)
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": _drop_empty(metadata),
        "spec": spec,
    }


def add_unknown_fields(manifest: dict[str, Any], crd: Crd) -> dict[str, Any]:
    """Return an encoded CRD with its unknown fields, without those below members that are not encoded.

    Data around the fields is copied, since schemas are shared.
    """
    for field in crd.unknown_fields:
        manifest = _set_value(manifest, field.path, field.value)
    return manifest


def _set_value(plain: Any, path: Path, value: Any) -> Any:
    """Return plain data with a value at a path; unchanged if the parent of the value does not exist."""
    step, rest = path[0], path[1:]
    if isinstance(plain, dict):
        if not rest:
            return {**plain, step: value}
        return {**plain, step: _set_value(plain[step], rest, value)} if step in plain else plain
    if isinstance(plain, list | tuple) and isinstance(step, int) and step < len(plain):
        return [_set_value(item, rest, value) if index == step else item for index, item in enumerate(plain)]
    return plain


def _drop_empty(members: dict[str, Any]) -> dict[str, Any]:
    """Remove empty members, like `omitempty` in Go."""
    return {key: value for key, value in members.items() if value not in (None, "", 0, False, [], {}, ())}


def _encode_names(names: Names) -> dict[str, Any]:
    required = {"kind": names.kind, "plural": names.plural}
    return required | _drop_empty({
        "singular": names.singular,
        "listKind": names.list_kind,
        "shortNames": list(names.short_names),
        "categories": list(names.categories),
    })  # fmt: skip


def _encode_column(column: PrinterColumn) -> dict[str, Any]:
    required = {"name": column.name, "type": column.type, "jsonPath": column.json_path}
    return required | _drop_empty(
        {"description": column.description, "format": column.format, "priority": column.priority}
    )


def _encode_scale(scale: Scale) -> dict[str, Any]:
    required = {"specReplicasPath": scale.spec_replicas_path, "statusReplicasPath": scale.status_replicas_path}
    selector = scale.label_selector_path
    return required | ({} if selector is None else {"labelSelectorPath": selector})


def _encode_version(version: CrdVersion, memo: EncodedSchemas) -> dict[str, Any]:
    plain: dict[str, Any] = {"name": version.name, "served": version.served, "storage": version.storage}
    subresources: dict[str, Any] = {"status": {}} if version.status else {}
    if version.scale:
        subresources["scale"] = _encode_scale(version.scale)
    plain |= _drop_empty({
        "additionalPrinterColumns": [_encode_column(column) for column in version.columns],
        "deprecated": version.deprecated,
        "selectableFields": [{"jsonPath": path} for path in version.selectable_fields],
    })  # fmt: skip
    if version.deprecation_warning is not None:
        plain["deprecationWarning"] = version.deprecation_warning
    if subresources or "subresources" in version.explicit_empty:
        plain["subresources"] = subresources
    if version.schema is not None:
        plain["schema"] = {"openAPIV3Schema": encode_schema(version.schema, memo)}
    elif "schema" in version.explicit_empty:
        plain["schema"] = {}
    return plain
