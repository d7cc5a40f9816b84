"""The rules for every schema node: what of OpenAPI v3 Kubernetes has not, and where defaults may be.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go
(ValidateCustomResourceDefinitionOpenAPISchema, specStandardValidatorV3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.admission.crd.survey import (
    HAS_DEFAULT,
    HAS_EXTENSION,
    ODD_TYPE,
    SCHEMA,
    UNCONVERTIBLE,
    WARNING,
    Check,
    Visit,
    beside,
    of_property,
    of_values,
)
from protoc_gen_crd.admission.enforced import ALWAYS
from protoc_gen_crd.admission.errors import FORBIDDEN, INVALID, NOT_SUPPORTED, supported
from protoc_gen_crd.admission.switches import FORMAT_WARNINGS
from protoc_gen_crd.schema.types import PRESERVE, Schema

TYPES = ("array", "boolean", "integer", "number", "object", "string")


def type_(visit: Visit, kind: str) -> None:
    """A type must be one of the six."""
    if not kind or kind in TYPES:
        return
    visit.bits |= ODD_TYPE
    visit.add(SCHEMA, NOT_SUPPORTED, ".type", supported(TYPES), kind, eased=ODD_TYPE)
    if kind == "null":
        visit.add(SCHEMA, FORBIDDEN, ".type", "type cannot be set to null, use nullable as an alternative")


def unsupported(keyword: str) -> Check:
    """The check of a text keyword that Kubernetes decodes and then refuses."""

    def check(visit: Visit, value: str) -> None:
        visit.bits |= UNCONVERTIBLE if value else 0  # an empty $ref is refused, but no reason to look no further
        visit.add(SCHEMA, FORBIDDEN, f".{keyword}", f"{keyword} is not supported")

    return check


def schema_url(visit: Visit, _: str) -> None:
    """$schema is refused only where nothing else is."""
    visit.bits |= UNCONVERTIBLE


def additional_items(visit: Visit, value: Any) -> None:
    """Refused; what is inside only counts and warns."""
    visit.bits |= UNCONVERTIBLE
    visit.add(SCHEMA, FORBIDDEN, ".additionalItems", "additionalItems is not supported")
    if isinstance(value, Schema):
        _count(visit, value)


def pattern_properties(visit: Visit, value: Mapping[str, Schema]) -> None:
    """Refused; what is inside only counts and warns."""
    if value:
        visit.bits |= UNCONVERTIBLE
        visit.add(SCHEMA, FORBIDDEN, ".patternProperties", "patternProperties is not supported")
    for child in value.values():
        _count(visit, child)


def _count(visit: Visit, child: Schema) -> None:
    report = visit.survey.look(child, visit.survey.position("loose"))
    visit.bits |= report.bits
    visit.found.extend(found for found in report.found if found.stage == WARNING)


def definitions(visit: Visit, value: Mapping[str, Schema]) -> None:
    """Refused, and looked into."""
    if value:
        visit.bits |= UNCONVERTIBLE
        visit.add(SCHEMA, FORBIDDEN, ".definitions", "definitions is not supported")
    for name, child in value.items():
        visit.child(f".definitions[{name}]", child, beside(visit, "loose"))


def dependencies(visit: Visit, value: Mapping[str, Any]) -> None:
    """Refused even if empty, and looked into."""
    visit.bits |= UNCONVERTIBLE if value else 0
    visit.add(SCHEMA, FORBIDDEN, ".dependencies", "dependencies is not supported")
    for name, child in value.items():
        if isinstance(child, Schema):
            visit.child(f".dependencies[{name}]", child, beside(visit, "loose"))


def default(visit: Visit, _: object) -> None:
    """Defaults are forbidden in the metadata of the object itself."""
    visit.bits |= HAS_DEFAULT
    if visit.at.forbidden_default:
        visit.add(SCHEMA, FORBIDDEN, ".default", f"must not be set {visit.at.forbidden_default}")


def unique_items(visit: Visit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """Only false may be said."""
    if value:
        reason = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        visit.add(SCHEMA, FORBIDDEN, ".uniqueItems", reason)


def embedded(visit: Visit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """No resource within the metadata of a resource."""
    if value:
        visit.bits |= HAS_EXTENSION
        if visit.at.in_meta:
            path = ".x-kubernetes-embedded-resource"
            visit.add(SCHEMA, FORBIDDEN, path, "must not be used inside of resource meta")


def extension(visit: Visit, value: object) -> None:
    """An extension that any value switches on."""
    visit.bits |= HAS_EXTENSION if value else 0


def preserve(visit: Visit, value: bool) -> None:  # noqa: FBT001 - a keyword's value
    """Only true may be said."""
    visit.bits |= HAS_EXTENSION
    if not value:
        visit.bits |= UNCONVERTIBLE
        visit.add(SCHEMA, INVALID, f".{PRESERVE}", "must be true or undefined", value=False)


def format_name(visit: Visit, value: str) -> None:
    """A format that some server may not know, which earns a warning there."""
    kind = visit.node.type
    if (kind, value) not in ALWAYS:
        visit.add(WARNING, "", ".format", value=(kind, value), when=FORMAT_WARNINGS)


def mutual_exclusion(visit: Visit, value: Any) -> None:
    """A struct or a map; a literal true beside properties is let pass."""
    if visit.node.keywords.get("properties") and value is not True:
        reason = "additionalProperties and properties are mutual exclusive"
        visit.add(SCHEMA, FORBIDDEN, ".additionalProperties", reason)


def items_list(visit: Visit, value: Any) -> None:
    """A list of item schemas is refused, and looked into. An empty one is what the server makes of any other value."""
    if value:
        visit.bits |= UNCONVERTIBLE
        visit.add(SCHEMA, FORBIDDEN, ".items", "items must be a schema object and not an array")
    for index, child in enumerate(value):
        visit.child(f".items[{index}]", child, beside(visit, "loose"))


# Below keywords that are refused, only these rules hold.


def additional_properties(visit: Visit, value: Any) -> None:
    """Map values."""
    mutual_exclusion(visit, value)
    if isinstance(value, Schema):
        visit.child(".additionalProperties", value, of_values(visit, "loose"))


def properties(visit: Visit, value: Mapping[str, Schema]) -> None:
    """Fields."""
    for name, child in value.items():
        visit.child(f".properties[{name}]", child, of_property(visit, name, "loose"))


def items(visit: Visit, value: Any) -> None:
    """List items."""
    if isinstance(value, Schema):
        visit.child(".items", value, beside(visit, "loose"))
    else:
        items_list(visit, value)


def not_(visit: Visit, value: Schema) -> None:
    """The refused schema."""
    visit.child(".not", value, beside(visit, "loose"))


def branches(keyword: str) -> Check:
    """The check of allOf, anyOf or oneOf."""

    def check(visit: Visit, value: list[Schema]) -> None:
        for index, child in enumerate(value):
            visit.child(f".{keyword}[{index}]", child, beside(visit, "loose"))

    return check
