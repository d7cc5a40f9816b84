"""The maximum runtime cost of policy expressions in API servers, on the largest object that the schema allows.

Servers do not estimate it: they stop an evaluation that is too expensive, and failurePolicy applies. So the number of
iterations of each loop is computed. It is limited by the bounds of the schema and by the bytes of a request. The cost
of one iteration is that of the estimate of rules.

Source: k8s.io/apiserver v0.37.1 pkg/admission/plugin policy/validating, cel.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from protoc_gen_crd.admission.crd.rules.bound_suggestions import search_largest
from protoc_gen_crd.admission.crd.rules.cost_factors import MeasuredDeclaration
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import Declaration, DeclarationFactory
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.channels.guard_expressions import OBJECT, OLD
from protoc_gen_crd.channels.guards import FIELD, ITEM, Guard
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.kubernetes.api_server_limits import CALL_COST, OBJECT_COST, REQUEST_SIZE
from protoc_gen_crd.schema.cel_names import escape_cel_name

_KEYWORDS = ("maxItems", "maxProperties")


class Loop(Record):
    """A list or a map of a path: its path, the option of its bound, its bound, and its maximum size in a request."""

    path: str
    option: str
    bound: int | None
    max_size: int


class ExpressionCost(Record):
    """The cost of one expression: its loops, outermost first, the cost without them, and that per iteration."""

    guard: Guard
    loops: tuple[Loop, ...]
    base_cost: int
    costs_per_turn: tuple[int, ...]

    def compute_cost(self, bounds: dict[str, int]) -> int:
        """Return the maximum cost. `bounds` by path take precedence over those of the schema."""
        cost, count = self.base_cost, 1
        for loop, turn in zip(self.loops, self.costs_per_turn, strict=True):
            bound = bounds.get(loop.path, loop.bound)
            count = loop.max_size if bound is None else min(count * bound, loop.max_size)
            cost += turn * count
        return cost


class PolicyCostChecker:
    """A check of the costs of the policies of one version."""

    def __init__(
        self,
        crd: Crd,
        version: CrdVersion,
        environment: Environment,
        declarations: DeclarationFactory,
        problems: Problems,
    ) -> None:
        self._crd = crd
        self._environment = environment
        self._problems = problems
        self._declarations = declarations
        self._declaration = declarations.declare(version.schema, root=True) if version.schema else None

    def check_policies(self, expressions: Sequence[tuple[Guard, str, str]]) -> None:
        """Report expressions, and whole policies, that may exceed the cost limits of servers.

        Each guard comes with its expression and an equivalent one for the estimate. Access by key costs twice as much.
        """
        if self._declaration is None:
            return
        costs = [self._estimate_expression(*expression, self._declaration) for expression in expressions]
        for cost in costs:
            if cost.compute_cost({}) > CALL_COST:
                self._report(
                    f"policy expression for {cost.guard.description}", [cost], CALL_COST, cost.guard.schema.origin
                )
        if sum([cost.compute_cost({}) for cost in costs]) > OBJECT_COST and all(
            cost.compute_cost({}) <= CALL_COST for cost in costs
        ):
            self._report(f"policy of {self._crd.names.kind}", costs, OBJECT_COST, self._crd.origin)

    def _estimate_expression(
        self, guard: Guard, expression: str, escaped: str, declaration: Declaration
    ) -> ExpressionCost:
        self._check_types(expression, declaration)
        checked = self._check_types(escaped, declaration)
        places, loops = self._find_loops(guard)
        costs = []
        for depth in range(len(loops) + 1):
            sizes = {place: int(index < depth) for index, place in enumerate(places)}
            costs.append(estimate(checked, self._environment.minor, MeasuredDeclaration(declaration, (), sizes, {}))[1])
        factor = 1 if expression == escaped else 2
        turns = [factor * (with_iteration - without_iteration) for without_iteration, with_iteration in pairwise(costs)]
        return ExpressionCost(guard, tuple(loops), factor * costs[0], tuple(turns))

    def _check_types(self, expression: str, declaration: Declaration) -> CheckedAst:
        """Check the types of an expression. Raises ValueError for a defect of this package."""
        kind = declaration.get_type(self._crd.names.kind)
        checked = compile_text(expression, self._environment, {OBJECT: kind, OLD: kind})
        if isinstance(checked, CheckedAst):
            return checked
        raise ValueError(f"{self._crd.name}: {checked}")

    def _find_loops(self, guard: Guard) -> tuple[list[tuple[str, ...]], list[Loop]]:
        """Return the loops of the path to a guarded element, and their paths in estimates."""
        places: list[tuple[str, ...]] = []
        loops = []
        place: tuple[str, ...] = ()
        for index, step in enumerate(guard.steps):
            if step.kind != FIELD:
                keyword = _KEYWORDS[step.kind != ITEM]
                collection = guard.steps[index - 1].schema
                unbounded = self._declarations.declare(
                    collection.with_keywords({keyword: None}) if keyword in collection else collection
                )
                path = guard.replace(steps=guard.steps[:index]).path
                option = "max_items" if step.kind == ITEM else "max_properties"
                loops.append(
                    Loop(path, option, collection.get(keyword), unbounded.max_size if unbounded else REQUEST_SIZE)
                )
                places.append(place)
            place = (*place, escape_cel_name(step.name) if step.kind == FIELD else "[]")
        return places, loops

    def _report(self, subject: str, costs: Sequence[ExpressionCost], limit: int, at: Place | None) -> None:
        cost = sum([expression.compute_cost({}) for expression in costs])
        problem = f"{subject} costs up to {cost:,}, more than the limit of {limit:,}"
        path = (at.find_owner() if at else "") or self._crd.name
        self._problems.report(
            "channel-cost", problem, at or self._crd.origin, path=path, hint=_suggest_bounds(costs, limit)
        )


def _suggest_bounds(costs: Sequence[ExpressionCost], limit: int) -> str:
    """Suggest bounds that bring the cost under the limit: one bound, or the same for all; missing bounds first."""
    loops = {loop.path: loop for cost in costs for loop in cost.loops}
    candidates = [loop for loop in loops.values() if loop.bound is None] or list(loops.values())
    single_bounds = [(loop, bound) for loop in candidates if (bound := _find_largest_bound(costs, limit, [loop]))]
    if single_bounds:
        return f"set {' or '.join(f'{loop.option} of {loop.path} to {bound:,}' for loop, bound in single_bounds)}"
    bound = _find_largest_bound(costs, limit, candidates)
    if bound:
        return f"set {', '.join(f'{loop.option} of {loop.path}' for loop in candidates)} to at most {bound:,} each"
    return "mark the parent of the field instead of the field"


def _find_largest_bound(costs: Sequence[ExpressionCost], limit: int, loops: Sequence[Loop]) -> int:
    """Return the largest common bound of some loops under the limit, 0 if there is none."""

    def is_within_limit(bound: int) -> bool:
        bounds = {loop.path: bound for loop in loops}
        return sum([cost.compute_cost(bounds) for cost in costs]) <= limit

    return search_largest(is_within_limit, REQUEST_SIZE)
