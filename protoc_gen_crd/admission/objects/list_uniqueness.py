"""Uniqueness of the items of lists of type set and map.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/listtype validation.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.field_errors import DUPLICATE, INVALID, Cause
from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode
from protoc_gen_crd.golang.fmt import marshal_json

_MISSING = object()


def find_duplicates(value: Any, node: StructuralNode, path: str | None = None) -> list[Cause]:
    """Find duplicate items; the path of a whole object is None."""
    return list(_find_nested_duplicates(value, node, path)) if node.lists else []


def _find_nested_duplicates(value: Any, node: StructuralNode, path: str | None) -> Iterator[Cause]:
    if type(value) is dict:
        for key, member in value.items():
            if type(member) not in (dict, list):
                continue
            if node.additional is not None and node.additional.lists:
                yield from _find_nested_duplicates(member, node.additional, f"{path or ''}[{key}]")
            child = node.properties.get(key)
            if child is not None and child.lists:
                yield from _find_nested_duplicates(member, child, key if path is None else f"{path}.{key}")
    elif type(value) is list:
        yield from _find_list_duplicates(value, node, path or "")
        if node.items is not None and node.items.lists:
            for index, item in enumerate(value):
                yield from _find_nested_duplicates(item, node.items, f"{path}[{index}]")


def _find_list_duplicates(value: list[Any], node: StructuralNode, path: str) -> Iterator[Cause]:
    if node.list_type == "set":
        for index in _find_repeated_indexes(value):
            yield Cause(DUPLICATE, f"{path}[{index}]", value=value[index])
    elif node.list_type == "map":
        for index, item in enumerate(value):
            if item is not None and type(item) is not dict:
                reason = "must be an object for an array of list-type map"
                yield Cause(INVALID, f"{path}[{index}]", reason, item)
                return
        for index in _find_repeated_indexes([_get_item_key(item or {}, node.keys) for item in value]):
            shown = {key: value[index][key] for key in node.keys if key in (value[index] or {})}
            yield Cause(DUPLICATE, f"{path}[{index}]", value=shown)


def _get_item_key(item: dict[str, Any], names: tuple[str, ...]) -> Any:
    """Return the key of an item: the value of a single key, or an object of several."""
    if len(names) == 1:
        return item.get(names[0], _MISSING)
    return {name: item[name] for name in names if name in item}


def _find_repeated_indexes(values: list[Any]) -> Iterator[int]:
    """Find the indexes of the second occurrence of values; 1 and 1.0 differ, except inside lists and objects."""
    seen: dict[object, int] = {}
    for index, value in enumerate(values):
        key = marshal_json(value) if type(value) in (dict, list) else (type(value), value)
        seen[key] = times = seen.get(key, 0) + 1
        if times == 2:
            yield index
