"""How small bounds must be for one rule, or all of a schema, to be taken.

What is looked for is bounded by an effort, which a schema of thousands of rules would use up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from protoc_gen_crd.admission.crd.rules.cost_factors import (
    Bounds,
    CostFactor,
    ExpressionCostFunction,
    SchemaSteps,
    SearchBudgetError,
)
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.kubernetes.limits import REQUEST_SIZE, RULE_COST, SCHEMA_COST

_MAX_BOUND = REQUEST_SIZE


class BoundSuggestion(Record):
    """What makes a rule or schema fit: for each factor by which it can alone the largest bound; the largest for all.

    `missing_bounds` are the factors without a bound. `common_bound` is 0 where no bounds are small enough; the
    servers for which
    that is so are `unfixable_minors`, and left out where others can be helped. `skipped_factors` are so many of the
    last of `missing_bounds`.
    """

    single_bounds: tuple[tuple[CostFactor, int], ...]
    common_bound: int
    missing_bounds: tuple[CostFactor, ...]
    unfixable_minors: tuple[int, ...]
    skipped_factors: int = 0


class SchemaCostFunction:
    """The costs of all expressions of a schema as a function of bounds; each comes with the factors that it goes by."""

    def __init__(self, costings: Iterable[tuple[ExpressionCostFunction, Sequence[CostFactor]]]) -> None:
        self._parts = [(costing, [factor.steps for factor in factors]) for costing, factors in costings]
        self._costs = [costing.expression.cost for costing, _ in self._parts]
        self._total, self._dear = sum(self._costs), sum([cost > RULE_COST for cost in self._costs])
        self._by_steps: dict[SchemaSteps, list[int]] = {}
        for index, (_, all_steps) in enumerate(self._parts):
            for steps in all_steps:
                self._by_steps.setdefault(steps, []).append(index)

    def is_accepted(self, bounds: Bounds) -> bool:
        """Whether each expression and all together are taken with these bounds."""
        concerned = dict.fromkeys([index for steps in bounds for index in self._by_steps.get(steps, ())])
        total = self._total - sum([self._costs[index] for index in concerned])
        if self._dear > sum([self._costs[index] > RULE_COST for index in concerned]):
            return False
        for index in concerned:
            if total > SCHEMA_COST:
                return False
            costing, all_steps = self._parts[index]
            cost = costing.compute_cost({steps: bounds[steps] for steps in all_steps if steps in bounds})
            if cost > RULE_COST:
                return False
            total += cost
        return total <= SCHEMA_COST


def suggest_bounds(
    rejected: Sequence[tuple[Sequence[int], ExpressionCostFunction | SchemaCostFunction]], factors: Iterable[CostFactor]
) -> BoundSuggestion | None:
    """The bounds with which what is too dear for these servers is taken by them; None if it is for none.

    Raises SpentError where the effort does not even suffice for all bounds together.
    """
    if not rejected:
        return None
    missing = [factor for factor in factors if factor.bound is None]
    smallest = {factor.steps: 1 for factor in missing}
    helped = [costs for _, costs in rejected if costs.is_accepted(smallest)]
    hopeless = [minor for minors, costs in rejected if costs not in helped for minor in minors]

    def find_largest_bound(places: Sequence[CostFactor]) -> int:
        most = _MAX_BOUND if helped else 0
        for costs in helped:
            most = search_largest(partial(_is_bound_accepted, costs, places), most)
        return most

    together, alone, untried = find_largest_bound(missing), [], 0
    for index, factor in enumerate(missing):
        try:
            alone += [(factor, bound)] if (bound := find_largest_bound([factor])) else []
        except SearchBudgetError:
            untried = len(missing) - index
            break
    return BoundSuggestion(tuple(alone), together, tuple(missing), tuple(sorted(hopeless)), untried)


def _is_bound_accepted(
    costs: ExpressionCostFunction | SchemaCostFunction, places: Sequence[CostFactor], bound: int
) -> bool:
    return costs.is_accepted({place.steps: bound for place in places})


def search_largest(is_accepted: Callable[[int], bool], high: int) -> int:
    """The largest bound that fits, up to one that may; 0 where not even 1 does."""
    if is_accepted(high):
        return high
    low, high = 0, max(high - 1, 0) if is_accepted(1) else 0
    while low < high:
        middle = (low + high + 1) // 2
        if is_accepted(middle):
            low = middle
        else:
            high = middle - 1
    return low
