"""Constraints on a node by the allOf of the nodes around it, such as `allOf: [{properties: {a: {maxLength: 5}}}]`."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.comparison.schemas.node_pair import ITEM, PROPERTY, NodePair
from protoc_gen_crd.schema.schema import BRANCH_KEYWORDS, Schema


def add_inherited_constraints(pair: NodePair) -> tuple[Schema, Schema]:
    """Return both nodes of a pair, with the constraints of the nodes around them in allOf."""
    old, new = (_add(schema, _list_inherited(pair, side)) for side, schema in (("old", pair.old), ("new", pair.new)))
    return old, new


def _add(schema: Schema, inherited: list[Schema]) -> Schema:
    return schema.with_keywords({"allOf": (*(schema.get("allOf") or ()), *inherited)}) if inherited else schema


def _list_inherited(pair: NodePair, side: str) -> list[Schema]:
    """Return the constraints on one side of a node by the nodes around it."""
    parent = pair.parent
    if parent is None or pair.position not in (PROPERTY, ITEM):
        return []
    owner: Schema = getattr(parent, side)
    name = pair.old_name if side == "old" else pair.name
    conjuncts = [part for schema in (owner, *_list_inherited(parent, side)) for part in _list_conjuncts(schema)]
    children = [part.items if pair.position == ITEM else part.properties.get(name) for part in conjuncts[1:]]
    return [child for child in children if child is not None]


def _list_conjuncts(schema: Schema) -> Iterator[Schema]:
    """Yield a schema and the branches that all of its values satisfy."""
    yield schema
    for keyword in BRANCH_KEYWORDS:
        branches = schema.get(keyword) or ()
        for branch in branches if keyword == "allOf" or len(branches) == 1 else ():
            yield from _list_conjuncts(branch)
