"""Random documents: valid ones with parts removed or simplified, then mutated within their schema or beyond it.

Smaller random numbers omit more parts, so a search that shrinks the numbers also shrinks the document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.samples.logical_branches import NodeShape
from protoc_gen_crd.samples.mutations import BEYOND, VALID, WITHIN, Mutation, MutationTarget
from protoc_gen_crd.samples.path_changes import ValuePath, change_at
from protoc_gen_crd.samples.random_source import RandomSource, choose_one
from protoc_gen_crd.samples.sample_validator import copy_value
from protoc_gen_crd.samples.value_generator import ValueGenerator
from protoc_gen_crd.schema.schema import Json, Schema

_META = frozenset(("apiVersion", "kind", "metadata"))
_RARE = 32  # one in this many optional parts is omitted, one is simplified
_MUTATION_COUNTS = (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6)  # per document; repeated numbers are likelier
_MAX_PARTS = 400  # parts of a document that use random numbers, so that these are not used up


class RandomDocumentGenerator:
    """A generator of random documents for one schema. `generators` by whether their values are full."""

    def __init__(self, generators: Mapping[bool, ValueGenerator], schema: Schema, source: RandomSource) -> None:
        self.generators, self.schema, self.source = generators, schema, source
        self._drawn = 0

    def generate_document(self, bases: Sequence[dict[str, Any]], *, beyond: bool = True) -> dict[str, Any]:
        """Generate a document from one of the bases, the first of which is the simplest; `beyond` for invalid ones."""
        base: Any = choose_one(self.source, bases)
        self._drawn = 0
        value: Any = self._thin_out(base, self.schema, ())
        for _ in range(choose_one(self.source, _MUTATION_COUNTS)):
            value = self._mutate(value, (*WITHIN, *BEYOND) if beyond else VALID)
        document: dict[str, Any] = value
        return document

    def _thin_out(self, value: Json, schema: Schema, path: ValuePath) -> Json:
        """Return a copy of a value without some of its parts."""
        if isinstance(value, dict):
            required, members = schema.get("required") or (), {}
            for key, member in value.items():
                part = self._draw_part(member, _get_child(schema, key), (*path, key), required=key in required)
                if part:
                    members[key] = part[0]
            return members
        if isinstance(value, list):
            items = (self._draw_part(item, schema.items, (*path, index)) for index, item in enumerate(value))
            return [part[0] for part in items if part]
        return value

    def _draw_part(
        self, value: Json, schema: Schema | None, path: ValuePath, *, required: bool = False
    ) -> tuple[Json] | None:
        """Keep, simplify or omit a member or item; None if it is omitted."""
        if path == ("metadata",) and isinstance(value, dict):
            kept = {key: member for key, member in value.items() if key == "name" or self.source.draw(_RARE)}
            return (copy_value(kept),)
        if schema is None or path[0] in _META or self._drawn > _MAX_PARTS:
            return (copy_value(value),)
        self._drawn += 1
        drawn = self.source.draw(_RARE)
        if drawn == 0 and not required:
            return None
        if drawn <= 1:
            name = next((step for step in reversed(path) if isinstance(step, str)), "")
            return (self.generators[False].generate(NodeShape((schema,)), name).value,)
        return (self._thin_out(value, schema, path),)

    def _mutate(self, value: Any, mutations: Sequence[Mutation]) -> Any:
        nodes: list[_Node] = []
        _list_nodes(value, self.schema, None, "", nodes)
        target = self._make_target(choose_one(self.source, nodes))
        values = self._draw_values(target, mutations)
        new = choose_one(self.source, values) if values else target.value
        return change_at(value, target.path, new)

    def _draw_values(self, target: MutationTarget, mutations: Sequence[Mutation]) -> list[Any]:
        """Return the values of a random mutation of a node, or of the next one that has any."""
        first = self.source.draw(len(mutations))
        candidates = (
            [value for value in mutation(target) if _is_change(target, value)]
            for mutation in (*mutations[first:], *mutations[:first])
        )
        return next((values for values in candidates if values), [])

    def _make_target(self, node: _Node) -> MutationTarget:
        value, schema, parent, step = node
        path: list[str | int] = []
        while parent is not None:
            path.append(step)
            _, _, parent, step = parent
        return MutationTarget(tuple(reversed(path)), schema, value, self.generators)


_Node = tuple[
    Any, Schema, Any, str | int
]  # a value, its schema, the node around it (None for a document), and its step


def _list_nodes(value: Any, schema: Schema, parent: _Node | None, step: str | int, nodes: list[_Node]) -> None:
    """Append the nodes of a document that have a schema: plain tuples, since one of many is chosen."""
    node = value, schema, parent, step
    nodes.append(node)
    if isinstance(value, dict):
        properties, additional = schema.properties, schema.additional
        entries = additional if isinstance(additional, Schema) else None
        for key, member in value.items():
            child = properties.get(key, entries)
            if child is None or (parent is None and key in _META):
                continue
            if type(member) is dict or type(member) is list:
                _list_nodes(member, child, node, key, nodes)
            else:
                nodes.append((member, child, node, key))
    elif isinstance(value, list) and schema.items is not None:
        for index, item in enumerate(value):
            _list_nodes(item, schema.items, node, index, nodes)


def _is_change(target: MutationTarget, value: Any) -> bool:
    """Check whether a value differs; a whole document must remain an object of its kind."""
    if not target.path:
        return (
            isinstance(value, dict)
            and value != target.value
            and all(value.get(key) == target.value[key] for key in _META)
        )
    return type(value) is not type(target.value) or bool(value != target.value)


def _get_child(schema: Schema, key: str) -> Schema | None:
    child = schema.properties.get(key)
    if child is None and isinstance(schema.additional, Schema):
        child = schema.additional
    return child
