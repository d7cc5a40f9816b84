"""The order of allOf, anyOf, oneOf and not: whether the new ones accept what the old ones accept."""

from __future__ import annotations

from collections.abc import Collection

from protoc_gen_crd.comparison.keyword_orders import Order, make_order
from protoc_gen_crd.comparison.narrowed_keywords import find_new_junctors, get_constraints
from protoc_gen_crd.comparison.node_pair import JUNCTORS, NodePair
from protoc_gen_crd.comparison.schema_inclusion import Constraints, InclusionCheck
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema

_INT_OR_STRING_TYPES = [{"type": "integer"}, {"type": "string"}]


def compare_junctors(pair: NodePair) -> Order:
    """Return the order of the junctors of a node. Objects have no fields that their side does not have."""
    old, new = (_get_junctors(schema) for schema in (pair.old, pair.new))
    before, after = pair.old.properties.keys(), pair.new.properties.keys()
    return make_order(
        accepts_old=_is_included(pair.old, old, new, after - before),
        accepts_more=not _is_included(pair.new, new, old, before - after),
    )


def _get_junctors(schema: Schema) -> Constraints:
    """Return the junctors of a node, without those that servers demand of an int-or-string."""
    constraints = get_constraints(schema)
    junctors = normalize_junctors({name: constraints[name] for name in JUNCTORS if name in constraints})
    if not schema.get(INT_OR_STRING):
        return junctors
    branches = [_drop_types(branch) for branch in junctors.get("allOf") or ()]
    return normalize_junctors({**_drop_types(junctors), "allOf": branches})


def _drop_types(schema: Constraints) -> Constraints:
    return {name: value for name, value in schema.items() if (name, value) != ("anyOf", _INT_OR_STRING_TYPES)}


def _is_included(schema: Schema, old: Constraints, new: Constraints, added: Collection[str]) -> bool:
    """Report whether objects of a schema without the fields `added` satisfy other junctors."""
    always = schema.get("required") or ()
    context = {**get_constraints(schema), **old, "required": list(always)}
    check = InclusionCheck()
    return all(
        check.is_included(context, {name: value})
        for _, _, demands in find_new_junctors(old, new, added, always)
        for name, value in demands
    )


def normalize_junctors(schema: Constraints) -> Constraints:
    """Return junctors with those of one branch as allOf, and without empty branches of allOf."""
    normal = {name: value for name, value in schema.items() if name not in ("allOf", "anyOf", "oneOf")}
    branches = list(schema.get("allOf") or ())
    for name in ("anyOf", "oneOf"):
        if len(value := schema.get(name) or ()) == 1:
            branches += value
        elif value:
            normal[name] = value
    branches = [branch for branch in map(normalize_junctors, branches) if branch]
    return {**normal, "allOf": branches} if branches else normal
