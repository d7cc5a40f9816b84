"""The fields that resources have without their schema: apiVersion, kind, and metadata with the fields of its Go type.

Servers validate them by a schema that has them, but never prune them. They decode metadata as its Go type, which drops
other fields. Resources are whole objects and embedded ones.
Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta and pruning.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from protoc_gen_crd.comparison.schemas.enforced_keywords import TYPE_FIELDS
from protoc_gen_crd.comparison.schemas.node_pair import ITEM, METADATA, PROPERTY, ROOT, VALUE, NodePair
from protoc_gen_crd.crd.metadata_go_types import OBJECT_META, OWNER_REFERENCE, STRUCTS
from protoc_gen_crd.schema.schema import EMBEDDED, PRESERVE, Schema

_OBJECT = Schema({"type": "object"})
_NULLABLE_OBJECT = Schema({"type": "object", "nullable": True})
_STRING = Schema({"type": "string"})
_NULLABLE_STRING = Schema({"type": "string", "nullable": True})
_STRINGS = "map[string]string"
_JSON, _TIME = "v1.JSON", "v1.Time"
_UNKNOWN_OBJECT = {"type": "object", PRESERVE: True}
# Fields of a Go type that servers require.
_REQUIRED_FIELDS = {OWNER_REFERENCE: ("apiVersion", "kind", "name", "uid")}
_GO_TYPES: Mapping[str, Mapping[str, Any]] = {
    "bool": {"type": "boolean"},
    "int64": {"type": "integer"},
    _STRINGS: {"type": "object", "additionalProperties": _STRING},
    "[]string": {"type": "array", "items": _STRING},
    "[]v1.OwnerReference": {"type": "array", "items": Schema(_UNKNOWN_OBJECT)},
    "[]v1.ManagedFieldsEntry": {"type": "array", "items": Schema(_UNKNOWN_OBJECT)},
    _JSON: _UNKNOWN_OBJECT,
    _TIME: {"type": "string", "format": "date-time"},
}
_STRUCT_FIELDS: Mapping[str, Mapping[str, Schema]] = {
    struct: {name: Schema(_GO_TYPES.get(kind.removeprefix("*"), {"type": "string"})) for name, kind in fields.items()}
    for struct, fields in STRUCTS.items()
}
METADATA_FIELDS = _STRUCT_FIELDS[OBJECT_META]
RESOURCE_FIELDS: Mapping[str, Schema] = {
    "apiVersion": _STRING, "kind": _STRING, METADATA: _OBJECT,
}  # fmt: skip


def add_implicit_fields(pair: NodePair) -> NodePair:
    """Return a pair in which both sides have the implicit fields that the schema of one of them has."""
    are_resources = _are_resources(pair)
    if any(are_resources):
        fields = _get_resource_fields(pair)
        sides = [_add_fields(pair, side, fields) if is_resource else side
                 for side, is_resource in zip((pair.old, pair.new), are_resources, strict=True)]  # fmt: skip
    else:
        go_type, are_in_resources = _find_go_type(pair)
        if not go_type:
            return pair
        sides = [_decode_metadata(pair, side, go_type, are_in_resources) if is_in_resource else side
                 for side, is_in_resource in zip((pair.old, pair.new), are_in_resources, strict=True)]  # fmt: skip
    return pair.with_schemas(*sides)


def list_present_fields(pair: NodePair) -> frozenset[str]:
    """Return the implicit fields that all objects have in both APIs, because servers set or require them."""
    if pair.position == ROOT:
        return frozenset(RESOURCE_FIELDS)
    return TYPE_FIELDS if _have_type_fields(pair) else frozenset()


def is_required_type(pair: NodePair) -> bool:
    """Report whether both APIs require a field because it is apiVersion or kind of an embedded resource.

    Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta validation.go (validateEmbeddedResource).
    """
    parent = pair.parent
    if parent is None or parent.position == ROOT or pair.position != PROPERTY:
        return False
    return pair.name in TYPE_FIELDS and pair.old_name == pair.name and _have_type_fields(parent)


def _have_type_fields(pair: NodePair) -> bool:
    """Report whether a node is a resource with apiVersion and kind in both APIs."""
    return all(_are_resources(pair)) and not pair.has_unchecked_resources()


def _add_fields(pair: NodePair, side: Schema, fields: Mapping[str, Schema], always: Collection[str] = ()) -> Schema:
    """Return a side with the implicit fields that the schema of one of the sides has, and with those in `always`."""
    names = {*always, *pair.old.properties, *pair.new.properties}
    added = {name: child for name, child in fields.items() if name in names and name not in side.properties}
    return side.with_keywords({"properties": {**side.properties, **added}}) if added else side


def _decode_metadata(pair: NodePair, side: Schema, go_type: str, are_in_resources: tuple[bool, bool]) -> Schema:
    """Return a side of a node in metadata with what its Go type adds to its schema."""
    if go_type == _STRINGS:
        return side if side.additional else _open_map(pair, side)
    if go_type == _TIME:
        return side.with_keywords(_GO_TYPES[_TIME]) if side.type == "string" else side
    if go_type in _STRUCT_FIELDS:
        side = _decode_struct(pair, side, go_type)
    elif go_type != _JSON:
        return side
    is_open = all(are_in_resources) or bool(pair.old.get(PRESERVE) or pair.new.get(PRESERVE))
    return side.with_keywords({PRESERVE: True}) if is_open else side


def _decode_struct(pair: NodePair, side: Schema, struct: str) -> Schema:
    """Return a side without fields that a struct does not have; servers set their defaults after decoding."""
    fields, always = _STRUCT_FIELDS[struct], _REQUIRED_FIELDS.get(struct, ())
    known = {name: child for name, child in side.properties.items() if name in fields or "default" in child}
    changes: dict[str, Any] = {"properties": known} if side.properties else {}
    if always:
        changes["required"] = sorted({*(side.get("required") or ()), *always})
    unwritten = fields.keys() & {*pair.old.properties, *pair.new.properties} - side.properties.keys()
    owner = pair.with_schemas(*(schema.with_keywords({PRESERVE: True}) for schema in (pair.old, pair.new)))
    maps = {
        name: _open_map(NodePair(child, child, f"{pair.path}.{name}", PROPERTY, owner, name), child)
        for name in unwritten
        if (child := fields[name]).additional
    }
    return _add_fields(pair, side.with_keywords(changes), {**fields, **maps}, always)


def _open_map(pair: NodePair, side: Schema) -> Schema:
    """Return a map of strings with a schema of its values, which servers store as empty strings if they are null."""
    from protoc_gen_crd.comparison.schemas.defaults_and_nulls import is_observed  # noqa: PLC0415 - few resources are embedded

    value = NodePair(_STRING, _STRING, f"{pair.path}{{}}", VALUE, pair)
    values = _NULLABLE_STRING if is_observed(value, appears=True, disappears=True) else _STRING
    others = {name: keyword for name, keyword in side.keywords.items() if name != PRESERVE}
    return Schema({**others, "additionalProperties": values}, side.origin, side.marks, side.facts)


def _find_go_type(pair: NodePair) -> tuple[str, tuple[bool, bool]]:
    """Return the Go type of a node in metadata, empty for others, and whether each API has it in a resource."""
    parent = pair.parent
    if parent is None:
        return "", (False, False)
    are_resources = _are_resources(parent)
    if pair.position == PROPERTY and pair.name == METADATA and any(are_resources):
        return OBJECT_META, are_resources
    go_type, are_in_resources = _find_go_type(parent)
    own = go_type.removeprefix("[]") if pair.position == ITEM else STRUCTS.get(go_type, {}).get(pair.name, "")
    return own.removeprefix("*"), are_in_resources


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
