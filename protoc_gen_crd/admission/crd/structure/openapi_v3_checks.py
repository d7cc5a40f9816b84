"""The checks of every schema node: unsupported keywords of OpenAPI v3, and the positions of defaults.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go
(ValidateCustomResourceDefinitionOpenAPISchema, specStandardValidatorV3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.admission.crd.structure.schema_visitor import (
    HAS_DEFAULT,
    HAS_EXTENSION,
    ODD_TYPE,
    SCHEMA,
    UNCONVERTIBLE,
    WARNING,
    Check,
    ChildFindings,
    NodeVisit,
    get_property_position,
    get_sibling_position,
    get_values_position,
)
from protoc_gen_crd.admission.field_errors import FORBIDDEN, INVALID, NOT_SUPPORTED, format_supported_values
from protoc_gen_crd.admission.supported_formats import ALWAYS_ENFORCED
from protoc_gen_crd.admission.version_differences import FORMAT_WARNINGS
from protoc_gen_crd.schema.schema import PRESERVE, Schema

TYPES = ("array", "boolean", "integer", "number", "object", "string")


def check_type(visit: NodeVisit, kind: str) -> None:
    """Check that a type is one of the six supported ones."""
    if not kind or kind in TYPES:
        return
    visit.flags |= ODD_TYPE
    visit.add_finding(SCHEMA, NOT_SUPPORTED, ".type", format_supported_values(TYPES), kind, ratcheted_by=ODD_TYPE)
    if kind == "null":
        visit.add_finding(SCHEMA, FORBIDDEN, ".type", "type cannot be set to null, use nullable as an alternative")


def make_unsupported_check(keyword: str) -> Check:
    """Return the check of a string keyword that Kubernetes decodes and then rejects."""

    def check(visit: NodeVisit, value: str) -> None:
        visit.flags |= UNCONVERTIBLE if value else 0  # an empty $ref is rejected, but does not end the validation
        visit.add_finding(SCHEMA, FORBIDDEN, f".{keyword}", f"{keyword} is not supported")

    return check


def check_schema_url(visit: NodeVisit, _: str) -> None:
    """Note $schema, which is rejected only if there is no other error."""
    visit.flags |= UNCONVERTIBLE


def check_additional_items(visit: NodeVisit, value: Any) -> None:
    """Reject additionalItems; from the schema inside, only flags and warnings are reported."""
    visit.flags |= UNCONVERTIBLE
    visit.add_finding(SCHEMA, FORBIDDEN, ".additionalItems", "additionalItems is not supported")
    if isinstance(value, Schema):
        _visit_unsupported(visit, value)


def check_pattern_properties(visit: NodeVisit, value: Mapping[str, Schema]) -> None:
    """Reject patternProperties; from the schemas inside, only flags and warnings are reported."""
    if value:
        visit.flags |= UNCONVERTIBLE
        visit.add_finding(SCHEMA, FORBIDDEN, ".patternProperties", "patternProperties is not supported")
    for child in value.values():
        _visit_unsupported(visit, child)


def _visit_unsupported(visit: NodeVisit, child: Schema) -> None:
    report = visit.visitor.visit_node(child, visit.visitor.get_position("loose"))
    visit.flags |= report.flags
    visit.findings.append(ChildFindings("", report.findings, WARNING))


def check_definitions(visit: NodeVisit, value: Mapping[str, Schema]) -> None:
    """Reject definitions, and validate the schemas inside."""
    if value:
        visit.flags |= UNCONVERTIBLE
        visit.add_finding(SCHEMA, FORBIDDEN, ".definitions", "definitions is not supported")
    for name, child in value.items():
        visit.visit_child(f".definitions[{name}]", child, get_sibling_position(visit, "loose"))


def check_dependencies(visit: NodeVisit, value: Mapping[str, Any]) -> None:
    """Reject dependencies even if empty, and validate the schemas inside."""
    visit.flags |= UNCONVERTIBLE if value else 0
    visit.add_finding(SCHEMA, FORBIDDEN, ".dependencies", "dependencies is not supported")
    for name, child in value.items():
        if isinstance(child, Schema):
            visit.visit_child(f".dependencies[{name}]", child, get_sibling_position(visit, "loose"))


def check_default(visit: NodeVisit, _: object) -> None:
    """Reject defaults in the metadata of the object itself."""
    visit.flags |= HAS_DEFAULT
    if visit.position.forbidden_default:
        visit.add_finding(SCHEMA, FORBIDDEN, ".default", f"must not be set {visit.position.forbidden_default}")


def check_unique_items(visit: NodeVisit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """Reject the value true."""
    if value:
        reason = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        visit.add_finding(SCHEMA, FORBIDDEN, ".uniqueItems", reason)


def check_embedded_resource(visit: NodeVisit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """Reject resources inside the metadata of a resource."""
    if value:
        visit.flags |= HAS_EXTENSION
        if visit.position.in_meta:
            path = ".x-kubernetes-embedded-resource"
            visit.add_finding(SCHEMA, FORBIDDEN, path, "must not be used inside of resource meta")


def note_extension(visit: NodeVisit, value: object) -> None:
    """Note an extension."""
    visit.flags |= HAS_EXTENSION if value else 0


def check_preserve_unknown_fields(visit: NodeVisit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """Reject the value false."""
    visit.flags |= HAS_EXTENSION
    if not value:
        visit.flags |= UNCONVERTIBLE
        visit.add_finding(SCHEMA, INVALID, f".{PRESERVE}", "must be true or undefined", value=False)


def check_format(visit: NodeVisit, value: str) -> None:
    """Add a warning about a format that some servers do not enforce."""
    kind = visit.node.type
    if (kind, value) not in ALWAYS_ENFORCED:
        visit.add_finding(WARNING, "", ".format", value=(kind, value), when=FORMAT_WARNINGS)


def check_mutual_exclusion(visit: NodeVisit, value: Any) -> None:
    """Reject additionalProperties beside properties, except for the value true."""
    if visit.node.keywords.get("properties") and value is not True:
        reason = "additionalProperties and properties are mutual exclusive"
        visit.add_finding(SCHEMA, FORBIDDEN, ".additionalProperties", reason)


def visit_items_list(visit: NodeVisit, value: Any) -> None:
    """Reject a list of item schemas, and validate its schemas; the server decodes other values as an empty list."""
    if value:
        visit.flags |= UNCONVERTIBLE
        visit.add_finding(SCHEMA, FORBIDDEN, ".items", "items must be a schema object and not an array")
    for index, child in enumerate(value):
        visit.visit_child(f".items[{index}]", child, get_sibling_position(visit, "loose"))


# Below rejected keywords, only these checks apply.


def visit_additional_properties(visit: NodeVisit, value: Any) -> None:
    """Visit the schema of map values."""
    check_mutual_exclusion(visit, value)
    if isinstance(value, Schema):
        visit.visit_child(".additionalProperties", value, get_values_position(visit, "loose"))


def visit_properties(visit: NodeVisit, value: Mapping[str, Schema]) -> None:
    """Visit the schemas of fields."""
    for name, child in value.items():
        visit.visit_child(f".properties[{name}]", child, get_property_position(visit, name, "loose"))


def visit_items(visit: NodeVisit, value: Any) -> None:
    """Visit the schema of list items."""
    if isinstance(value, Schema):
        visit.visit_child(".items", value, get_sibling_position(visit, "loose"))
    else:
        visit_items_list(visit, value)


def visit_not(visit: NodeVisit, value: Schema) -> None:
    """Visit the schema of not."""
    visit.visit_child(".not", value, get_sibling_position(visit, "loose"))


def make_branch_visitor(keyword: str) -> Check:
    """Return a check of allOf, anyOf, or oneOf that visits the branches."""

    def check(visit: NodeVisit, value: list[Schema]) -> None:
        for index, child in enumerate(value):
            visit.visit_child(f".{keyword}[{index}]", child, get_sibling_position(visit, "loose"))

    return check
