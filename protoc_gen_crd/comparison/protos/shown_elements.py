"""The elements of protos that changes of schemas are about."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.schemas.node_pair import PROPERTY, NodePair
from protoc_gen_crd.schema.go_type_decoder import DocumentPlace
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES, TYPE, Schema


def find_elements(pair: NodePair) -> Iterator[tuple[str, str]]:
    """Yield the fields that a change of a node is about, by type and JSON name, and the types of the node itself."""
    for node in (pair.old, pair.new):
        yield from ((name, "") for name in _get_type(node))
    at: NodePair | None = pair
    while at is not None and at.position != PROPERTY:
        at = at.parent
    if at is not None and at.parent is not None:
        for parent, name in ((at.parent.old, at.old_name), (at.parent.new, at.name), (at.parent.new, at.old_name)):
            yield from ((owner, name) for owner in _get_type(parent))


def find_explained_types(change: Change) -> Iterator[tuple[str, str]]:
    """Yield the fields whose types a change can follow from, by type and JSON name.

    These are its own field, unless a marker sets the keyword, and the fields around it, up to the first message that
    both sides have.
    """
    pair = change.nodes
    if pair is None or change.keyword in (CHANNEL, CHANNEL_VALUES):
        return
    generated = [node for node in (pair.old, pair.new) if not isinstance(node.origin, DocumentPlace)]
    if not any(change.keyword in (node.marks or {}) for node in generated):
        yield from find_elements(pair)
    for around in pair.iterate_ancestors():
        names = [[*_get_type(node)] for node in (around.old, around.new)]
        if names[0] and names[0] == names[1]:
            return
        yield from find_elements(around)


def _get_type(node: Schema) -> Iterator[str]:
    named = (node.facts or {}).get(TYPE)
    if named is not None:
        yield named.name
