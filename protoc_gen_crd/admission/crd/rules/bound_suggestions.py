"""Suggestion of bounds that bring the cost of a rule, or of all rules of a schema, under the limit.

A search budget limits the work, since a schema may have thousands of rules.
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
from protoc_gen_crd.kubernetes.api_server_limits import REQUEST_SIZE, RULE_COST, SCHEMA_COST

_MAX_BOUND = REQUEST_SIZE


class BoundSuggestion(Record):
    """Bounds that bring a rule or schema under the limit.

    `single_bounds` has the largest sufficient bound of each factor that suffices alone, `common_bound` the largest
    bound that suffices for all factors together, 0 if none does. `missing_bounds` are the factors without a bound.
    `unfixable_minors` are the versions for which no bounds suffice; the bounds ignore them if there are others.
    `skipped_factors` is how many of the last of `missing_bounds` were not examined.
    """

    single_bounds: tuple[tuple[CostFactor, int], ...]
    common_bound: int
    missing_bounds: tuple[CostFactor, ...]
    unfixable_minors: tuple[int, ...]
    skipped_factors: int = 0


class SchemaCostFunction:
    """The costs of all expressions of a schema as a function of bounds, with the factors of each expression."""

    def __init__(self, costings: Iterable[tuple[ExpressionCostFunction, Sequence[CostFactor]]]) -> None:
        self._parts = [(costing, [factor.steps for factor in factors]) for costing, factors in costings]
        self._costs = [costing.expression.cost for costing, _ in self._parts]
        self._total, self._expensive = sum(self._costs), sum([cost > RULE_COST for cost in self._costs])
        self._by_steps: dict[SchemaSteps, list[int]] = {}
        for index, (_, all_steps) in enumerate(self._parts):
            for steps in all_steps:
                self._by_steps.setdefault(steps, []).append(index)

    def is_accepted(self, bounds: Bounds) -> bool:
        """Return true if servers accept each expression and their total with these bounds."""
        affected = dict.fromkeys([index for steps in bounds for index in self._by_steps.get(steps, ())])
        total = self._total - sum([self._costs[index] for index in affected])
        if self._expensive > sum([self._costs[index] > RULE_COST for index in affected]):
            return False
        for index in affected:
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
    """Return bounds with which these servers accept the rejected rules; None if no rule is rejected.

    Raises SearchBudgetError if the budget does not even suffice for the common bound.
    """
    if not rejected:
        return None
    missing = [factor for factor in factors if factor.bound is None]
    smallest = {factor.steps: 1 for factor in missing}
    fixable = [costs for _, costs in rejected if costs.is_accepted(smallest)]
    unfixable = [minor for minors, costs in rejected if costs not in fixable for minor in minors]

    def find_largest_bound(places: Sequence[CostFactor]) -> int:
        most = _MAX_BOUND if fixable else 0
        for costs in fixable:
            most = search_largest(partial(_is_bound_accepted, costs, places), most)
        return most

    common_bound, single_bounds, skipped = find_largest_bound(missing), [], 0
    for index, factor in enumerate(missing):
        try:
            single_bounds += [(factor, bound)] if (bound := find_largest_bound([factor])) else []
        except SearchBudgetError:
            skipped = len(missing) - index
            break
    return BoundSuggestion(tuple(single_bounds), common_bound, tuple(missing), tuple(sorted(unfixable)), skipped)


def _is_bound_accepted(
    costs: ExpressionCostFunction | SchemaCostFunction, places: Sequence[CostFactor], bound: int
) -> bool:
    return costs.is_accepted({place.steps: bound for place in places})


def search_largest(is_accepted: Callable[[int], bool], high: int) -> int:
    """Return the largest accepted bound up to `high`, 0 if not even 1 is accepted."""
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
