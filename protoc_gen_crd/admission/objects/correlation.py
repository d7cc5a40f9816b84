"""Correlation of updated values with old values, as far as the schema allows, for ratcheting and for oldSelf in rules.

Ratcheting means that API servers accept an update despite errors of values that it does not change.

Source: k8s.io/apiserver pkg/cel/common equality.go, maplist.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.objects.structural_nodes import OPAQUE, StructuralNode
from protoc_gen_crd.golang.fmt import quote


class CorrelatedObject:
    """A value, its old value, and their schema. A value without an old value has no correlation.

    Shortcut correlated-children: neither the value nor the old value is written to while rules and checks run.
    """

    __slots__ = ("_children", "_items", "_unchanged", "node", "old", "value")

    def __init__(self, value: Any, old: Any, node: StructuralNode) -> None:
        self.value, self.old, self.node = value, old, node
        self._children: dict[str | int, CorrelatedObject | None] = {}
        self._items: KeyedItems | None = None
        self._unchanged: bool | None = None

    def get_member(self, key: str) -> CorrelatedObject | None:
        """Return the correlation of a property, None if it has no old value."""
        if key not in self._children:
            self._children[key] = self._correlate_member(key)
        return self._children[key]

    def _correlate_member(self, key: str) -> CorrelatedObject | None:
        value, old = self.value, self.old
        if type(value) is not dict or type(old) is not dict or key not in value or key not in old:
            return None
        child = self.node.properties.get(key) or self.node.additional
        return None if child is None or child is OPAQUE else CorrelatedObject(value[key], old[key], child)

    def get_item(self, index: int) -> CorrelatedObject | None:
        """Return the correlation of a list item, None unless the list type is map."""
        if index not in self._children:
            self._children[index] = self._correlate_item(index)
        return self._children[index]

    def _correlate_item(self, index: int) -> CorrelatedObject | None:
        value, old, items = self.value, self.old, self.node.items
        if type(value) is not list or type(old) is not list or self.node.list_type != "map" or items is None:
            return None
        if self._items is None:
            self._items = KeyedItems(self.node, old)
        old_item = self._items.find_matching(value[index])
        return None if old_item is None else CorrelatedObject(value[index], old_item, items)

    @property
    def unchanged(self) -> bool:
        """True if value and old value are equal; an object with a field that the schema does not specify is changed."""
        if self._unchanged is None:
            self._unchanged = self._is_unchanged()
        return self._unchanged

    def _is_unchanged(self) -> bool:
        value, old = self.value, self.old
        if type(value) is not type(old):
            return False
        if type(value) is dict:
            return len(value) == len(old) and all(_is_same(self.get_member(key)) for key in value)
        if type(value) is list:
            if self.node.list_type != "map" or self.node.items is None:
                return is_deep_equal(value, old)
            return len(value) == len(old) and all(_is_same(self.get_item(index)) for index in range(len(value)))
        return bool(value == old)


def _is_same(child: CorrelatedObject | None) -> bool:
    return child is not None and child.unchanged


class KeyedItems:
    """The items of a list of type map by the values of their keys; of items with equal keys, the first."""

    def __init__(self, node: StructuralNode, items: list[Any]) -> None:
        self._keys = node.keys
        self._by_key: dict[object, dict[str, Any]] = {}
        if node.list_type == "map" and node.schema.type == "array" and node.keys:
            for item in items:
                key = self._get_key(item)
                if key is not None:
                    self._by_key.setdefault(key, item)

    def find_matching(self, item: Any) -> dict[str, Any] | None:
        """Return the item with the same keys."""
        key = self._get_key(item) if self._by_key else None
        return None if key is None else self._by_key.get(key)

    def _get_key(self, item: Any) -> object:
        if type(item) is not dict:
            return None
        values = [item.get(key) for key in self._keys]
        if any(type(key_value) not in (bool, int, float, str) for key_value in values):
            return None
        if len(values) == 1:
            return type(values[0]), values[0]
        return tuple([_format_key(key_value) for key_value in values])


def _format_key(value: Any) -> str:
    """Format a key as a part of a composite key, in which floats have six decimals."""
    if isinstance(value, str):
        return quote(value)
    return f"{value:f}" if isinstance(value, float) else str(value)


def is_deep_equal(first: Any, second: Any) -> bool:
    """Return true if Go's reflect.DeepEqual regards two JSON values as equal: 1 and 1.0 are different."""
    pending = [(first, second)]
    while pending:
        left, right = pending.pop()
        if type(left) is not type(right):
            return False
        if type(left) is dict:
            if left.keys() != right.keys():
                return False
            pending += [(value, right[key]) for key, value in left.items()]
        elif type(left) is list:
            if len(left) != len(right):
                return False
            pending += zip(left, right, strict=True)
        elif left != right:
            return False
    return True
