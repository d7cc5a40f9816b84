"""Branches of logical keywords: the schemas that a value must match, and its required and forbidden properties.

Branches of anyOf and oneOf are resolved one at a time; of a `not`, only forbidden properties are considered. The
generated values are validated afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.keywords import KEYWORDS, TIGHTENS_UP
from protoc_gen_crd.schema.schema import Json, Schema

_MAX_SHAPES = 64  # shapes of one node that are considered


class NodeShape(Record):
    """The schemas that a value must match, the node's own first, with its required and forbidden properties."""

    schemas: tuple[Schema, ...]
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()

    @property
    def schema(self) -> Schema:
        """Return the schema of the node itself."""
        return self.schemas[0]

    def get_values(self, keyword: str) -> list[Json]:
        """Return the values of a keyword in all schemas."""
        return [schema.get(keyword) for schema in self.schemas if keyword in schema]

    def get_bound(self, keyword: str) -> int | float | None:
        """Return the strictest value of a keyword that is a bound."""
        bounds = [value for value in self.get_values(keyword) if isinstance(value, int | float)]
        tightest = max if KEYWORDS[keyword].direction == TIGHTENS_UP else min
        return tightest(bounds) if bounds else None

    def get_member(self, name: str) -> NodeShape | None:
        """Return the shape of a property; None if no schema has it."""
        return _combine_schemas(schema.properties.get(name) for schema in self.schemas)

    @property
    def items(self) -> NodeShape | None:
        """Return the shape of items; None if no schema has it."""
        return _combine_schemas(schema.items for schema in self.schemas)

    @property
    def additional(self) -> NodeShape | None:
        """Return the shape of additional properties; None if no schema has it."""
        schemas = (schema.additional for schema in self.schemas)
        return _combine_schemas(schema if isinstance(schema, Schema) else None for schema in schemas)


def _combine_schemas(candidates: Iterable[Schema | None]) -> NodeShape | None:
    schemas = tuple([schema for schema in candidates if isinstance(schema, Schema)])
    return NodeShape(schemas) if schemas else None


def resolve_logical_keywords(shape: NodeShape) -> Iterator[NodeShape]:
    """Yield the shapes that satisfy the logical keywords of the schemas, with all logical keywords resolved."""
    for parts in islice(product(*(_resolve_schema(schema) for schema in shape.schemas)), _MAX_SHAPES):
        joined = _join_shapes(parts)
        if joined is not None:
            yield joined


def _join_shapes(parts: Sequence[NodeShape]) -> NodeShape | None:
    """Combine several shapes into one; None if they contradict each other."""
    required = frozenset().union(*(part.required for part in parts))
    forbidden = frozenset().union(*(part.forbidden for part in parts))
    schemas = dict.fromkeys(schema for part in parts for schema in part.schemas)
    return None if required & forbidden else NodeShape(tuple(schemas), required, forbidden)


def _resolve_schema(schema: Schema) -> list[NodeShape]:
    """Return the shapes that satisfy the logical keywords of a schema."""
    excluded = schema.get("not")
    forbidden = _get_forbidden(excluded) if isinstance(excluded, Schema) else frozenset()
    shapes = [NodeShape((schema,), frozenset(schema.get("required") or ()), forbidden)]
    for branch in schema.get("allOf") or ():
        shapes = _combine_shapes(shapes, _resolve_schema(branch))
    if schema.get("anyOf"):
        shapes = _combine_shapes(shapes, [shape for branch in schema.get("anyOf") for shape in _resolve_schema(branch)])
    if schema.get("oneOf"):
        shapes = _combine_shapes(shapes, list(_resolve_exclusive(schema.get("oneOf"))))
    return shapes


def _resolve_exclusive(branches: Sequence[Schema]) -> Iterator[NodeShape]:
    """Yield the shapes of each branch that match no other branch, considering only required properties."""
    for chosen in branches:
        others = frozenset().union(*(_get_required(branch) for branch in branches if branch is not chosen))
        for shape in _resolve_schema(chosen):
            yield shape.replace(forbidden=shape.forbidden | (others - shape.required))


def _combine_shapes(some: Sequence[NodeShape], others: Sequence[NodeShape]) -> list[NodeShape]:
    joined = (_join_shapes(pair) for pair in islice(product(some, others), _MAX_SHAPES))
    return [shape for shape in joined if shape is not None]


def _get_required(branch: Schema) -> frozenset[str]:
    """Return the required property of a branch; empty unless there is exactly one."""
    names = branch.get("required") or ()
    return frozenset(names) if len(names) == 1 else frozenset()


def _get_forbidden(schema: Schema) -> frozenset[str]:
    """Return the properties that a value must lack so that it does not match a schema that requires them."""
    if set(schema.keywords) == {"required"}:
        return _get_required(schema)
    branches = schema.get("anyOf") or ()
    return frozenset().union(*(_get_forbidden(branch) for branch in branches))
