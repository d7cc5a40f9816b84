"""Values against schemas, as objects are checked; defaults are held by tests/conformance/test_crd.py."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.field_errors import format_error
from protoc_gen_crd.admission.objects.correlation import is_deep_equal
from protoc_gen_crd.admission.objects.value_validator import ValueValidator
from protoc_gen_crd.kubernetes.shared_results import Switches
from tests.unit.admission.crd_factory import schema


def list_errors(node: dict[str, Any], value: Any, minor: int = 37, *, served: bool = True) -> list[str]:
    switches = Switches.from_minor(minor)
    errors = ValueValidator(switches, served=served).validate_value(
        schema({"type": "object", "properties": {"a": node}}), {"a": value}
    )
    return [format_error(error, switches) for error in errors]


def mistyped(path: str, expected: str, found: str) -> str:
    return f'{path}: Invalid value: "{found}": {path} in body must be of type {expected}: "{found}"'


def few(what: str) -> str:
    return f"a: Invalid value: 0: a in body should have at least 1 {what}"


S = {"type": "string"}
N = {"type": "integer"}
EITHER = {"x-kubernetes-int-or-string": True}


@pytest.mark.parametrize(
    ("node", "value", "texts"),
    [
        (S, "x", []),
        (S, 1, [mistyped("a", "string", "integer")]),
        (S, None, [mistyped("a", "string", "null")]),
        ({**S, "nullable": True}, None, []),
        (N, 2.0, []),
        ({"type": "number"}, 1, []),
        (EITHER, 1, []),
        (EITHER, "x", []),
        (EITHER, True, [mistyped("a", "integer,string", "boolean")]),
        ({**S, "maxLength": 1}, "xx", ["a: Too long: may not be more than 1 byte"]),
        ({**S, "maxLength": 1}, "é", []),
        ({**S, "minLength": 2}, "x", ['a: Invalid value: "x": a in body should be at least 2 chars long']),
        ({**S, "pattern": "^b"}, "x", ["""a: Invalid value: "x": a in body should match '^b'"""]),
        ({**S, "enum": ["b", "c"]}, "x", ['a: Unsupported value: "x": supported values: "b", "c"']),
        ({**N, "enum": [1, 2]}, 3, ['a: Unsupported value: 3: supported values: "1", "2"']),
        ({**N, "enum": [1]}, 1.0, []),
        ({**N, "maximum": 1}, 2, ["a: Invalid value: 2: a in body should be less than or equal to 1"]),
        ({**S, "format": "date"}, "x", ['a: Invalid value: "x": a in body must be of type date: "x"']),
        ({**S, "format": "colour"}, "x", []),
        ({"type": "array", "items": N}, [1, "x"], [mistyped("a[1]", "integer", "string")]),
        ({"type": "array", "items": S, "maxItems": 1}, ["x", "y"], ["a: Too many: 2: must have at most 1 item"]),
        ({"type": "array", "items": S, "minItems": 1}, [], [few("items")]),
        ({"type": "object", "required": ["b"]}, {}, ["a.b: Required value"]),
        ({"type": "object", "maxProperties": 0}, {"b": 1}, ["a: Too many: 1: must have at most 0 items"]),
        ({"type": "object", "minProperties": 1}, {}, [few("properties")]),
        ({"type": "object", "additionalProperties": N}, {"b": "x"}, [mistyped("a.b", "integer", "string")]),
        (
            {**S, "anyOf": [{"pattern": "^b"}, {"pattern": "^c"}]}, "x",
            [
                '<nil>: Invalid value: "": "a" must validate at least one schema (anyOf)',
                """a: Invalid value: "x": a in body should match '^b'""",
            ],
        ),
        (
            {**S, "oneOf": [{"pattern": "b"}, {"pattern": "c"}]}, "bc",
            ['<nil>: Invalid value: "": "a" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
        ),
        ({**S, "not": {"pattern": "b"}}, "b", ['<nil>: Invalid value: "": "a" must not validate the schema (not)']),
        (
            {**S, "allOf": [{"pattern": "b"}, {"minLength": 1}]}, "x",
            [
                """a: Invalid value: "x": a in body should match 'b'""",
                '<nil>: Invalid value: "": "a" must validate all the schemas (allOf)',
            ],
        ),
    ],
)  # fmt: skip
def test_keywords(node: dict[str, Any], value: Any, texts: list[str]) -> None:
    assert list_errors(node, value) == texts


def test_a_number_that_is_no_integer() -> None:
    assert list_errors(N, 1.5, 35) == [mistyped("a", "integer", "number")]
    checked = '<nil>: Invalid value: "": Checked value must be of type integer (default format) in a'
    assert list_errors(N, 1.5, 36) == [mistyped("a", "integer", "number"), checked]


def test_numeric_formats_count_in_newer_versions() -> None:
    node = {"type": "integer", "format": "int32"}
    assert list_errors(node, 1 << 31, 35) == []
    assert list_errors(node, 1 << 31, 36) == [
        '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in a'
    ]


def test_properties_are_counted_before_anything_else_in_older_versions() -> None:
    node = {"type": "object", "minProperties": 2, "properties": {"b": S}}
    assert len(list_errors(node, {"b": 1}, 27)) == 1
    assert len(list_errors(node, {"b": 1}, 28)) == 2


def test_a_default_is_checked_by_the_schema_as_written() -> None:
    assert list_errors(EITHER, True, served=False) == []
    closed = {"type": "object", "additionalProperties": False, "anyOf": [{"additionalProperties": False}]}
    assert list_errors(closed, {"b": 1}, served=False) == ['a: Invalid value: "b": a.b in body is a forbidden property']


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [(1, 1, True), (1, 1.0, False), (1, True, False), ([1], [1.0], False), ({"a": [1]}, {"a": [1]}, True)],
)
def test_sameness(one: Any, other: Any, equal: bool) -> None:
    assert is_deep_equal(one, other) is equal
