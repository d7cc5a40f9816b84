from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.objects.correlation import CorrelatedObject, KeyedItems, is_deep_equal
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from tests.unit.admission.crd_factory import schema

N, S = {"type": "integer"}, {"type": "string"}
ITEM = {"type": "object", "properties": {"k": S, "n": {"type": "number"}, "v": N}}
MAP = {"type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": ITEM}
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"a": N}}
ROOT = {"type": "object", "properties": {"a": N, "l": {"type": "array", "items": N}, "m": MAP, "o": OPEN}}


def correlated(new: Any, old: Any, node: dict[str, Any] = ROOT) -> CorrelatedObject:
    return CorrelatedObject(new, old, StructuralNodes().get_node(schema(node)))


@pytest.mark.parametrize(
    ("new", "old", "unchanged"),
    [
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": 1.0}, False),
        ({"a": 1}, {"a": 1, "l": []}, False),
        ({"l": [1, 2]}, {"l": [1, 2]}, True),
        ({"m": [{"k": "a"}, {"k": "b"}]}, {"m": [{"k": "b"}, {"k": "a"}]}, True),
        ({"m": [{"k": "a"}, {"k": "c"}]}, {"m": [{"k": "b"}, {"k": "a"}]}, False),
        ({"o": {"a": 1}}, {"o": {"a": 1}}, True),
        ({"o": {"z": 1}}, {"o": {"z": 1}}, False),  # of what the schema does not know, nothing is known
    ],
)
def test_unchanged_values(new: Any, old: Any, unchanged: bool) -> None:
    assert correlated(new, old).unchanged is unchanged


def test_only_items_of_keyed_lists_are_correlated() -> None:
    node = correlated({"l": [1], "m": [{"k": "b", "v": 1}]}, {"l": [1], "m": [{"k": "a"}, {"k": "b", "v": 2}]})
    lists, maps = node.get_member("l"), node.get_member("m")
    assert lists is not None
    assert lists.get_item(0) is None
    assert maps is not None
    item = maps.get_item(0)
    assert item is not None
    assert item.old == {"k": "b", "v": 2}
    assert node.get_member("a") is None


def test_composite_keys() -> None:
    node = StructuralNodes().get_node(schema({**MAP, "x-kubernetes-list-map-keys": ["k", "n"]}))
    items = KeyedItems(node, [{"k": "a", "n": 1.0}, {"k": "a", "n": 1}, {"k": "a"}])
    assert items.find_matching({"k": "a", "n": 1.0000001}) == {"k": "a", "n": 1.0}  # floats have six decimals there
    assert items.find_matching({"k": "a", "n": 1}) == {"k": "a", "n": 1}
    assert items.find_matching({"k": "a"}) is None
    assert items.find_matching("a") is None


def test_same_as_go_has_it() -> None:
    assert is_deep_equal({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})
    assert not is_deep_equal(1, 1.0)
    assert not is_deep_equal(True, 1)
    assert not is_deep_equal([], {})
    assert not is_deep_equal({"a": 1}, {"b": 1})
    deep: Any = 1
    for _ in range(5000):
        deep = [deep]
    assert is_deep_equal(deep, deep)
