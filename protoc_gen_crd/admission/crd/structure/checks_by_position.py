"""The checks of each keyword in each kind of position."""

from __future__ import annotations

from protoc_gen_crd.admission.crd.lists import list_types
from protoc_gen_crd.admission.crd.rules import rule_validation
from protoc_gen_crd.admission.crd.structure import openapi_v3_checks, structural_checks
from protoc_gen_crd.admission.crd.structure.schema_visitor import Check, PositionKind, SchemaVisitor
from protoc_gen_crd.schema.schema import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    PRESERVE,
    VALIDATIONS,
)

# Checks in every position, such as keywords that Kubernetes does not support.
_ANYWHERE: dict[str, Check] = {
    "$ref": openapi_v3_checks.make_unsupported_check("$ref"),
    "$schema": openapi_v3_checks.check_schema_url,
    "additionalItems": openapi_v3_checks.check_additional_items,
    "default": openapi_v3_checks.check_default,
    "definitions": openapi_v3_checks.check_definitions,
    "dependencies": openapi_v3_checks.check_dependencies,
    "format": openapi_v3_checks.check_format,
    "id": openapi_v3_checks.make_unsupported_check("id"),
    "patternProperties": openapi_v3_checks.check_pattern_properties,
    "uniqueItems": openapi_v3_checks.check_unique_items,
    EMBEDDED: openapi_v3_checks.check_embedded_resource,
    INT_OR_STRING: openapi_v3_checks.note_extension,
    LIST_MAP_KEYS: list_types.check_list_map_keys,
    LIST_TYPE: list_types.check_list_type,
    MAP_TYPE: list_types.check_map_type,
    PRESERVE: openapi_v3_checks.check_preserve_unknown_fields,
    VALIDATIONS: rule_validation.check_rules,
}

_STRUCTURAL: dict[str, Check] = _ANYWHERE | {
    "additionalProperties": structural_checks.visit_additional_properties,
    "allOf": structural_checks.visit_all_of,
    "anyOf": structural_checks.visit_any_of,
    "items": structural_checks.visit_items,
    "not": structural_checks.visit_not,
    "oneOf": structural_checks.visit_one_of,
    "pattern": structural_checks.check_pattern,
    "properties": structural_checks.visit_properties,
    EMBEDDED: structural_checks.check_embedded_resource,
    INT_OR_STRING: structural_checks.check_int_or_string,
}

_NESTED: dict[str, Check] = (
    _ANYWHERE
    | {
        "additionalProperties": structural_checks.visit_nested_additional_properties,
        "allOf": structural_checks.make_nested_branch_visitor("allOf"),
        "anyOf": structural_checks.make_nested_branch_visitor("anyOf"),
        "items": structural_checks.visit_nested_items,
        "not": structural_checks.visit_not,
        "oneOf": structural_checks.visit_one_of,
        "pattern": structural_checks.check_pattern,
        "properties": structural_checks.visit_nested_properties,
    }
    | structural_checks.make_nested_checks(_ANYWHERE)
)

# The first branch of an allOf that defines an int-or-string: its anyOf has types.
_INT_OR_STRING = _NESTED | {"anyOf": openapi_v3_checks.make_branch_visitor("anyOf")}

_LOOSE: dict[str, Check] = _ANYWHERE | {
    "additionalProperties": openapi_v3_checks.visit_additional_properties,
    "allOf": openapi_v3_checks.make_branch_visitor("allOf"),
    "anyOf": openapi_v3_checks.make_branch_visitor("anyOf"),
    "items": openapi_v3_checks.visit_items,
    "not": openapi_v3_checks.visit_not,
    "oneOf": openapi_v3_checks.make_branch_visitor("oneOf"),
    "properties": openapi_v3_checks.visit_properties,
}

POSITION_KINDS = {
    kind.name: kind
    for kind in (
        PositionKind(
            "root",
            _STRUCTURAL,
            structural_checks.check_type,
            structural_checks.check_root,
            "must not be empty at the root",
        ),
        PositionKind(
            "item", _STRUCTURAL, structural_checks.check_type, None, "must not be empty for specified array items"
        ),
        PositionKind(
            "field", _STRUCTURAL, structural_checks.check_type, None, "must not be empty for specified object fields"
        ),
        PositionKind("nested", _NESTED, openapi_v3_checks.check_type),
        PositionKind("int-or-string", _INT_OR_STRING, openapi_v3_checks.check_type),
        PositionKind("loose", _LOOSE, openapi_v3_checks.check_type),
    )
}


def make_schema_visitor() -> SchemaVisitor:
    """Create a schema visitor with the checks of this module."""
    return SchemaVisitor(POSITION_KINDS)
