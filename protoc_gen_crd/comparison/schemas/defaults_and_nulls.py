"""The effect of values that servers set or drop: defaults, and nulls that a schema does not allow.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting algorithm.go, prunenulls.go.
"""

from __future__ import annotations

from enum import Enum

from protoc_gen_crd.comparison.schemas.enforced_keywords import STATUS
from protoc_gen_crd.comparison.schemas.node_pair import ITEM, METADATA, PROPERTY, ROOT, VALUE, NodePair, is_unique_list
from protoc_gen_crd.schema.schema import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    LOGICAL_KEYWORDS,
    VALIDATIONS,
    Schema,
)


class Outcome(Enum):
    """The treatment of a null or an absent value."""

    ABSENT = "absent"
    DEFAULT = "default"
    EMPTY = "empty"  # an object without fields
    NULL = "null"
    REJECTED = "rejected"


def get_null_outcomes(pair: NodePair) -> tuple[Outcome, Outcome]:
    """Return the treatment of null at a node in each API."""
    is_metadata = pair.position == PROPERTY and pair.name == METADATA
    parent = pair.get_parent()
    old, new = (
        _get_metadata_outcome(schema)
        if is_metadata and owner.get(EMBEDDED)
        else _get_null_outcome(schema, pair.position)
        for schema, owner in ((pair.old, parent.old), (pair.new, parent.new))
    )
    return old, new


def _get_metadata_outcome(schema: Schema) -> Outcome:
    """Return the treatment of null as the metadata of an embedded resource.

    Source: k8s.io/apiextensions-apiserver pkg/apiserver customresource_handler.go (unstructuredSchemaCoercer): servers
    drop nulls first, then decode metadata, and set defaults last.
    """
    is_kept = schema.get("nullable") or schema.get("default") is not None
    return Outcome.EMPTY if is_kept else Outcome.ABSENT


def _get_null_outcome(schema: Schema, position: str) -> Outcome:
    if schema.get("nullable"):
        return Outcome.REJECTED if schema.get("enum") else Outcome.NULL
    if schema.get("default") is not None:
        return Outcome.DEFAULT
    if position != ITEM:
        return Outcome.ABSENT
    is_typed = schema.type or schema.get(INT_OR_STRING) or schema.get("enum")
    return Outcome.REJECTED if is_typed else Outcome.NULL


def get_absent_outcome(schema: Schema, position: str) -> Outcome:
    """Return the treatment of an absent node."""
    has_default = schema.get("default") is not None and position == "property"
    return Outcome.DEFAULT if has_default else Outcome.ABSENT


def is_always_present(parent: NodePair, name: str, schema: Schema) -> bool:
    """Report whether servers set a property; they drop the status of new objects after they have set defaults."""
    return schema.get("default") is not None and not (parent.position == ROOT and name == STATUS)


def is_rejecting(pair: NodePair, old: Outcome, new: Outcome) -> bool:
    """Report whether another treatment can reject objects: because of the value itself, or of constraints on it."""
    if Outcome.REJECTED in (old, new):
        return new is Outcome.REJECTED and old is not new
    return old is not new and is_observed(pair, appears=old is Outcome.ABSENT, disappears=new is Outcome.ABSENT)


def is_observed(pair: NodePair, *, appears: bool = False, disappears: bool = False) -> bool:
    """Report whether constraints of the node or its parents depend on its presence or on its value."""
    if _has_rules(pair.new) or any(_is_reading(ancestor, pair) for ancestor in pair.iterate_ancestors()):
        return True
    parent = pair.get_parent()
    required = parent.new.get("required") or ()
    is_required = bool(required) if pair.position == VALUE else pair.name in required  # entries have any name
    if disappears and (is_required or parent.get_effective_values("minProperties")[1]):
        return True
    if appears and parent.get_effective_values("maxProperties")[1] is not None:
        return True
    return _is_dropped_if_empty(parent) and is_observed(parent, appears=appears, disappears=disappears)


def _is_dropped_if_empty(pair: NodePair) -> bool:
    """Report whether servers drop a map or a list if it is empty, as they do in the metadata of embedded resources."""
    owner = pair.get_parent()
    return owner.name == METADATA and owner.get_parent().new.get(EMBEDDED) is True


def _is_reading(ancestor: NodePair, pair: NodePair) -> bool:
    """Report whether a node has constraints on the value of a node below it."""
    schema, parent = ancestor.new, pair.get_parent()
    if any(schema.get(keyword) for keyword in (*LOGICAL_KEYWORDS, VALIDATIONS, "enum")):
        return True
    is_item_or_key = parent is ancestor or (
        parent.parent is ancestor and pair.name in (schema.get(LIST_MAP_KEYS) or ())
    )
    return is_unique_list(schema) and (schema.get(LIST_TYPE) == "set" or is_item_or_key)


def _has_rules(schema: Schema) -> bool:
    """Report whether a node or a node below it has rules."""
    children = (*schema.properties.values(), schema.items, schema.additional)
    return VALIDATIONS in schema or any(_has_rules(child) for child in children if isinstance(child, Schema))
