"""Ways to change the value of a schema node: a table of functions from a place to values that could stand there.

Those of WITHIN mean to stay within the schema, those of BEYOND to leave it, mostly by one step. The simplest come
first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.ast import Ast
from protoc_gen_crd.cel.environment import stored
from protoc_gen_crd.cel.syntax import parse
from protoc_gen_crd.samples.asked import varied
from protoc_gen_crd.samples.changes import NOTHING, Steps, changed
from protoc_gen_crd.samples.leaves import leaves
from protoc_gen_crd.samples.maker import Maker
from protoc_gen_crd.samples.plans import Planner, literals_of
from protoc_gen_crd.samples.repair import below, named
from protoc_gen_crd.samples.shapes import Shape
from protoc_gen_crd.schema.types import PRESERVE, Json, Schema

_LONGEST = 5_000  # characters, items or entries that are made to cross a bound
_FEW = 6
_EDGES = (0, -1, 1, 2**31 - 1, 2**31, -(2**31) - 1, 2**63 - 1, 0.5, 1e300)
_TEXTS = ("a", " ", "\n", "é", "a\u0000", "0", "true", "null", "-", ".", "/", "%", "A", "\U0001f600")
_TYPES: tuple[Json, ...] = ("text", 1, True, [], {}, 1.5)


class Site(Record):
    """A node of a document: where it is, its schema, and the value there."""

    path: Steps
    schema: Schema
    value: Any
    makers: Mapping[bool, Maker]

    @property
    def maker(self) -> Maker:
        """What makes minimal values."""
        return self.makers[False]

    @property
    def name(self) -> str:
        """The property that the node is, or is an item of."""
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")


Mutation = Callable[[Site], Iterator[Any]]


def _other(site: Site) -> Iterator[Any]:
    """Another value that fits."""
    if not isinstance(site.value, dict | list):
        yield from islice(leaves(Shape((site.schema,)), site.name, site.maker.judge), _FEW)


def _more(site: Site) -> Iterator[Any]:
    """A property, an entry or an item more."""
    shape = Shape((site.schema,))
    for maker in (site.makers[False], site.makers[True]):
        if isinstance(site.value, dict):
            for key in site.schema.properties:
                if key not in site.value and (child := shape.member(key)) is not None:
                    yield {**site.value, key: maker.of(child, key).value}
            if (entries := shape.additional) is not None:
                yield {**site.value, f"key-{len(site.value)}": maker.of(entries, site.name).value}
        elif isinstance(site.value, list) and (items := shape.items) is not None:
            yield [*site.value, maker.of(items, site.name).value]


def _chosen(site: Site) -> Iterator[Any]:
    """The members of an enum."""
    yield from site.schema.get("enum") or ()


def _edge(site: Site) -> Iterator[Any]:
    """The bounds of a number, and just beyond."""
    if isinstance(site.value, int | float) and not isinstance(site.value, bool):
        for keyword in ("minimum", "maximum", "multipleOf"):
            bound = site.schema.get(keyword)
            if isinstance(bound, int | float):
                yield from (bound, bound + 1, bound - 1)


def _extreme(site: Site) -> Iterator[Any]:
    """Numbers at the edges of types."""
    if isinstance(site.value, int | float) and not isinstance(site.value, bool):
        yield from _EDGES


def _length(site: Site) -> Iterator[Any]:
    """The bounds of lengths and counts, and just beyond."""
    value = site.value
    what = "Length" if isinstance(value, str) else "Items" if isinstance(value, list) else "Properties"
    for side in ("min", "max"):
        bound = site.schema.get(side + what)
        for size in (bound, bound + 1, bound - 1) if isinstance(bound, int) else ():
            if 0 <= size <= _LONGEST:
                yield from _sized(value, size)


def _sized(value: Any, size: int) -> Iterator[Any]:
    if isinstance(value, str):
        yield (value + (value[-1:] or "a") * size)[:size]
    elif isinstance(value, list) and value:
        yield [*value, *(varied(value[-1], index) for index in range(1, size))][:size]
    elif isinstance(value, dict) and value:
        first = next(iter(value.values()))
        yield dict(islice({**value, **{f"key-{index}": first for index in range(size)}}.items(), size))


def _typed(site: Site) -> Iterator[Any]:
    """A value of another type."""
    yield from (value for value in _TYPES if type(value) is not type(site.value))


def _missing(_site: Site) -> Iterator[Any]:
    """Nothing."""
    yield NOTHING


def _null(_site: Site) -> Iterator[Any]:
    """Null."""
    yield None


def _unknown(site: Site) -> Iterator[Any]:
    """A field that the schema does not know."""
    if isinstance(site.value, dict):
        yield {**site.value, "unknownField": 1}


def _twice(site: Site) -> Iterator[Any]:
    """An item twice."""
    if isinstance(site.value, list):
        yield from ([*site.value, item] for item in site.value[:_FEW])


def _neighbour(site: Site) -> Iterator[Any]:
    """What is almost a member of an enum."""
    for member in (site.schema.get("enum") or ())[:_FEW]:
        if isinstance(member, str):
            yield from (member.lower(), member.upper(), member[:-1], f"{member} ")
        elif isinstance(member, int | float):
            yield from (member + 1, str(member))


def _broken(site: Site) -> Iterator[Any]:
    """A text that is a little different."""
    if isinstance(site.value, str):
        value = site.value
        yield from ("", f"{value}!", f" {value}", value.upper(), value[:-1], f"{value}{value}")


def _text(site: Site) -> Iterator[Any]:
    """What patterns and formats may stumble over."""
    if isinstance(site.value, str):
        yield from (*_TEXTS, f"{site.value}\n")


def _ruled(site: Site) -> Iterator[Any]:
    """What rules of the node ask for, and what breaks them."""
    dialect = stored(site.maker.judge.switches.minor).dialect

    def fill(path: Steps) -> Iterator[Json]:
        shape = below(site.schema, path)
        if shape is not None:
            yield site.maker.of(shape, str(path[-1]) if path else "").value

    asts = [ast for rule in site.schema.rules if isinstance(ast := parse(rule.rule, dialect), Ast)]
    literals = literals_of(asts)
    for ast in asts:
        planner = Planner(ast, site.value, fill, partial(named, site.schema), literals)
        for wanted in (False, True):
            plans = filter(None, planner.asked(ast.root, wanted, {"self": ()}))
            yield from (changed(site.value, plan) for plan in islice(plans, _FEW))


def _allowed(site: Site) -> Iterator[Any]:
    """Null where the schema takes it, an unknown field where it keeps that."""
    if site.schema.get("nullable"):
        yield None
    if site.schema.get(PRESERVE):
        yield from _unknown(site)


def _extent(site: Site) -> Iterator[Any]:
    """The least and greatest values that a type can hold, as far as bounds let them; no text, and a long one."""
    schema = site.schema
    if schema.type == "string" and not any(schema.get(keyword) for keyword in ("enum", "format", "pattern")):
        least, most = schema.get("minLength") or 0, schema.get("maxLength")
        longest = min(_LONGEST if most is None else most, _LONG)
        yield from ("a" * size for size in (least, longest) if least <= size <= longest)
    elif schema.type in _EXTENTS:
        ends = _EXTENTS[schema.type]
        least, most = (schema.get(keyword) for keyword in ("minimum", "maximum"))
        for end in ends[:_OF_INT32] if schema.get("format") == "int32" else ends:
            raised = end if least is None else max(end, least)
            yield raised if most is None else min(raised, most)


_LONG = 1_000  # characters
_OF_INT32 = 3
_EXTENTS: Mapping[str, Sequence[int | float]] = {
    "integer": (0, -(2**31), 2**31 - 1, 2**31, -(2**31) - 1, 2**53 + 1, -(2**63), 2**63 - 1),
    "number": (0, 1, 2**53, 1e-300, -1e300, 1e300),
}
WITHIN: tuple[Mutation, ...] = (_other, _more, _chosen)
VALID: tuple[Mutation, ...] = (*WITHIN, _allowed, _extent)
BEYOND: tuple[Mutation, ...] = (
    _broken, _edge, _extreme, _length, _missing, _neighbour, _null, _ruled, _text, _twice, _typed, _unknown,
)  # fmt: skip
