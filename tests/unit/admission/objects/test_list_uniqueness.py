from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.field_errors import format_error
from protoc_gen_crd.admission.objects.list_uniqueness import find_duplicates
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from protoc_gen_crd.kubernetes.shared_results import Switches
from tests.unit.admission.crd_factory import schema

ANY = {"x-kubernetes-preserve-unknown-fields": True}
SET = {"type": "array", "x-kubernetes-list-type": "set", "items": ANY}
ITEM = {"type": "object", "properties": {"k": ANY, "n": ANY}}
MAP = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": ITEM}
TWO = {**MAP, "x-kubernetes-list-map-keys": ["k", "n"]}


@pytest.mark.parametrize(
    ("node", "value", "texts"),
    [
        (SET, ["a", "b", "a", "a"], ['l[2]: Duplicate value: "a"']),
        (SET, [1, 1.0, True, "1", None], []),
        (SET, [None, None], ["l[1]: Duplicate value: null"]),
        (SET, [{"a": 1, "b": 2}, {"b": 2.0, "a": 1}], ['l[1]: Duplicate value: {"a":1,"b":2}']),
        (MAP, [{"k": "a"}, {"k": "b"}, {"k": "a", "n": 1}], ['l[2]: Duplicate value: {"k":"a"}']),
        (MAP, [{"k": 1}, {"k": 1.0}], []),
        (MAP, [{}, None, {"k": None}], ["l[1]: Duplicate value: {}"]),
        (MAP, [1, {"k": "a"}], ["l[0]: Invalid value: 1: must be an object for an array of list-type map"]),
        (TWO, [{"k": 1, "n": 1}, {"k": 1.0, "n": 1}, {"k": 1}], ['l[1]: Duplicate value: {"k":1,"n":1}']),
    ],
)
def test_duplicate_items(node: dict[str, Any], value: list[Any], texts: list[str]) -> None:
    root = StructuralNodes().get_node(schema({"type": "object", "properties": {"l": node}}))
    results = [
        format_error(error, Switches.from_minor(37)).replace("2.0", "2")
        for error in find_duplicates({"l": value}, root)
    ]
    assert results == texts


def test_paths() -> None:
    node = {"type": "object", "additionalProperties": {"type": "array", "items": SET}}
    root = StructuralNodes().get_node(schema({"type": "object", "properties": {"m": node}}))
    assert [error.path for error in find_duplicates({"m": {"k": [["a"], ["b", "b"]]}}, root)] == ["m[k][1][1]"]
