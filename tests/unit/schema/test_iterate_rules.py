"""The rules of the nodes of schemas."""

from __future__ import annotations

from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule, iterate_rules


def _make_schema(rule: str, **properties: Schema) -> Schema:
    return Schema({"type": "object", "properties": properties, VALIDATIONS: (ValidationRule(rule),)})


def test_rules_are_in_order_from_the_root_down_and_those_of_shared_nodes_occur_once() -> None:
    shared = _make_schema("shared")
    first = _make_schema("first", a=shared, b=Schema({"type": "array", "items": _make_schema("items")}), c=shared)
    second = Schema({"type": "object", "properties": {"a": shared, "b": _make_schema("last")}})
    rules = [rule.rule for rule in iterate_rules([first, None, second])]
    assert rules == ["first", "shared", "items", "last"]
