"""Pruning of unknown fields and nulls.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/pruning algorithm.go, defaulting prunenulls.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.objects.structural_nodes import META, OPAQUE, StructuralNode


class Pruner:
    """Prunes one object. `unknown` collects the paths of pruned fields; `nulls` drops invalid nulls too, unreported.

    The parts that a schema specifies are copied, so the argument is not modified.
    """

    __slots__ = ("nulls", "unknown")

    def __init__(self, *, nulls: bool) -> None:
        self.nulls = nulls
        self.unknown: list[str] = []

    def prune_value(self, node: StructuralNode, value: Any, path: str) -> Any:
        """Return the pruned value at a path, which is empty for a whole object."""
        if type(value) is dict:
            return self._prune_map(node, value, path)
        if type(value) is list:
            return self._prune_list(node, value, path, keep=node.preserve)
        return value

    def _prune_map(self, node: StructuralNode, value: dict[str, Any], path: str) -> dict[str, Any]:
        pruned: dict[str, Any] = {}
        properties, resource = node.properties, node.resource
        for key, member in value.items():
            child = properties.get(key) or node.additional
            if member is None and self._is_dropped(child):
                continue
            if resource and key in META:
                pruned[key] = self._drop_nulls(child, member)
            elif child is None:
                self._prune_unknown(node, pruned, key, member, path)
            elif type(member) is dict or type(member) is list:
                pruned[key] = self.prune_value(child, member, f"{path}.{key}" if path else key)
            else:
                pruned[key] = member
        return pruned

    def _prune_unknown(self, node: StructuralNode, pruned: dict[str, Any], key: str, member: Any, path: str) -> None:
        if node.preserve:
            pruned[key] = member
        elif path or key not in META:
            self.unknown.append(f"{path}.{key}" if path else key)

    def _prune_list(self, node: StructuralNode, value: list[Any], path: str, *, keep: bool) -> list[Any]:
        items = node.items
        if items is None:
            return (
                value
                if keep
                else [self.prune_value(OPAQUE, item, f"{path}[{index}]") for index, item in enumerate(value)]
            )
        if not keep or items.preserve:
            return [
                self.prune_value(items, item, f"{path}[{index}]") if type(item) in (dict, list) else item
                for index, item in enumerate(value)
            ]
        return [self._prune_preserved(items, item, f"{path}[{index}]") for index, item in enumerate(value)]

    def _prune_preserved(self, node: StructuralNode, value: Any, path: str) -> Any:
        """Prune an item of a list that preserves unknown fields; this applies to the item's own fields."""
        if type(value) is list:
            return self._prune_list(node, value, path, keep=True)
        if type(value) is not dict:
            return value
        fields = {key: member for key, member in value.items() if key in node.properties or node.additional is not None}
        pruned = self._prune_map(node, fields, path)
        return {
            key: pruned[key] if key in fields else value[key] for key in value if key not in fields or key in pruned
        }

    def _drop_nulls(self, node: StructuralNode | None, value: Any) -> Any:
        """Return an unpruned value without the nulls that its schema does not allow."""
        if node is None or not self.nulls:
            return value
        if type(value) is list:
            return value if node.items is None else [self._drop_nulls(node.items, item) for item in value]
        if type(value) is not dict:
            return value
        members = {}
        for key, member in value.items():
            child = node.properties.get(key) or node.additional
            if member is not None or not self._is_dropped(child):
                members[key] = self._drop_nulls(child, member)
        return members

    def _is_dropped(self, node: StructuralNode | None) -> bool:
        """Return true if a null with this schema is dropped."""
        return self.nulls and node is not None and node.droppable and node is not OPAQUE
