"""Report expressions that do not compile, have the wrong result type, or cost too much."""

from __future__ import annotations

import re

from protoc_gen_crd.admission.crd.rules.cost_limit_errors import get_max_elements
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64
from protoc_gen_crd.conversion.checks.expression_scope import build_variable_schemas
from protoc_gen_crd.conversion.expressions import SIZE_KEYWORDS, ConversionExpression
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import UnwrapObject
from protoc_gen_crd.conversion.plan.paths import BRACKETS
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.value_steps import CelExpression
from protoc_gen_crd.findings.finding import Excerpt, Problems
from protoc_gen_crd.kubernetes.api_server_limits import REQUEST_SIZE, RULE_COST
from protoc_gen_crd.schema.schema import Schema

_UNBOUNDED_COST = (
    MAX_UINT64 // 20
)  # estimates for strings of unknown length, such as string(1), are a tenth of the maximum

# CEL errors for lists, maps and conditionals with values of several types.
_MIXED_TYPES = re.compile(r"expected type '[^']+' but found|'_\?_:_'")
_MIXED_TYPES_HINT = (
    "wrap values of different types in dyn(...): {'name': dyn(self), 'port': dyn(80)}, self > 0 ? dyn(self) : dyn(null)"
)


def check_expressions(plan: Plan, direction: Direction, problems: Problems) -> None:
    """Report expressions that do not compile or have the wrong result type."""
    source, target = plan.get_schema(direction.source), plan.get_schema(direction.target)
    for step in direction.steps:
        if isinstance(step, CelExpression):
            source_field, target_field = paths.find_schema(source, step.source), paths.find_schema(target, step.target)
            if source_field is None or target_field is None:
                continue
            fault = ConversionExpression(step.expression, build_variable_schemas(direction, step, source)).find_error(
                target_field
            )
            if fault:
                problem = f'invalid expression for "{paths.format_path(step.target)}" of {direction.target}: {fault}'
                at = step.origin
                excerpt = Excerpt(step.expression)
                hint = _MIXED_TYPES_HINT if _MIXED_TYPES.search(fault) else ""
                problems.report(
                    "conversion-cel", problem, at, path=at.find_owner() if at else "", hint=hint, excerpt=excerpt
                )
            else:
                _check_cost(direction, source, step, problems)


def _check_cost(direction: Direction, root: Schema, step: CelExpression, problems: Problems) -> None:
    """Report expressions that cost more than servers allow for a rule."""
    once, least = ConversionExpression(
        step.expression, build_variable_schemas(direction, step, root, SIZE_KEYWORDS)
    ).estimate_cost()
    count, unbounded = 1, ""
    single_item_lists = {other.source for other in direction.steps if isinstance(other, UnwrapObject)}
    for depth in range(1, len(step.source)):
        around = paths.find_schema(root, step.source[:depth])
        has_many = step.source[depth] in BRACKETS and step.source[:depth] not in single_item_lists
        bound = get_max_elements(around) if around is not None and has_many else 1
        if bound is None:
            count, unbounded = REQUEST_SIZE // least, unbounded or paths.format_path(step.source[:depth])
            break
        count *= bound
    if once * count > RULE_COST and once < _UNBOUNDED_COST:
        cost = f"{once:,} times {count:,}" if count > 1 else f"{once:,}"
        problem = (
            f'expression for "{paths.format_path(step.target)}" costs {cost}, more than the limit of {RULE_COST:,}'
        )
        hint = f'bound "{unbounded}"' if unbounded else "bound the strings and lists that it reads"
        at = step.origin
        problems.report("conversion-cost", problem, at, path=at.find_owner() if at else "", hint=hint)
