"""Branches of junctors: the schemas that a value must match, and its required and forbidden properties.

Branches of anyOf and oneOf are taken one at a time; a `not` counts as far as it forbids properties. Whether a value
made so is right is for the judge to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.keywords import KEYWORDS, TIGHTENS_UP
from protoc_gen_crd.schema.schema import Json, Schema

_MAX_SHAPES = 64  # shapes of one node that are looked at


class NodeShape(Record):
    """Schemas that a value must fit, the node's own first, and properties that it must and must not have."""

    schemas: tuple[Schema, ...]
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()

    @property
    def schema(self) -> Schema:
        """The node's own."""
        return self.schemas[0]

    def get_values(self, keyword: str) -> list[Json]:
        """The values of a keyword in all the schemas."""
        return [schema.get(keyword) for schema in self.schemas if keyword in schema]

    def get_bound(self, keyword: str) -> int | float | None:
        """The tightest value of a keyword that bounds."""
        found = [value for value in self.get_values(keyword) if isinstance(value, int | float)]
        tightest = max if KEYWORDS[keyword].direction == TIGHTENS_UP else min
        return tightest(found) if found else None

    def get_member(self, name: str) -> NodeShape | None:
        """What the schemas say of a property."""
        return _combine_schemas(schema.properties.get(name) for schema in self.schemas)

    @property
    def items(self) -> NodeShape | None:
        """What they say of items."""
        return _combine_schemas(schema.items for schema in self.schemas)

    @property
    def additional(self) -> NodeShape | None:
        """What they say of other properties."""
        found = (schema.additional for schema in self.schemas)
        return _combine_schemas(each if isinstance(each, Schema) else None for each in found)


def _combine_schemas(found: Iterable[Schema | None]) -> NodeShape | None:
    schemas = tuple([schema for schema in found if isinstance(schema, Schema)])
    return NodeShape(schemas) if schemas else None


def resolve_junctors(shape: NodeShape) -> Iterator[NodeShape]:
    """The ways in which the junctors of the schemas can be held to, all junctors resolved."""
    for parts in islice(product(*(_resolve_schema(schema) for schema in shape.schemas)), _MAX_SHAPES):
        joined = _join_shapes(parts)
        if joined is not None:
            yield joined


def _join_shapes(parts: Sequence[NodeShape]) -> NodeShape | None:
    """One shape of several, None where they contradict each other."""
    required = frozenset().union(*(part.required for part in parts))
    forbidden = frozenset().union(*(part.forbidden for part in parts))
    schemas = dict.fromkeys(schema for part in parts for schema in part.schemas)
    return None if required & forbidden else NodeShape(tuple(schemas), required, forbidden)


def _resolve_schema(schema: Schema) -> list[NodeShape]:
    """Those of one schema."""
    refused = schema.get("not")
    forbidden = _get_forbidden(refused) if isinstance(refused, Schema) else frozenset()
    found = [NodeShape((schema,), frozenset(schema.get("required") or ()), forbidden)]
    for branch in schema.get("allOf") or ():
        found = _combine_shapes(found, _resolve_schema(branch))
    if schema.get("anyOf"):
        found = _combine_shapes(found, [shape for branch in schema.get("anyOf") for shape in _resolve_schema(branch)])
    if schema.get("oneOf"):
        found = _combine_shapes(found, list(_resolve_exclusive(schema.get("oneOf"))))
    return found


def _resolve_exclusive(branches: Sequence[Schema]) -> Iterator[NodeShape]:
    """The shapes of each branch in which no other one holds, as far as required properties tell."""
    for chosen in branches:
        others = frozenset().union(*(_get_required(branch) for branch in branches if branch is not chosen))
        for shape in _resolve_schema(chosen):
            yield shape.replace(forbidden=shape.forbidden | (others - shape.required))


def _combine_shapes(some: Sequence[NodeShape], others: Sequence[NodeShape]) -> list[NodeShape]:
    joined = (_join_shapes(pair) for pair in islice(product(some, others), _MAX_SHAPES))
    return [shape for shape in joined if shape is not None]


def _get_required(branch: Schema) -> frozenset[str]:
    """The property that a branch asks for, where it is one."""
    names = branch.get("required") or ()
    return frozenset(names) if len(names) == 1 else frozenset()


def _get_forbidden(schema: Schema) -> frozenset[str]:
    """Properties that a value has to lack in order not to fit a schema that asks for them."""
    if set(schema.keywords) == {"required"}:
        return _get_required(schema)
    branches = schema.get("anyOf") or ()
    return frozenset().union(*(_get_forbidden(branch) for branch in branches))
