from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd import Validator
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from tests.unit.admission.crd_factory import manifest, schema

S = {"type": "string"}
KEEP = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
A = {"type": "object", "properties": {"a": S}}


@pytest.mark.parametrize(
    ("node", "value", "left"),
    [
        (A, {"a": "x", "b": 1}, {"a": "x"}),
        ({"type": "object"}, {"b": 1}, {}),
        (KEEP, {"b": {"c": 1}}, {"b": {"c": 1}}),
        ({**KEEP, "properties": {"b": A}}, {"b": {"c": 1}, "d": 1}, {"b": {}, "d": 1}),
        ({"type": "object", "additionalProperties": A}, {"k": {"a": "x", "b": 1}}, {"k": {"a": "x"}}),
        ({"type": "object", "additionalProperties": True}, {"k": {"b": 1}}, {"k": {}}),
        ({"type": "array", "items": A}, [{"b": 1}, 2], [{}, 2]),
        ({**KEEP, "type": "array", "items": A}, [{"b": 1}], [{"b": 1}]),
        (S, {"b": 1}, {}),
        (S, "x", "x"),
    ],
)
def test_pruned_values(node: dict[str, Any], value: Any, left: Any) -> None:
    assert StructuralNodes().prune(value, schema(node)) == left


def test_a_resource_keeps_its_own_members() -> None:
    value = {"apiVersion": "v1", "kind": "A", "metadata": {"x": 1}, "b": 1}
    left = {key: value[key] for key in ("apiVersion", "kind", "metadata")}
    assert StructuralNodes().prune(value, schema(A), resource=True) == left
    assert StructuralNodes().prune(value, schema({**A, "x-kubernetes-embedded-resource": True})) == left
    assert StructuralNodes().prune(value, schema(A)) == {}


def test_the_argument_is_not_modified() -> None:
    value = {"b": 1}
    StructuralNodes().prune(value, schema(A))
    assert value == {"b": 1}


@pytest.mark.parametrize(
    ("metadata", "left"), [({}, {}), ({"nullable": True}, {"metadata": {}}), ({"default": {}}, {"metadata": {}})]
)
def test_a_null_metadata_of_an_embedded_resource_is_dropped_by_its_schema(
    metadata: dict[str, Any], left: dict[str, Any]
) -> None:
    fields = {"metadata": {"type": "object", **metadata}}
    pod = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": fields}
    value = {"apiVersion": "v1", "kind": "Pod"}
    definition = manifest({"type": "object", "properties": {"a": pod}})
    obj = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x"}, "a": {**value, "metadata": None}}
    (verdict,) = Validator(definition).validate(obj)
    assert verdict.object is not None
    assert verdict.object["a"] == {**value, **left}
