"""Validation of x-kubernetes-list-type, x-kubernetes-list-map-keys, and x-kubernetes-map-type.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go (validateMapListKeysMapSet and
the second half of ValidateCustomResourceDefinitionOpenAPISchema).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.admission.crd.structure.schema_visitor import (
    HAS_EXTENSION,
    LOOSE_KEYS,
    LOOSE_SET,
    SCHEMA,
    WARNING,
    NodeVisit,
)
from protoc_gen_crd.admission.field_errors import (
    FORBIDDEN,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    format_supported_values,
)
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.version_differences import SET_WARNINGS
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, Schema


def check_map_type(visit: NodeVisit, value: str) -> None:
    """Check x-kubernetes-map-type: only for objects, and one of two values."""
    _check_required_type(visit, "object", MAP_TYPE)
    if value not in ("atomic", "granular"):
        visit.add_finding(SCHEMA, NOT_SUPPORTED, f".{MAP_TYPE}", format_supported_values(("atomic", "granular")), value)


def check_list_type(visit: NodeVisit, value: str) -> None:
    """Check x-kubernetes-list-type: only for arrays, one of three values, and the items of sets and maps."""
    visit.flags |= HAS_EXTENSION
    _check_required_type(visit, "array", LIST_TYPE)
    if value not in ("atomic", "set", "map"):
        visit.add_finding(
            SCHEMA, NOT_SUPPORTED, f".{LIST_TYPE}", format_supported_values(("atomic", "set", "map")), value
        )
    items = visit.node.keywords.get("items")
    if value == "set" and isinstance(items, Schema):
        _check_set_items(visit, items)
    if value == "map":
        _check_map_items(visit, items)
    if value in ("set", "map") and isinstance(items, Schema) and items.get("nullable"):
        visit.flags |= LOOSE_KEYS
        reason = f"cannot be nullable when x-kubernetes-list-type is {value}"
        visit.add_finding(
            SCHEMA,
            FORBIDDEN,
            ".items.nullable",
            reason,
            ratcheted_by=LOOSE_KEYS,
            origin=visit.node.get_place(LIST_TYPE),
        )


def _check_required_type(visit: NodeVisit, expected: str, keyword: str) -> None:
    kind = visit.node.type
    reason = f"must be {expected} if {keyword} is specified"
    if not kind:
        visit.add_finding(SCHEMA, REQUIRED, ".type", reason)
    elif kind != expected:
        visit.add_finding(SCHEMA, INVALID, ".type", reason, kind)


def _check_set_items(visit: NodeVisit, items: Schema) -> None:
    kind, inner_list, inner_map = items.type, items.get(LIST_TYPE), items.get(MAP_TYPE)
    if kind in ("object", "array"):
        warning = f'x-kubernetes-list-type: set for items of type "{kind}" is not supported'
        warning += " by server-side apply or CEL validation rules"
        visit.add_finding(WARNING, "", f".{LIST_TYPE}", warning, when=SET_WARNINGS)
    keyword = MAP_TYPE if kind == "object" else LIST_TYPE
    if (kind == "array" and inner_list in (None, "atomic")) or (kind == "object" and inner_map == "atomic"):
        return
    if kind not in ("array", "object"):
        return
    visit.flags |= LOOSE_SET
    if visit.node.type == "array":
        reason = "must be atomic as item of a list with x-kubernetes-list-type=set"
        shown = GoTypedValue("*string", inner_list)  # the server shows the list type in both cases
        origin = visit.node.get_place(LIST_TYPE)
        visit.add_finding(SCHEMA, INVALID, f".items.{keyword}", reason, shown, ratcheted_by=LOOSE_SET, origin=origin)


def _check_map_items(visit: NodeVisit, items: Any) -> None:
    keys: Sequence[str] = visit.node.get(LIST_MAP_KEYS) or ()
    origin = visit.node.get_place(LIST_TYPE)
    if not keys:
        reason = "must not be empty if x-kubernetes-list-type is map"
        visit.add_finding(SCHEMA, REQUIRED, f".{LIST_MAP_KEYS}", reason, origin=origin)
    if items is None:
        visit.add_finding(SCHEMA, REQUIRED, ".items", "must have a schema if x-kubernetes-list-type is map")
    elif not isinstance(items, Schema):
        shown = GoTypedValue("*apiextensions.JSONSchemaPropsOrArray", items)
        reason = "must only have a single schema if x-kubernetes-list-type is map"
        visit.add_finding(SCHEMA, INVALID, ".items", reason, shown)
    else:
        if items.type != "object":
            reason = "must be object if parent array's x-kubernetes-list-type is map"
            visit.add_finding(SCHEMA, INVALID, ".items.type", reason, items.type, origin=origin)
        else:
            _check_keys_are_scalars(visit, items, keys)
        _check_keys_exist(visit, items, keys)


def _check_keys_are_scalars(visit: NodeVisit, items: Schema, keys: Sequence[str]) -> None:
    path, shown = f".{LIST_MAP_KEYS}", GoTypedValue("[]string", keys)
    for index, key in enumerate(keys):
        schema = items.properties.get(key)
        if schema is None:
            visit.add_finding(SCHEMA, INVALID, path, "entries must all be names of item properties", shown)
        elif schema.type in ("array", "object"):
            reason = "must be a scalar type if parent array's x-kubernetes-list-type is map"
            visit.add_finding(SCHEMA, INVALID, f".items.properties[{key}].type", reason, items.type)
        if key in keys[:index]:
            visit.add_finding(SCHEMA, INVALID, path, "must not contain duplicate entries", shown)


def _check_keys_exist(visit: NodeVisit, items: Schema, keys: Sequence[str]) -> None:
    for key in keys:
        schema, path = items.properties.get(key), f".items.properties[{key}]"
        if schema is None:
            continue
        what = "this property is in x-kubernetes-list-map-keys, so it"
        if key not in (items.get("required") or ()) and "default" not in schema:
            visit.flags |= LOOSE_KEYS
            reason = f"{what} must have a default or be a required property"
            visit.add_finding(SCHEMA, REQUIRED, f"{path}.default", reason, ratcheted_by=LOOSE_KEYS)
        if schema.get("nullable"):
            visit.flags |= LOOSE_KEYS
            visit.add_finding(
                SCHEMA, FORBIDDEN, f"{path}.nullable", f"{what} cannot be nullable", ratcheted_by=LOOSE_KEYS
            )


def check_list_map_keys(visit: NodeVisit, value: Sequence[str]) -> None:
    """Check x-kubernetes-list-map-keys, which is only for lists of type map."""
    if not value:
        return
    visit.flags |= HAS_EXTENSION
    kind = visit.node.get(LIST_TYPE)
    reason = "must be map if x-kubernetes-list-map-keys is non-empty"
    if kind is None:
        visit.add_finding(SCHEMA, REQUIRED, f".{LIST_TYPE}", reason)
    elif kind != "map":
        visit.add_finding(SCHEMA, INVALID, f".{LIST_TYPE}", reason, kind)
