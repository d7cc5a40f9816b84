"""Documents by chance: a known one with parts left out or made simple, then changed within its schema or beyond.

Choices are drawn so that smaller numbers leave out more: what shrinks the numbers shrinks the document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.samples.changes import Change, Steps, changed
from protoc_gen_crd.samples.judge import copied
from protoc_gen_crd.samples.maker import Maker
from protoc_gen_crd.samples.mutations import BEYOND, VALID, WITHIN, Mutation, Site
from protoc_gen_crd.samples.shapes import Shape
from protoc_gen_crd.samples.source import Source, one_of
from protoc_gen_crd.schema.types import Json, Schema

_META = frozenset(("apiVersion", "kind", "metadata"))
_RARE = 32  # one in so many optional parts is left out, one is made simple
_CHANGES = (0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6)  # how many changes a document may see, by how often
_LARGEST = 400  # parts of a document that are drawn for, so that the numbers do not run out


class Chance:
    """Draws documents of one schema. `makers` make minimal values and, by True, full ones."""

    def __init__(self, makers: Mapping[bool, Maker], schema: Schema, source: Source) -> None:
        self.makers, self.schema, self.source = makers, schema, source
        self._drawn = 0

    def document(self, bases: Sequence[dict[str, Any]], *, beyond: bool = True) -> dict[str, Any]:
        """A document made of one of the bases, the first of which is the simplest."""
        made: Any = copied(one_of(self.source, bases))
        self._drawn = 0
        made = self._thinned(made, self.schema, ())
        for _ in range(one_of(self.source, _CHANGES)):
            made = self._mutated(made, (*WITHIN, *BEYOND) if beyond else VALID)
        found: dict[str, Any] = made
        return found

    def _thinned(self, value: Json, schema: Schema, path: Steps) -> Json:
        if isinstance(value, dict):
            required = schema.get("required") or ()
            drawn = (
                (key, self._part(each, _child(schema, key), (*path, key), wanted=key in required))
                for key, each in value.items()
            )
            return {key: made[0] for key, made in drawn if made}
        if isinstance(value, list):
            items = (self._part(each, schema.items, (*path, index)) for index, each in enumerate(value))
            return [made[0] for made in items if made]
        return value

    def _part(self, value: Json, schema: Schema | None, path: Steps, *, wanted: bool = False) -> tuple[Json] | None:
        """What becomes of a member or item, None where it is left out."""
        if path == ("metadata",) and isinstance(value, dict):
            return ({key: each for key, each in value.items() if key == "name" or self.source.below(_RARE)},)
        if schema is None or path[0] in _META or self._drawn > _LARGEST:
            return (value,)
        self._drawn += 1
        drawn = self.source.below(_RARE)
        if drawn == 0 and not wanted:
            return None
        if drawn <= 1:
            name = next((step for step in reversed(path) if isinstance(step, str)), "")
            return (self.makers[False].of(Shape((schema,)), name).value,)
        return (self._thinned(value, schema, path),)

    def _mutated(self, value: Any, mutations: Sequence[Mutation]) -> Any:
        sites = list(self._sites(value, self.schema, ()))
        site = one_of(self.source, sites)
        values = self._values(site, mutations)
        new = one_of(self.source, values) if values else site.value
        if not site.path:
            return new
        return changed(value, (Change(site.path, new),))

    def _values(self, site: Site, mutations: Sequence[Mutation]) -> list[Any]:
        """What the drawn mutation makes of a node, or the next one that makes anything."""
        first = self.source.below(len(mutations))
        turns = (
            [value for value in mutation(site) if _is_change(site, value)]
            for mutation in (*mutations[first:], *mutations[:first])
        )
        return next((values for values in turns if values), [])

    def _sites(self, value: Any, schema: Schema, path: Steps) -> Iterator[Site]:
        """The nodes of a document that the schema knows."""
        yield Site(path, schema, value, self.makers)
        parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for step, part in parts:
            child = _child(schema, step) if isinstance(step, str) else schema.items
            if child is not None and not (not path and step in _META):
                yield from self._sites(part, child, (*path, step))


def _is_change(site: Site, value: Any) -> bool:
    """Whether a value is another one; a document as a whole stays an object of its kind."""
    if not site.path:
        return (
            isinstance(value, dict) and value != site.value and all(value.get(key) == site.value[key] for key in _META)
        )
    return type(value) is not type(site.value) or bool(value != site.value)


def _child(schema: Schema, key: str) -> Schema | None:
    found = schema.properties.get(key)
    if found is None and isinstance(schema.additional, Schema):
        found = schema.additional
    return found
