from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.objects.defaulting import apply_defaults
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from tests.unit.admission.crd_factory import schema

S = {"type": "string"}
A = {**S, "default": "x"}


def filled(node: dict[str, Any], value: Any) -> Any:
    apply_defaults(value, StructuralNodes().get_node(schema({"type": "object", "properties": {"a": node}})))
    return value


@pytest.mark.parametrize(
    ("node", "value", "expected"),
    [
        (A, {}, {"a": "x"}),
        (A, {"a": None}, {"a": "x"}),
        (A, {"a": ""}, {"a": ""}),
        ({**A, "nullable": True}, {"a": None}, {"a": None}),
        ({"type": "object", "properties": {"b": A}}, {}, {}),
        ({"type": "object", "properties": {"b": A}}, {"a": {}}, {"a": {"b": "x"}}),
        ({"type": "object", "properties": {"b": A}, "default": {}}, {}, {"a": {"b": "x"}}),
        ({"type": "array", "items": A}, {"a": [None, "y"]}, {"a": ["x", "y"]}),
        ({"type": "object", "additionalProperties": A}, {"a": {"k": None, "l": "y"}}, {"a": {"k": "x", "l": "y"}}),
        ({"type": "number", "default": 1.0}, {}, {"a": 1}),
    ],
)
def test_defaults_are_set(node: dict[str, Any], value: Any, expected: Any) -> None:
    assert repr(filled(node, value)) == repr(expected)


def test_defaults_are_copied() -> None:
    node = {"type": "object", "default": {"b": []}, "properties": {"b": {"type": "array", "items": S}}}
    structural = StructuralNodes().get_node(schema({"type": "object", "properties": {"a": node}}))
    results: dict[str, Any] = {}
    apply_defaults(results, structural)
    results["a"]["b"].append("x")
    other: dict[str, Any] = {}
    apply_defaults(other, structural)
    assert other == {"a": {"b": []}}


def test_defaults_are_pruned() -> None:
    node = {"type": "object", "default": {"b": "x", "c": 1}, "properties": {"b": S}}
    assert filled(node, {}) == {"a": {"b": "x"}}
