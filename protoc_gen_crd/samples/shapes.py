"""What the junctors of a schema node leave open: which further schemas a value has to fit, which properties it has.

Branches of anyOf and oneOf are taken one at a time; a `not` counts as far as it forbids properties. Whether a value
made so is right is for the judge to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.keywords import KEYWORDS, TIGHTENS_UP
from protoc_gen_crd.schema.types import Json, Schema

_MOST = 64  # shapes of one node that are looked at


class Shape(Record):
    """Schemas that a value must fit, the node's own first, and properties that it must and must not have."""

    schemas: tuple[Schema, ...]
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()

    @property
    def schema(self) -> Schema:
        """The node's own."""
        return self.schemas[0]

    def all(self, keyword: str) -> list[Json]:
        """The values of a keyword in all the schemas."""
        return [schema.get(keyword) for schema in self.schemas if keyword in schema]

    def bound(self, keyword: str) -> int | float | None:
        """The tightest value of a keyword that bounds."""
        found = [value for value in self.all(keyword) if isinstance(value, int | float)]
        tightest = max if KEYWORDS[keyword].tightens == TIGHTENS_UP else min
        return tightest(found) if found else None

    def member(self, name: str) -> Shape | None:
        """What the schemas say of a property."""
        return _together(schema.properties.get(name) for schema in self.schemas)

    @property
    def items(self) -> Shape | None:
        """What they say of items."""
        return _together(schema.items for schema in self.schemas)

    @property
    def additional(self) -> Shape | None:
        """What they say of other properties."""
        found = (schema.additional for schema in self.schemas)
        return _together(each if isinstance(each, Schema) else None for each in found)


def _together(found: Iterable[Schema | None]) -> Shape | None:
    schemas = tuple([schema for schema in found if isinstance(schema, Schema)])
    return Shape(schemas) if schemas else None


def shapes(shape: Shape) -> Iterator[Shape]:
    """The ways in which the junctors of the schemas can be held to, all junctors resolved."""
    for parts in islice(product(*(_shapes(schema) for schema in shape.schemas)), _MOST):
        joined = _joined(parts)
        if joined is not None:
            yield joined


def _joined(parts: Sequence[Shape]) -> Shape | None:
    """One shape of several, None where they contradict each other."""
    required = frozenset().union(*(part.required for part in parts))
    forbidden = frozenset().union(*(part.forbidden for part in parts))
    schemas = dict.fromkeys(schema for part in parts for schema in part.schemas)
    return None if required & forbidden else Shape(tuple(schemas), required, forbidden)


def _shapes(schema: Schema) -> list[Shape]:
    """Those of one schema."""
    refused = schema.get("not")
    forbidden = _forbidden(refused) if isinstance(refused, Schema) else frozenset()
    found = [Shape((schema,), frozenset(schema.get("required") or ()), forbidden)]
    for branch in schema.get("allOf") or ():
        found = _combined(found, _shapes(branch))
    if schema.get("anyOf"):
        found = _combined(found, [shape for branch in schema.get("anyOf") for shape in _shapes(branch)])
    if schema.get("oneOf"):
        found = _combined(found, list(_alone(schema.get("oneOf"))))
    return found


def _alone(branches: Sequence[Schema]) -> Iterator[Shape]:
    """The shapes of each branch in which no other one holds, as far as required properties tell."""
    for chosen in branches:
        others = frozenset().union(*(_required(branch) for branch in branches if branch is not chosen))
        for shape in _shapes(chosen):
            yield shape.replace(forbidden=shape.forbidden | (others - shape.required))


def _combined(some: Sequence[Shape], others: Sequence[Shape]) -> list[Shape]:
    joined = (_joined(pair) for pair in islice(product(some, others), _MOST))
    return [shape for shape in joined if shape is not None]


def _required(branch: Schema) -> frozenset[str]:
    """The property that a branch asks for, where it is one."""
    names = branch.get("required") or ()
    return frozenset(names) if len(names) == 1 else frozenset()


def _forbidden(schema: Schema) -> frozenset[str]:
    """Properties that a value has to lack in order not to fit a schema that asks for them."""
    if set(schema.keywords) == {"required"}:
        return _required(schema)
    branches = schema.get("anyOf") or ()
    return frozenset().union(*(_forbidden(branch) for branch in branches))
