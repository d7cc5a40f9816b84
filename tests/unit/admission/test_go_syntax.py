"""Texts as Go prints them; what is not obvious was seen in Go."""

from __future__ import annotations

import pytest

from protoc_gen_crd.admission.go_syntax import format_error_value, format_go_syntax, to_json
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import LIST_TYPE, Schema, ValidationRule

OLD, NEW = Switches.from_minor(33), Switches.from_minor(34)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e20, "100000000000000000000"), (1e21, "1e+21"), (1e-6, "0.000001"), (1e-7, "1e-7"), (1.5, "1.5"), (1, "1"),
        ("<&>", r'"\u003c\u0026\u003e"'), ({"b": [None, True], "a": {}}, '{"a":{},"b":[null,true]}'), ("é", '"é"'),
        ("\u2028", r'"\u2028"'),
        (GoTypedValue("*string", None), "null"), (GoTypedValue("[]string", ("a",)), '["a"]'),
        (GoTypedValue("*float64", 1), "1"),
        (GoTypedValue("map[string]string", {"a": "b"}), '{"a":"b"}'),
    ],
)  # fmt: skip
def test_json(value: object, text: str) -> None:
    assert to_json(value, NEW) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, "a", None], '[]interface {}{1, "a", interface {}(nil)}'),
        ({"b": 1.5, "a": True}, 'map[string]interface {}{"a":true, "b":1.5}'),
        (GoTypedValue("[]string", None), "[]string(nil)"),
        (GoTypedValue("[]string", ("a", "b")), '[]string{"a", "b"}'),
        (GoTypedValue("*int64", 1), "(*int64)(0xc000000000)"),
        (GoTypedValue("*int64", None), "(*int64)(nil)"),
        (GoTypedValue("[]uint8", "YQ=="), "[]byte{0x61}"),
        (GoTypedValue("apiextensions.JSON", None), "apiextensions.JSON(nil)"),
        (GoTypedValue("map[string]string", {"a": "b"}), 'map[string]string{"a":"b"}'),
        (GoTypedValue("apiextensions.ResourceScope", "Other"), '"Other"'),
    ],
)
def test_syntax(value: object, text: str) -> None:
    assert format_go_syntax(value, OLD) == text


@pytest.mark.parametrize(
    ("value", "old", "new"),
    [
        ("a", '"a"', '"a"'),
        (True, "true", "true"),
        (1.0, "1", "1"),
        (None, '"null"', "null"),
        ([], "[]interface {}{}", "[]"),
        (GoTypedValue("*string", "a"), '"a"', '"a"'),
        (GoTypedValue("*string", None), '"null"', "null"),
    ],
)
def test_values_in_messages(value: object, old: str, new: str) -> None:
    assert format_error_value(value, OLD) == old
    assert format_error_value(value, NEW) == new


def test_rules_have_the_members_of_their_version() -> None:
    rule = GoTypedValue("apiextensions.ValidationRule", ValidationRule("self.a", "bad", reason="FieldValueInvalid"))
    assert to_json(rule, Switches.from_minor(26)) == '{"Rule":"self.a","Message":"bad"}'
    assert to_json(rule, NEW) == (
        '{"Rule":"self.a","Message":"bad","MessageExpression":"","Reason":"FieldValueInvalid","FieldPath":"",'
        '"OptionalOldSelf":null}'
    )
    assert (
        format_go_syntax(rule, Switches.from_minor(26)) == 'apiextensions.ValidationRule{Rule:"self.a", Message:"bad"}'
    )


def test_schemas_show_every_field() -> None:
    node = Schema({"type": "object", LIST_TYPE: "set", "additionalProperties": Schema({"type": "string"})})
    text = to_json(GoTypedValue("apiextensions.JSONSchemaProps", node), NEW)
    assert '"Type":"object"' in text
    assert '"XListType":"set"' in text
    assert '"AdditionalProperties":{"Allows":true,"Schema":{' in text
    assert format_go_syntax(GoTypedValue("apiextensions.JSONSchemaProps", node), OLD).startswith(
        'apiextensions.JSONSchemaProps{ID:"",'
    )
