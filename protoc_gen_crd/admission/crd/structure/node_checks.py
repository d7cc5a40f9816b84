"""The checks of each keyword in each kind of position."""

from __future__ import annotations

from protoc_gen_crd.admission.crd.lists import list_types
from protoc_gen_crd.admission.crd.rules import rule_validation
from protoc_gen_crd.admission.crd.structure import node_validation, structural_rules
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
    "$ref": node_validation.make_unsupported_check("$ref"),
    "$schema": node_validation.check_schema_url,
    "additionalItems": node_validation.check_additional_items,
    "default": node_validation.check_default,
    "definitions": node_validation.check_definitions,
    "dependencies": node_validation.check_dependencies,
    "format": node_validation.check_format,
    "id": node_validation.make_unsupported_check("id"),
    "patternProperties": node_validation.check_pattern_properties,
    "uniqueItems": node_validation.check_unique_items,
    EMBEDDED: node_validation.check_embedded_resource,
    INT_OR_STRING: node_validation.note_extension,
    LIST_MAP_KEYS: list_types.check_list_map_keys,
    LIST_TYPE: list_types.check_list_type,
    MAP_TYPE: list_types.check_map_type,
    PRESERVE: node_validation.check_preserve_unknown_fields,
    VALIDATIONS: rule_validation.check_rules,
}

_STRUCTURAL: dict[str, Check] = _ANYWHERE | {
    "additionalProperties": structural_rules.visit_additional_properties,
    "allOf": structural_rules.visit_all_of,
    "anyOf": structural_rules.visit_any_of,
    "items": structural_rules.visit_items,
    "not": structural_rules.visit_not,
    "oneOf": structural_rules.visit_one_of,
    "pattern": structural_rules.check_pattern,
    "properties": structural_rules.visit_properties,
    EMBEDDED: structural_rules.check_embedded_resource,
    INT_OR_STRING: structural_rules.check_int_or_string,
}

_NESTED: dict[str, Check] = (
    _ANYWHERE
    | {
        "additionalProperties": structural_rules.visit_nested_additional_properties,
        "allOf": structural_rules.make_nested_branch_visitor("allOf"),
        "anyOf": structural_rules.make_nested_branch_visitor("anyOf"),
        "items": structural_rules.visit_nested_items,
        "not": structural_rules.visit_not,
        "oneOf": structural_rules.visit_one_of,
        "pattern": structural_rules.check_pattern,
        "properties": structural_rules.visit_nested_properties,
    }
    | structural_rules.make_nested_checks(_ANYWHERE)
)

# The first branch of an allOf that defines an int-or-string: its anyOf has types.
_INT_OR_STRING = _NESTED | {"anyOf": node_validation.make_branch_visitor("anyOf")}

_LOOSE: dict[str, Check] = _ANYWHERE | {
    "additionalProperties": node_validation.visit_additional_properties,
    "allOf": node_validation.make_branch_visitor("allOf"),
    "anyOf": node_validation.make_branch_visitor("anyOf"),
    "items": node_validation.visit_items,
    "not": node_validation.visit_not,
    "oneOf": node_validation.make_branch_visitor("oneOf"),
    "properties": node_validation.visit_properties,
}

POSITION_KINDS = {
    kind.name: kind
    for kind in (
        PositionKind(
            "root",
            _STRUCTURAL,
            structural_rules.check_type,
            structural_rules.check_root,
            "must not be empty at the root",
        ),
        PositionKind(
            "item", _STRUCTURAL, structural_rules.check_type, None, "must not be empty for specified array items"
        ),
        PositionKind(
            "field", _STRUCTURAL, structural_rules.check_type, None, "must not be empty for specified object fields"
        ),
        PositionKind("nested", _NESTED, node_validation.check_type),
        PositionKind("int-or-string", _INT_OR_STRING, node_validation.check_type),
        PositionKind("loose", _LOOSE, node_validation.check_type),
    )
}


def make_schema_visitor() -> SchemaVisitor:
    """Create a schema visitor with the checks of this module."""
    return SchemaVisitor(POSITION_KINDS)
