"""The fields that resources have without their schema: apiVersion, kind, and metadata.

Servers validate them by a schema that has them, but never prune them. Resources are whole objects and embedded ones.
Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta and pruning.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from protoc_gen_crd.comparison.schemas.node_pair import METADATA, PROPERTY, ROOT, NodePair
from protoc_gen_crd.crd.metadata_go_types import OBJECT_META, STRUCTS
from protoc_gen_crd.schema.schema import EMBEDDED, PRESERVE, Schema

_TYPE_FIELDS = frozenset(("apiVersion", "kind"))
_OBJECT = Schema({"type": "object"})
_NULLABLE_OBJECT = Schema({"type": "object", "nullable": True})
_STRING = Schema({"type": "string"})
_GO_TYPES: Mapping[str, Mapping[str, Any]] = {
    "int64": {"type": "integer"},
    "map[string]string": {"type": "object", "additionalProperties": _STRING},
    "[]string": {"type": "array", "items": _STRING},
    "[]v1.OwnerReference": {"type": "array", "items": Schema({"type": "object", PRESERVE: True})},
    "[]v1.ManagedFieldsEntry": {"type": "array", "items": Schema({"type": "object", PRESERVE: True})},
}
METADATA_FIELDS: Mapping[str, Schema] = {
    name: Schema(_GO_TYPES.get(kind.removeprefix("*"), {"type": "string"}))
    for name, kind in STRUCTS[OBJECT_META].items()
}
RESOURCE_FIELDS: Mapping[str, Schema] = {
    "apiVersion": _STRING, "kind": _STRING, METADATA: _OBJECT,
}  # fmt: skip


def add_implicit_fields(pair: NodePair) -> NodePair:
    """Return a pair in which both sides have the implicit fields that the schema of one of them has."""
    if not _may_have_implicit_fields(pair):
        return pair
    implicit = _get_implicit_fields(pair)
    if not any(implicit):
        return pair
    names = {*pair.old.properties, *pair.new.properties}
    # Servers preserve all fields of metadata.
    is_open = all(implicit) or bool(pair.old.get(PRESERVE) or pair.new.get(PRESERVE))
    old, new = (
        _complete(schema, fields, names, preserve=is_open and fields is METADATA_FIELDS)
        for schema, fields in zip((pair.old, pair.new), implicit, strict=True)
    )
    completed = NodePair(old, new, pair.path, pair.position, pair.parent, pair.name, pair.scale)
    completed.old_name = pair.old_name
    return completed


def list_present_fields(pair: NodePair) -> frozenset[str]:
    """Return the implicit fields that all objects have in both APIs, because servers set or require them."""
    if pair.position == ROOT:
        return frozenset(RESOURCE_FIELDS)
    return _TYPE_FIELDS if all(_are_resources(pair)) else frozenset()


def is_required_type(pair: NodePair) -> bool:
    """Report whether both APIs require a field because it is apiVersion or kind of an embedded resource.

    Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta validation.go (validateEmbeddedResource).
    """
    parent = pair.parent
    if parent is None or parent.position == ROOT or pair.position != PROPERTY:
        return False
    return pair.name in _TYPE_FIELDS and pair.old_name == pair.name and all(_are_resources(parent))


def _complete(schema: Schema, fields: Mapping[str, Schema], names: Collection[str], *, preserve: bool) -> Schema:
    added = {name: child for name, child in fields.items() if name in names and name not in schema.properties}
    changes: dict[str, Any] = {"properties": {**schema.properties, **added}} if added else {}
    return schema.with_keywords({**changes, PRESERVE: True} if preserve else changes)


def _may_have_implicit_fields(pair: NodePair) -> bool:
    """Report whether a node may be a resource or its metadata. Most nodes are neither."""
    return pair.position == ROOT or pair.name == METADATA or EMBEDDED in pair.old or EMBEDDED in pair.new


def _get_implicit_fields(pair: NodePair) -> list[Mapping[str, Schema]]:
    """Return the implicit fields of a node in each API."""
    is_metadata = pair.position == PROPERTY and pair.name == METADATA
    contains_resource = _are_resources(pair.parent) if is_metadata and pair.parent is not None else (False, False)
    return [
        _get_resource_fields(pair) if is_resource else METADATA_FIELDS if is_in_resource else {}
        for is_resource, is_in_resource in zip(_are_resources(pair), contains_resource, strict=True)
    ]


def _get_resource_fields(pair: NodePair) -> Mapping[str, Schema]:
    """Return the implicit fields of a resource.

    Servers drop a null as metadata of an embedded resource only if the schema has the field. Otherwise, they store {},
    as if it was nullable.
    """
    if pair.position == ROOT:
        return RESOURCE_FIELDS
    from protoc_gen_crd.comparison.schemas.defaults_and_nulls import is_observed  # noqa: PLC0415 - few resources are embedded

    metadata = NodePair(_OBJECT, _OBJECT, METADATA, PROPERTY, pair, METADATA)
    written = (side.properties.get(METADATA) for side in (pair.old, pair.new))
    is_nullable = any(side and side.get("nullable") for side in written)
    is_nullable = is_nullable or is_observed(metadata, appears=True, disappears=True)
    return {**RESOURCE_FIELDS, METADATA: _NULLABLE_OBJECT} if is_nullable else RESOURCE_FIELDS


def _are_resources(pair: NodePair) -> tuple[bool, bool]:
    is_root = pair.position == ROOT
    return is_root or bool(pair.old.get(EMBEDDED)), is_root or bool(pair.new.get(EMBEDDED))
