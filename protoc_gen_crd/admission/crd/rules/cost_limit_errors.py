"""The costs of rules at their positions in a schema, and the errors of rules over the cost limits.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go (getCostErrorMessage),
cel_validation.go (extractMaxElements, TotalCost); pkg/apiserver/schema/cel/compilation.go (maxCardinality).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite
from protoc_gen_crd.admission.field_errors import FORBIDDEN, Cause
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import Declaration
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.kubernetes.api_server_limits import REQUEST_SIZE, RULE_COST, SCHEMA_COST
from protoc_gen_crd.schema.schema import Schema, ValidationRule

_MAX_NAMED = 4  # the most expensive expressions are named,
_MIN_NAMED_COST = SCHEMA_COST // 100  # unless they cost less than this
TOTAL_COST = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
_ADVICE = (
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are"
    " declared)"
)


class Cardinality(Record):
    """The number of times a value can occur in an object; `is_bounded` by the schema, or else by the request size."""

    maximum: int
    is_bounded: bool = True


ONCE = Cardinality(1)


class CompiledExpression(Record):
    """The result of a compilation, the maximum cost of one evaluation, and the error of creating the program."""

    result: CheckedAst | Rejection
    max_cost: int = 0
    error: str | None = None


class RuleExpression(Record):
    """A compiled rule or messageExpression of a site, with its steps below the path of the site.

    `compiled` is the same object for servers that treat the expression in the same way. `error` is the reason for a
    rejection. `max_cost` is the maximum cost of one evaluation, 0 for a rejected expression, and `cardinality` its
    multiplier. `declared` is the declaration of self, `environment` the CEL environment, and `rule` the rule that the
    expression belongs to.
    """

    steps: str
    text: str
    compiled: CompiledExpression
    error: str | None
    max_cost: int
    cardinality: Cardinality
    origin: Place | None
    site: RuleSite
    declared: Declaration
    environment: Environment
    rule: ValidationRule

    @property
    def path(self) -> str:
        """The path of the expression. It is not stored, since the paths of deep schemas are long."""
        return self.site.path + self.steps

    @property
    def is_message(self) -> bool:
        """True for a messageExpression."""
        return self.steps.endswith(".messageExpression")

    @property
    def result(self) -> CheckedAst | Rejection:
        """The checked expression or its rejection."""
        return self.compiled.result

    @property
    def cost(self) -> int:
        """The cost that is compared with the limits."""
        return min(self.max_cost * self.cardinality.maximum, MAX_UINT64)


def compute_cardinality(site: RuleSite, declared: Declaration) -> Cardinality:
    """Compute how often the value of a node can occur in an object."""
    maximum = 1
    for _, node in site.containers:
        bound = get_max_elements(node)
        if bound is None:
            return Cardinality(REQUEST_SIZE // (declared.min_size + 1), is_bounded=False)
        maximum = min(maximum * bound, MAX_UINT64)
    return Cardinality(maximum)


def get_max_elements(node: Schema) -> int | None:
    """Return how often a value of a node can contain each value below, None if unbounded."""
    if node.type == "array":
        bound = node.get("maxItems")
    elif node.type == "object" and node.additional is not None:
        bound = node.get("maxProperties")
    else:
        return 1
    return None if bound is None else max(bound, 0)


def validate_expression_cost(expression: RuleExpression) -> Iterator[Cause]:
    """Report an expression that exceeds the cost limit by itself."""
    if expression.cost > RULE_COST:
        what = "messageExpression" if expression.is_message else "rule"
        detail = _format_exceeded(f"estimated {what} cost", expression.cost, RULE_COST)
        yield _make_cause(expression, detail)


def validate_total_cost(expressions: Iterable[RuleExpression], path: str, origin: Place | None) -> Iterator[Cause]:
    """Report the expressions of one schema, located at `path`, that exceed the cost limit together."""
    all_expressions = list(expressions)
    total = min(sum([expression.cost for expression in all_expressions]), MAX_UINT64)
    if total <= SCHEMA_COST:
        return
    expensive = [expression for expression in all_expressions if expression.cost >= _MIN_NAMED_COST]
    for expression in sorted(expensive, key=lambda expression: -expression.cost)[:_MAX_NAMED]:
        detail = "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"
        yield _make_cause(expression, detail)
    yield Cause(FORBIDDEN, path, _format_exceeded(TOTAL_COST, total, SCHEMA_COST), place=origin)


def _make_cause(expression: RuleExpression, detail: str) -> Cause:
    place, text, cost = expression.origin, expression.text, expression.cost
    return Cause(FORBIDDEN, expression.path, detail, place=place, expression=text, cost=cost)


def _format_exceeded(what: str, cost: int, limit: int) -> str:
    return f"{what} exceeds budget by factor of {_format_factor(cost / limit)} {_ADVICE}"


def _format_factor(factor: float) -> str:
    if factor > 100:
        return "more than 100x"
    return f"{factor:.6f}x" if factor < 1.5 else f"{factor:.1f}x"
