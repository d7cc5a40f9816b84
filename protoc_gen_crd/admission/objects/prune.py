"""Unknown fields out of values.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/pruning algorithm.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.schema.types import EMBEDDED, PRESERVE, Schema

META = frozenset(("apiVersion", "kind", "metadata"))


def prune(value: Any, schema: Schema | None, *, resource: bool = False) -> Any:
    """The value without fields that the schema does not know; the given value is left as it is.

    For a `resource`, apiVersion, kind and metadata are none of the schema's business.
    """
    return _pruned(value, schema, meta=resource or _is_resource(schema), keep=schema is not None and _keeps(schema))


def _is_resource(schema: Schema | None) -> bool:
    return schema is not None and bool(schema.get(EMBEDDED))


def _keeps(schema: Schema) -> bool:
    return bool(schema.get(PRESERVE))


def _pruned(value: Any, schema: Schema | None, *, meta: bool, keep: bool) -> Any:
    if isinstance(value, list):
        items = schema.items if schema is not None and isinstance(schema.items, Schema) else None
        if keep and items is None:
            return value
        below = keep or (items is not None and _keeps(items))
        return [_pruned(item, items, meta=_is_resource(items), keep=below) for item in value]
    if isinstance(value, dict):
        return dict(_members(value, schema, meta=meta, keep=keep))
    return value


def _members(value: dict[str, Any], schema: Schema | None, *, meta: bool, keep: bool) -> Iterator[tuple[str, Any]]:
    for key, member in value.items():
        if schema is None:
            continue
        child = schema.properties.get(key)
        if meta and key in META:
            yield key, member
        elif child is not None:
            yield key, prune(member, child)
        elif schema.additional is not None:
            yield key, prune(member, schema.additional if isinstance(schema.additional, Schema) else None)
        elif keep:
            yield key, member
