"""Which checks a node gets in which kind of position: the one place where checks and keywords are tied together."""

from __future__ import annotations

from protoc_gen_crd.admission.crd import lists, rules, schemas, structural
from protoc_gen_crd.admission.crd.survey import Check, Kind
from protoc_gen_crd.schema.types import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    PRESERVE,
    VALIDATIONS,
)

# Wherever a schema stands: what OpenAPI v3 in Kubernetes has not.
_ANYWHERE: dict[str, Check] = {
    "$ref": schemas.unsupported("$ref"),
    "$schema": schemas.schema_url,
    "additionalItems": schemas.additional_items,
    "default": schemas.default,
    "definitions": schemas.definitions,
    "dependencies": schemas.dependencies,
    "format": schemas.format_name,
    "id": schemas.unsupported("id"),
    "patternProperties": schemas.pattern_properties,
    "uniqueItems": schemas.unique_items,
    EMBEDDED: schemas.embedded,
    INT_OR_STRING: schemas.extension,
    LIST_MAP_KEYS: lists.list_map_keys,
    LIST_TYPE: lists.list_type,
    MAP_TYPE: lists.map_type,
    PRESERVE: schemas.preserve,
    VALIDATIONS: rules.texts,
}

_STRUCTURAL: dict[str, Check] = _ANYWHERE | {
    "additionalProperties": structural.additional_properties,
    "allOf": structural.all_of,
    "anyOf": structural.any_of,
    "items": structural.items,
    "not": structural.not_,
    "oneOf": structural.one_of,
    "pattern": structural.pattern,
    "properties": structural.properties,
    EMBEDDED: structural.embedded,
    INT_OR_STRING: structural.int_or_string,
}

_NESTED: dict[str, Check] = (
    _ANYWHERE
    | {
        "additionalProperties": structural.nested_additional_properties,
        "allOf": structural.nested_branches("allOf"),
        "anyOf": structural.nested_branches("anyOf"),
        "items": structural.nested_items,
        "not": structural.not_,
        "oneOf": structural.one_of,
        "pattern": structural.pattern,
        "properties": structural.nested_properties,
    }
    | structural.forbidden_in_nested(_ANYWHERE)
)

# The first branch of an allOf that makes an int-or-string: its anyOf has types.
_INT_OR_STRING = _NESTED | {"anyOf": schemas.branches("anyOf")}

_LOOSE: dict[str, Check] = _ANYWHERE | {
    "additionalProperties": schemas.additional_properties,
    "allOf": schemas.branches("allOf"),
    "anyOf": schemas.branches("anyOf"),
    "items": schemas.items,
    "not": schemas.not_,
    "oneOf": schemas.branches("oneOf"),
    "properties": schemas.properties,
}

KINDS = {
    kind.name: kind
    for kind in (
        Kind("root", _STRUCTURAL, structural.type_, structural.root, "must not be empty at the root"),
        Kind("item", _STRUCTURAL, structural.type_, None, "must not be empty for specified array items"),
        Kind("field", _STRUCTURAL, structural.type_, None, "must not be empty for specified object fields"),
        Kind("nested", _NESTED, schemas.type_),
        Kind("int-or-string", _INT_OR_STRING, schemas.type_),
        Kind("loose", _LOOSE, schemas.type_),
    )
}
