"""What rules cost in their places, and what a server says of those that cost too much.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go (getCostErrorMessage),
cel_validation.go (extractMaxElements, TotalCost); pkg/apiserver/schema/cel/compilation.go (maxCardinality).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.admission.crd.cel import Site
from protoc_gen_crd.admission.errors import FORBIDDEN, FieldError
from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.cost.intervals import MOST
from protoc_gen_crd.cel.cost.limits import REQUEST, RULE, SCHEMA
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.issues import Refusal
from protoc_gen_crd.cel.types import Declared
from protoc_gen_crd.schema.types import Schema

_NAMED = 4  # the dearest expressions are named, unless
_SMALL = SCHEMA // 100  # they are less than this
_ADVICE = (
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are"
    " declared)"
)


class Count(Record):
    """How often a value can be in an object: `bounded` by the schema, else by the size of a request alone."""

    most: int
    bounded: bool = True


ONCE = Count(1)


class Compiled(Record):
    """What came of a text, the most that one evaluation costs, and why no program can be made of it."""

    found: Checked | Refusal
    most: int = 0
    fault: str | None = None


class Expression(Record):
    """A rule or messageExpression in its place, compiled.

    `made` is the same object where servers treat the text alike; `fault` is why it is refused; `most` the most that one
    evaluation costs, 0 for what is refused; `count` how often it counts; `declared` what the site's value is to it,
    `within` what it may use.
    """

    path: str
    text: str
    made: Compiled
    fault: str | None
    most: int
    count: Count
    origin: Place | None
    site: Site
    declared: Declared
    within: Environment

    @property
    def found(self) -> Checked | Refusal:
        """What came of the text."""
        return self.made.found

    @property
    def cost(self) -> int:
        """What is held against the limits."""
        return min(self.most * self.count.most, MOST)


def count_of(site: Site, declared: Declared) -> Count:
    """How often the value of a node can be in an object."""
    most = 1
    for node, _ in site.above[:-1]:
        bound = repeats(node)
        if bound is None:
            return Count(REQUEST // (declared.least + 1), bounded=False)
        most = min(most * bound, MOST)
    return Count(most)


def repeats(node: Schema) -> int | None:
    """How often a value of a node holds each value below, None where nothing bounds that."""
    if node.type == "array":
        bound = node.get("maxItems")
    elif node.type == "object" and node.additional is not None:
        bound = node.get("maxProperties")
    else:
        return 1
    return None if bound is None else max(bound, 0)


def dear(expression: Expression) -> Iterator[FieldError]:
    """The error of an expression that costs too much by itself."""
    if expression.cost > RULE:
        what = "messageExpression" if expression.path.endswith(".messageExpression") else "rule"
        detail = _exceeded(f"estimated {what} cost", expression.cost, RULE)
        yield FieldError(FORBIDDEN, expression.path, detail, origin=expression.origin)


def dear_together(expressions: Iterable[Expression], path: str, origin: Place | None) -> Iterator[FieldError]:
    """The errors of the expressions of one schema, at its path, where they cost too much together."""
    told = list(expressions)
    total = min(sum([expression.cost for expression in told]), MOST)
    if total <= SCHEMA:
        return
    large = [expression for expression in told if expression.cost >= _SMALL]
    for expression in sorted(large, key=lambda expression: -expression.cost)[:_NAMED]:
        detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
        yield FieldError(FORBIDDEN, expression.path, detail, origin=expression.origin)
    what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
    yield FieldError(FORBIDDEN, path, _exceeded(what, total, SCHEMA), origin=origin)


def _exceeded(what: str, cost: int, limit: int) -> str:
    return f"{what} exceeds budget by factor of {_factor(cost / limit)} {_ADVICE}"


def _factor(factor: float) -> str:
    if factor > 100:
        return "more than 100x"
    return f"{factor:.6f}x" if factor < 1.5 else f"{factor:.1f}x"
