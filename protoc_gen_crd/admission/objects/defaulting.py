"""Defaulting of values, in place.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting algorithm.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode


def apply_defaults(value: Any, node: StructuralNode) -> None:
    """Set missing values that have a default, in existing values and in the defaults themselves.

    Modifies all parts of the value that the schema specifies.
    """
    if not node.defaults:
        return
    if type(value) is dict:
        _default_members(value, node)
    elif type(value) is list and node.items is not None and node.items.defaults:
        items = node.items
        for index, item in enumerate(value):
            if item is None and not items.nullable:
                value[index] = _copy(items.default)
            apply_defaults(value[index], items)


def _default_members(value: dict[str, Any], node: StructuralNode) -> None:
    for key, child in node.defaulted:
        if value.get(key) is None and (key not in value or not child.nullable):
            value[key] = _copy(child.default)
    for key, child in node.properties.items():
        if child.defaults and key in value:
            apply_defaults(value[key], child)
    additional = node.additional
    if additional is not None and additional.defaults:
        for key in value.keys() - node.properties.keys():
            if value[key] is None and not additional.nullable:
                value[key] = _copy(additional.default)
            apply_defaults(value[key], additional)


def _copy(value: Any) -> Any:
    if type(value) is dict:
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if type(value) is list else value
