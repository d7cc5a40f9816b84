"""The order of allOf, anyOf, oneOf and not: whether the new ones accept what the old ones accept."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from protoc_gen_crd.comparison.schemas.keyword_order import Order, make_order
from protoc_gen_crd.comparison.schemas.narrowed_constraints import find_new_logical_keywords, get_constraints
from protoc_gen_crd.comparison.schemas.node_pair import NodePair
from protoc_gen_crd.comparison.schemas.schema_inclusion import Constraints, InclusionCheck
from protoc_gen_crd.schema.reduced_constraints import list_logical_keywords
from protoc_gen_crd.schema.schema import BRANCH_KEYWORDS, INT_OR_STRING, LOGICAL_KEYWORDS, Schema

_INT_OR_STRING_TYPES = [{"type": "integer"}, {"type": "string"}]


def compare_logical_keywords(pair: NodePair) -> Order:
    """Return the order of the logical keywords of a node. Objects have no fields that their side does not have."""
    old, new = (_get_logical_keywords(schema) for schema in (pair.old, pair.new))
    before, after = pair.old.properties.keys(), pair.new.properties.keys()
    return make_order(
        accepts_old=_is_included(pair.old, old, new, after - before),
        accepts_more=not _is_included(pair.new, new, old, before - after),
    )


def find_changed_part(old: Constraints, new: Constraints, changed: Sequence[str]) -> tuple[str, Any, Any]:
    """Return a changed keyword of logical keywords, with its values; None if absent.

    If several keywords changed, equal parts have moved between a keyword and allOf, for example because another oneof
    is added. Then it is the keyword of the part that changed, or allOf with all parts that changed.
    """
    if len(changed) == 1:
        return changed[0], old.get(changed[0]), new.get(changed[0])
    before, after = list(list_logical_keywords(old)), list(list_logical_keywords(new))
    removed, added = [part for part in before if part not in after], [part for part in after if part not in before]
    names = {name for name, _ in (*removed, *added)}
    if len(names) == 1 and max(len(removed), len(added)) == 1:
        (name,) = names
        return name, dict(removed).get(name), dict(added).get(name)
    sides = (removed, added) if names else (before, after)
    values = [[{name: value} for name, value in parts] or None for parts in sides]
    return "allOf", values[0], values[1]


def _get_logical_keywords(schema: Schema) -> Constraints:
    """Return the logical keywords of a node, without those that servers demand of an int-or-string."""
    constraints = get_constraints(schema)
    logical_keywords = normalize_logical_keywords(
        {name: constraints[name] for name in LOGICAL_KEYWORDS if name in constraints}
    )
    if not schema.get(INT_OR_STRING):
        return logical_keywords
    branches = [_drop_types(branch) for branch in logical_keywords.get("allOf") or ()]
    return normalize_logical_keywords({**_drop_types(logical_keywords), "allOf": branches})


def _drop_types(schema: Constraints) -> Constraints:
    return {name: value for name, value in schema.items() if (name, value) != ("anyOf", _INT_OR_STRING_TYPES)}


def _is_included(schema: Schema, old: Constraints, new: Constraints, added: Collection[str]) -> bool:
    """Report whether objects of a schema without the fields `added` satisfy other logical keywords."""
    always = schema.get("required") or ()
    context = {**get_constraints(schema), **old, "required": list(always)}
    check = InclusionCheck()
    return all(
        check.is_included(context, {name: value})
        for _, _, demands in find_new_logical_keywords(old, new, added, always)
        for name, value in demands
    )


def normalize_logical_keywords(schema: Constraints) -> Constraints:
    """Return logical keywords with those of one branch as allOf, and without empty branches of allOf."""
    normal = {name: value for name, value in schema.items() if name not in BRANCH_KEYWORDS}
    branches = list(schema.get("allOf") or ())
    for name in ("anyOf", "oneOf"):
        if len(value := schema.get(name) or ()) == 1:
            branches += value
        elif value:
            normal[name] = value
    branches = [branch for branch in map(normalize_logical_keywords, branches) if branch]
    return {**normal, "allOf": branches} if branches else normal
