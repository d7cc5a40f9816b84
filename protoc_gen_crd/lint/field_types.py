"""Rules about types of fields that cannot grow or that clients read differently.

Sources: Kubernetes' API conventions ("Primitive types"); kube-api-linter's nobools, nofloats, integers and nomaps; the
JSON mapping of protobuf.
"""

from __future__ import annotations

from protoc_gen_crd.lint.lint_rule import FIELD, ISTIO, NODE, OFF, Issue, LintRule
from protoc_gen_crd.lint.proto_elements import ProtoElement
from protoc_gen_crd.lint.schema_elements import SchemaElement
from protoc_gen_crd.schema.schema import PRESERVE, Schema

_UNSIGNED = ("uint32", "uint64", "fixed32", "fixed64")


def _check_bool(node: SchemaElement) -> Issue | None:
    if node.schema.type != "boolean":
        return None
    return Issue(f'"{node.key}" is a boolean, to which no third value can be added', "use an enum with two values")


def _check_float(node: SchemaElement) -> Issue | None:
    if node.schema.type != "number":
        return None
    return Issue(
        f'"{node.key}" is a floating-point number, which clients round differently', "use an integer or a quantity"
    )


def _check_unsigned(element: ProtoElement) -> Issue | None:
    if element.field.kind not in _UNSIGNED:
        return None
    return Issue(
        f'field "{element.element.name}" is unsigned',
        f"use {'int64' if '64' in element.field.kind else 'int32'} with a minimum of 0",
    )


def _check_map(node: SchemaElement) -> Issue | None:
    values = node.schema.additional
    if not isinstance(values, Schema) or values.type != "object" or not values.properties:
        return None
    return Issue(f'"{node.key}" is a map of objects', 'use a list of objects with a name, and the list type "map"')


def _check_any(node: SchemaElement) -> Issue | None:
    if node.schema.get(PRESERVE) is not True or node.schema.properties:
        return None
    return Issue(f'"{node.key}" has no schema, so every value is accepted', "declare its fields")


RULES = (
    LintRule("lint-bool", (NODE,), _check_bool),
    LintRule("lint-float", (NODE,), _check_float, {ISTIO: OFF}),
    LintRule("lint-unsigned", (FIELD,), _check_unsigned),
    LintRule("lint-map", (NODE,), _check_map),
    LintRule("lint-any", (NODE,), _check_any),
)
