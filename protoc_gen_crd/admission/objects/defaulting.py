"""Defaulting of values, in place.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting algorithm.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode


def apply_defaults(value: Any, node: StructuralNode) -> None:
    """Set missing values that have a default, in existing values and in the defaults themselves.

    Modifies all parts of the value that the schema specifies.
    """
    if not node.defaults:
        return
    set_missing_parts(value, node)
    for key, child in iterate_parts(value, node):
        apply_defaults(value[key], child)


def set_missing_parts(value: Any, node: StructuralNode) -> None:
    """Set the missing members or items that have a default, in the value itself only."""
    if type(value) is dict:
        for key, child in node.defaulted:
            if value.get(key) is None and (key not in value or not child.nullable):
                value[key] = _copy(child.default)
        additional = node.additional
        if additional is not None and additional.defaults and not additional.nullable:
            for key in value.keys() - node.properties.keys():
                if value[key] is None:
                    value[key] = _copy(additional.default)
    elif type(value) is list and node.items is not None and node.items.defaults and not node.items.nullable:
        for index, item in enumerate(value):
            if item is None:
                value[index] = _copy(node.items.default)


def iterate_parts(value: Any, node: StructuralNode) -> Iterator[tuple[Any, StructuralNode]]:
    """Yield the members or items for which the schema has defaults: the key or index, and the node."""
    if type(value) is dict:
        for key, child in node.properties.items():
            if child.defaults and key in value:
                yield key, child
        additional = node.additional
        if additional is not None and additional.defaults:
            for key in value.keys() - node.properties.keys():
                yield key, additional
    elif type(value) is list and node.items is not None and node.items.defaults:
        for index in range(len(value)):
            yield index, node.items


def _copy(value: Any) -> Any:
    if type(value) is dict:
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if type(value) is list else value
