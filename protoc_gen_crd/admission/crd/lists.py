"""The rules for x-kubernetes-list-type, -list-map-keys and -map-type.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go (validateMapListKeysMapSet and
the second half of ValidateCustomResourceDefinitionOpenAPISchema).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.admission.crd.survey import (
    HAS_EXTENSION,
    LOOSE_KEYS,
    LOOSE_SET,
    SCHEMA,
    WARNING,
    Visit,
)
from protoc_gen_crd.admission.errors import FORBIDDEN, INVALID, NOT_SUPPORTED, REQUIRED, Typed, supported
from protoc_gen_crd.admission.switches import SET_WARNINGS
from protoc_gen_crd.schema.types import LIST_MAP_KEYS, LIST_TYPE, MAP_TYPE, Schema


def map_type(visit: Visit, value: str) -> None:
    """Objects only, and one of two words."""
    _needs_type(visit, "object", MAP_TYPE)
    if value not in ("atomic", "granular"):
        visit.add(SCHEMA, NOT_SUPPORTED, f".{MAP_TYPE}", supported(("atomic", "granular")), value)


def list_type(visit: Visit, value: str) -> None:
    """Arrays only, one of three words; sets and maps ask something of their items."""
    visit.bits |= HAS_EXTENSION
    _needs_type(visit, "array", LIST_TYPE)
    if value not in ("atomic", "set", "map"):
        visit.add(SCHEMA, NOT_SUPPORTED, f".{LIST_TYPE}", supported(("atomic", "set", "map")), value)
    items = visit.node.keywords.get("items")
    if value == "set" and isinstance(items, Schema):
        _set_items(visit, items)
    if value == "map":
        _map_items(visit, items)
    if value in ("set", "map") and isinstance(items, Schema) and items.get("nullable"):
        visit.bits |= LOOSE_KEYS
        reason = f"cannot be nullable when x-kubernetes-list-type is {value}"
        visit.add(SCHEMA, FORBIDDEN, ".items.nullable", reason, eased=LOOSE_KEYS, origin=visit.node.place(LIST_TYPE))


def _needs_type(visit: Visit, wanted: str, keyword: str) -> None:
    kind = visit.node.type
    reason = f"must be {wanted} if {keyword} is specified"
    if not kind:
        visit.add(SCHEMA, REQUIRED, ".type", reason)
    elif kind != wanted:
        visit.add(SCHEMA, INVALID, ".type", reason, kind)


def _set_items(visit: Visit, items: Schema) -> None:
    kind, inner_list, inner_map = items.type, items.get(LIST_TYPE), items.get(MAP_TYPE)
    if kind in ("object", "array"):
        text = f'x-kubernetes-list-type: set for items of type "{kind}" is not supported'
        text += " by server-side apply or CEL validation rules"
        visit.add(WARNING, "", f".{LIST_TYPE}", text, when=SET_WARNINGS)
    keyword = MAP_TYPE if kind == "object" else LIST_TYPE
    if (kind == "array" and inner_list in (None, "atomic")) or (kind == "object" and inner_map == "atomic"):
        return
    if kind not in ("array", "object"):
        return
    visit.bits |= LOOSE_SET
    if visit.node.type == "array":
        reason = "must be atomic as item of a list with x-kubernetes-list-type=set"
        shown = Typed("*string", inner_list)  # the list type in both cases, as the server has it
        origin = visit.node.place(LIST_TYPE)
        visit.add(SCHEMA, INVALID, f".items.{keyword}", reason, shown, eased=LOOSE_SET, origin=origin)


def _map_items(visit: Visit, items: Any) -> None:
    keys: Sequence[str] = visit.node.get(LIST_MAP_KEYS) or ()
    origin = visit.node.place(LIST_TYPE)
    if not keys:
        reason = "must not be empty if x-kubernetes-list-type is map"
        visit.add(SCHEMA, REQUIRED, f".{LIST_MAP_KEYS}", reason, origin=origin)
    if items is None:
        visit.add(SCHEMA, REQUIRED, ".items", "must have a schema if x-kubernetes-list-type is map")
    elif not isinstance(items, Schema):
        shown = Typed("*apiextensions.JSONSchemaPropsOrArray", items)
        reason = "must only have a single schema if x-kubernetes-list-type is map"
        visit.add(SCHEMA, INVALID, ".items", reason, shown)
    else:
        if items.type != "object":
            reason = "must be object if parent array's x-kubernetes-list-type is map"
            visit.add(SCHEMA, INVALID, ".items.type", reason, items.type, origin=origin)
        else:
            _keys_are_scalars(visit, items, keys)
        _keys_are_there(visit, items, keys)


def _keys_are_scalars(visit: Visit, items: Schema, keys: Sequence[str]) -> None:
    path, shown = f".{LIST_MAP_KEYS}", Typed("[]string", keys)
    for index, key in enumerate(keys):
        schema = items.properties.get(key)
        if schema is None:
            visit.add(SCHEMA, INVALID, path, "entries must all be names of item properties", shown)
        elif schema.type in ("array", "object"):
            reason = "must be a scalar type if parent array's x-kubernetes-list-type is map"
            visit.add(SCHEMA, INVALID, f".items.properties[{key}].type", reason, items.type)
        if key in keys[:index]:
            visit.add(SCHEMA, INVALID, path, "must not contain duplicate entries", shown)


def _keys_are_there(visit: Visit, items: Schema, keys: Sequence[str]) -> None:
    for key in keys:
        schema, path = items.properties.get(key), f".items.properties[{key}]"
        if schema is None:
            continue
        what = "this property is in x-kubernetes-list-map-keys, so it"
        if key not in (items.get("required") or ()) and "default" not in schema:
            visit.bits |= LOOSE_KEYS
            reason = f"{what} must have a default or be a required property"
            visit.add(SCHEMA, REQUIRED, f"{path}.default", reason, eased=LOOSE_KEYS)
        if schema.get("nullable"):
            visit.bits |= LOOSE_KEYS
            visit.add(SCHEMA, FORBIDDEN, f"{path}.nullable", f"{what} cannot be nullable", eased=LOOSE_KEYS)


def list_map_keys(visit: Visit, value: Sequence[str]) -> None:
    """Map keys are for lists of type map."""
    if not value:
        return
    visit.bits |= HAS_EXTENSION
    kind = visit.node.get(LIST_TYPE)
    reason = "must be map if x-kubernetes-list-map-keys is non-empty"
    if kind is None:
        visit.add(SCHEMA, REQUIRED, f".{LIST_TYPE}", reason)
    elif kind != "map":
        visit.add(SCHEMA, INVALID, f".{LIST_TYPE}", reason, kind)
