"""The effect of unknown fields that servers preserve or prune: on the constraints of objects, and on their content."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from protoc_gen_crd.comparison.schemas.narrowed_constraints import get_constraints
from protoc_gen_crd.comparison.schemas.node_pair import ITEM, METADATA, NodePair, may_compare
from protoc_gen_crd.schema.schema import LOGICAL_KEYWORDS, PRESERVE, Schema

_EMBEDDED_FIELDS = ("apiVersion", "kind", METADATA)
_COUNTS = ("minProperties", "maxProperties")


def may_reject_unknown_fields(pair: NodePair) -> bool:
    """Report whether the new API may reject objects, or items of lists, because it preserves unknown fields of a node.

    Servers validate what they preserve: it counts for `maxProperties`, and makes objects differ in CEL and in `enum`.
    """
    while pair.old.items is not None and pair.new.items is not None:
        pair = NodePair(pair.old.items, pair.new.items, f"{pair.path}[]", ITEM, pair)
    if pair.get_effective_values("maxProperties")[1] is not None or may_compare(pair):
        return True
    return any(_has_dependent_keywords(node.new) for node in (pair, *pair.iterate_ancestors()))


def _has_dependent_keywords(schema: Schema) -> bool:
    """Report whether an enum or a logical keyword may depend on unknown fields."""
    own = get_constraints(schema)
    constraints = {keyword: own[keyword] for keyword in ("enum", *LOGICAL_KEYWORDS) if keyword in own}
    return _depends_on_unknown_fields(constraints, schema.properties)


def _depends_on_unknown_fields(constraints: Any, known: Collection[str]) -> bool:
    if isinstance(constraints, list):
        return any(_depends_on_unknown_fields(part, known) for part in constraints)
    if not isinstance(constraints, dict):
        return False
    return any(
        keyword in _COUNTS
        or (keyword == "enum" and any(isinstance(choice, dict | list) for choice in value))
        or (keyword == "required" and not {*value} <= {*known})
        or _depends_on_unknown_fields(value, known)
        for keyword, value in constraints.items()
    )


def is_embedded_pruned(pair: NodePair) -> bool:
    """Report whether the new API drops fields of an object that was embedded: which it has without its schema."""
    known, metadata = pair.new.properties, pair.new.properties.get(METADATA)
    if metadata is not None and not metadata.get(PRESERVE):
        return True
    return not pair.keeps_unknown_fields()[1] and any(name not in known for name in _EMBEDDED_FIELDS)
