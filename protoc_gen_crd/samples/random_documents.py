"""Random documents: valid ones with parts removed or simplified, then mutated within their schema or beyond it.

Choices are drawn so that smaller numbers leave out more: what shrinks the numbers shrinks the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.samples.junctor_branches import NodeShape
from protoc_gen_crd.samples.mutations import BEYOND, VALID, WITHIN, Mutation, MutationTarget
from protoc_gen_crd.samples.path_changes import PathChange, ValuePath, apply_changes
from protoc_gen_crd.samples.random_source import RandomSource, choose_one
from protoc_gen_crd.samples.sample_validator import copy_value
from protoc_gen_crd.samples.value_generator import ValueGenerator
from protoc_gen_crd.schema.schema import Json, Schema

_META = frozenset(("apiVersion", "kind", "metadata"))
_RARE = 32  # one in so many optional parts is left out, one is made simple
_CHANGES = (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6)  # how many changes a document may see, by how often
_MAX_PARTS = 400  # parts of a document that are drawn for, so that the numbers do not run out


class RandomDocumentGenerator:
    """Draws documents of one schema. `generators` make minimal values and, by True, full ones."""

    def __init__(self, generators: Mapping[bool, ValueGenerator], schema: Schema, source: RandomSource) -> None:
        self.generators, self.schema, self.source = generators, schema, source
        self._drawn = 0

    def generate_document(self, bases: Sequence[dict[str, Any]], *, beyond: bool = True) -> dict[str, Any]:
        """A document made of one of the bases, the first of which is the simplest."""
        made: Any = copy_value(choose_one(self.source, bases))
        self._drawn = 0
        made = self._thin_out(made, self.schema, ())
        for _ in range(choose_one(self.source, _CHANGES)):
            made = self._mutate(made, (*WITHIN, *BEYOND) if beyond else VALID)
        found: dict[str, Any] = made
        return found

    def _thin_out(self, value: Json, schema: Schema, path: ValuePath) -> Json:
        if isinstance(value, dict):
            required = schema.get("required") or ()
            drawn = (
                (key, self._draw_part(each, _get_child(schema, key), (*path, key), wanted=key in required))
                for key, each in value.items()
            )
            return {key: made[0] for key, made in drawn if made}
        if isinstance(value, list):
            items = (self._draw_part(each, schema.items, (*path, index)) for index, each in enumerate(value))
            return [made[0] for made in items if made]
        return value

    def _draw_part(
        self, value: Json, schema: Schema | None, path: ValuePath, *, wanted: bool = False
    ) -> tuple[Json] | None:
        """What becomes of a member or item, None where it is left out."""
        if path == ("metadata",) and isinstance(value, dict):
            return ({key: each for key, each in value.items() if key == "name" or self.source.draw(_RARE)},)
        if schema is None or path[0] in _META or self._drawn > _MAX_PARTS:
            return (value,)
        self._drawn += 1
        drawn = self.source.draw(_RARE)
        if drawn == 0 and not wanted:
            return None
        if drawn <= 1:
            name = next((step for step in reversed(path) if isinstance(step, str)), "")
            return (self.generators[False].generate(NodeShape((schema,)), name).value,)
        return (self._thin_out(value, schema, path),)

    def _mutate(self, value: Any, mutations: Sequence[Mutation]) -> Any:
        sites = list(self._list_targets(value, self.schema, ()))
        site = choose_one(self.source, sites)
        values = self._draw_values(site, mutations)
        new = choose_one(self.source, values) if values else site.value
        if not site.path:
            return new
        return apply_changes(value, (PathChange(site.path, new),))

    def _draw_values(self, target: MutationTarget, mutations: Sequence[Mutation]) -> list[Any]:
        """What the drawn mutation makes of a node, or the next one that makes anything."""
        first = self.source.draw(len(mutations))
        turns = (
            [value for value in mutation(target) if _is_change(target, value)]
            for mutation in (*mutations[first:], *mutations[:first])
        )
        return next((values for values in turns if values), [])

    def _list_targets(self, value: Any, schema: Schema, path: ValuePath) -> Iterator[MutationTarget]:
        """The nodes of a document that the schema knows."""
        yield MutationTarget(path, schema, value, self.generators)
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for step, part in parts:
            child = _get_child(schema, step) if isinstance(step, str) else schema.items
            if child is not None and not (not path and step in _META):
                yield from self._list_targets(part, child, (*path, step))


def _is_change(target: MutationTarget, value: Any) -> bool:
    """Check whether a value is another one; a document as a whole stays an object of its kind."""
    if not target.path:
        return (
            isinstance(value, dict)
            and value != target.value
            and all(value.get(key) == target.value[key] for key in _META)
        )
    return type(value) is not type(target.value) or bool(value != target.value)


def _get_child(schema: Schema, key: str) -> Schema | None:
    found = schema.properties.get(key)
    if found is None and isinstance(schema.additional, Schema):
        found = schema.additional
    return found
