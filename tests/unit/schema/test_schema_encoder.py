"""Encoding and decoding of schemas."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.schema import Schema, ValidationRule
from protoc_gen_crd.schema.schema_decoder import PROPS, make_decoder
from protoc_gen_crd.schema.schema_encoder import COMPOSED, EncodedSchemas, encode


def decode(plain: object) -> Schema:
    schema: Schema = make_decoder().decode(plain, PROPS)
    return schema


PLAIN: list[dict[str, Any]] = [
    {},
    {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
    {"type": "array", "items": {"type": "integer", "minimum": 1.5, "maxLength": 3}},
    {"type": "array", "items": [{"type": "string"}]},
    {"additionalProperties": True, "additionalItems": False, "definitions": {"d": {}}},
    {"additionalProperties": {"type": "string"}, "dependencies": {"a": ["b"], "c": {"type": "object"}}},
    {"anyOf": [{"type": "string"}], "oneOf": [{}], "allOf": [{}, {}], "not": {"nullable": True}},
    {"default": {}, "example": [], "enum": [1, None, "a", {"b": []}]},
    {"x-kubernetes-validations": [{"rule": "true", "message": "m", "reason": "R", "optionalOldSelf": False}]},
    {"externalDocs": {"url": "https://a"}, "x-kubernetes-list-map-keys": ["k"], "x-kubernetes-list-type": "map"},
    {"x-kubernetes-preserve-unknown-fields": False, "patternProperties": {"^a": {"format": "date"}}},
]


@pytest.mark.parametrize("plain", PLAIN)
def test_round_trip(plain: dict[str, Any]) -> None:
    node = decode(plain)
    assert encode(node, EncodedSchemas()) == plain
    assert encode(decode(encode(node, EncodedSchemas())), EncodedSchemas()) == plain


@pytest.mark.parametrize(
    ("plain", "encoded"),
    [
        ({"type": "", "nullable": False, "uniqueItems": False, "title": ""}, {}),
        ({"default": None, "properties": None, "enum": []}, {}),
        ({"items": 5}, {"items": None}),
        ({"required": [], "allOf": [], "properties": {}}, {}),
        ({"maximum": 1}, {"maximum": 1}),
        ({"x-kubernetes-preserve-unknown-fields": False}, {"x-kubernetes-preserve-unknown-fields": False}),
    ],
)
def test_zero_values_of_go_are_omitted(plain: dict[str, Any], encoded: dict[str, Any]) -> None:
    assert encode(decode(plain), EncodedSchemas()) == encoded


def test_large_numbers_in_defaults_are_floats() -> None:
    default = decode({"default": [1 << 63, (1 << 63) - 1]}).get("default")
    assert default == [float(1 << 63), (1 << 63) - 1]
    assert [type(number) for number in default] == [float, int]


def test_a_shared_node_is_encoded_once() -> None:
    shared = Schema({"type": "string", "enum": ["a"]})
    memo = EncodedSchemas()
    plain = encode(Schema({"properties": {"a": shared, "b": shared}}), memo)
    assert plain["properties"]["a"] is plain["properties"]["b"]
    assert encode(shared, memo) is plain["properties"]["a"]
    assert memo.repeated == {id(plain["properties"]["a"])}


def test_fields_of_a_type_with_several_descriptions_are_encoded_once() -> None:
    fields = {"a": Schema({"type": "string"})}
    nodes = [Schema({"description": text, "properties": fields}) for text in ("One.", "Two.")]
    memo = EncodedSchemas()
    one, two = [encode(node, memo) for node in nodes]
    assert [one["description"], two["description"]] == ["One.", "Two."]
    assert one["properties"] is two["properties"]
    assert memo.repeated == {id(one["properties"])}


def test_empty_expression_of_a_rule_is_preserved() -> None:
    node = Schema({"x-kubernetes-validations": (ValidationRule("", field_path=".a"),)})
    assert encode(node, EncodedSchemas()) == {"x-kubernetes-validations": [{"rule": "", "fieldPath": ".a"}]}


def test_rules_have_members() -> None:
    (rule,) = decode({"x-kubernetes-validations": [{"rule": "r", "messageExpression": "m", "fieldPath": ".a"}]}).rules
    assert (rule.rule, rule.message_expression, rule.field_path, rule.optional_old_self) == ("r", "m", ".a", None)


def test_values_of_other_keywords_are_plain() -> None:
    plain = ("count", "docs", "flag", "json", "number", "string")
    assert {name for name, keyword in KEYWORDS.items() if keyword.form not in plain} == COMPOSED
