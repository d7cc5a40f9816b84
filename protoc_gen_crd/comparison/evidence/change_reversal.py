"""The new CRD without one of its changes: the errors that it lacks show the change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.schemas.node_pair import ANYTHING, ELEMENT_KEYWORDS, PROPERTY, VALUE, NodePair
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.schema.schema import (
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    LOGICAL_KEYWORDS,
    PRESERVE,
    VALIDATIONS,
    Schema,
)
from protoc_gen_crd.schema.schema_encoder import encode_rule

Keywords = Mapping[str, Any]

_LOWER, _UPPER = ("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")
_RANGE = ("format", *_LOWER, *_UPPER)
# Keywords that one change compares together.
_GROUPS: Mapping[str, tuple[str, ...]] = {
    **{keyword: group for group in (_LOWER, _UPPER, LOGICAL_KEYWORDS) for keyword in group},
    "type": ("type", INT_OR_STRING),
    LIST_TYPE: (LIST_TYPE, LIST_MAP_KEYS),
    "additionalProperties": ("properties", "additionalProperties"),
}


def revert_change(old: Crd, new: Crd, version: str, change: Change, pair: NodePair) -> Crd:
    """Return the new CRD in which one version has what a change of a node replaced."""
    before = next(side for side in old.versions if side.name == version)
    is_scale = change.keyword == "subresources.scale"
    reverted = {"scale": before.scale} if is_scale else {"schema": _revert_schema(change, pair)}
    versions = [side.replace(**reverted) if side.name == version else side for side in new.versions]
    return new.replace(versions=tuple(versions))


def _revert_schema(change: Change, pair: NodePair) -> Schema:
    """Return the new schema of a version without a change."""
    pair, keywords = _find_old_keywords(change, pair)
    node = pair.new.with_keywords(keywords)
    while (parent := pair.parent) is not None:
        node, pair = parent.new.with_keywords(_put_child(parent, pair, pair.name, node)), parent
    return node


def _find_old_keywords(change: Change, pair: NodePair) -> tuple[NodePair, Keywords]:
    """Return the node that a change is about, and what its keywords were."""
    keyword, parent = change.keyword, pair.get_parent()
    if change.rule == "change-type":
        return pair, {**dict.fromkeys(pair.new.keywords), **pair.old.keywords}
    if keyword == "properties" or ANYTHING in (pair.old, pair.new):
        is_property = pair.position == PROPERTY
        children = parent.old.properties if is_property else parent.old
        child = children.get(pair.old_name if is_property else ELEMENT_KEYWORDS[pair.position])
        return parent, {**_put_child(parent, pair, pair.old_name, child), **_find_preservation(parent, pair.position)}
    if keyword == "required":
        is_added = change.rule == "change-field-added-required"
        owner, name = (parent, pair.name) if is_added else (pair, change.new or change.old)
        names = owner.new.get("required") or ()
        others = [other for other in names if other != name]
        return owner, {"required": (others if name in names else [*others, name]) or None}
    if keyword == VALIDATIONS:
        kept = [rule for rule in pair.new.rules if encode_rule(rule) != change.new]
        lost = [rule for rule in pair.old.rules if encode_rule(rule) == change.old]
        return pair, {VALIDATIONS: (*kept, *lost) or None}
    is_range = keyword in _RANGE and isinstance(change.new or change.old, dict)
    names = _RANGE if is_range else _GROUPS.get(keyword, (keyword,))
    values = _find_preservation(pair, VALUE) if keyword == ELEMENT_KEYWORDS[VALUE] else {}
    return pair, {**{name: pair.old.get(name) for name in names}, **values}


def _find_preservation(owner: NodePair, position: str) -> Keywords:
    """Return the keyword of unknown fields as it was, also on a list around the node: it changes with map values."""
    return {PRESERVE: owner.keeps_unknown_fields()[0] or None} if position == VALUE else {}


def _put_child(parent: NodePair, pair: NodePair, name: str, child: Any) -> Keywords:
    """Return the keyword of the new parent that contains a child, with another child; None removes it."""
    if pair.position != PROPERTY:
        return {ELEMENT_KEYWORDS[pair.position]: child}
    others = {key: schema for key, schema in parent.new.properties.items() if key != pair.name}
    return {"properties": others if child is None else {**others, name: child}}
