"""How small bounds must be for one rule, or all of a schema, to be taken.

What is looked for is bounded by an effort, which a schema of thousands of rules would use up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from protoc_gen_crd.admission.crd.bounds import Bounds, Costing, Factor, SpentError, Steps
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.cost.limits import REQUEST, RULE, SCHEMA

_LONGEST = REQUEST


class Fit(Record):
    """What makes a rule or schema fit: for each factor by which it can alone the largest bound; the largest for all.

    `missing` are the factors without a bound. `together` is 0 where no bounds are small enough; the servers for which
    that is so are `hopeless`, and left out where others can be helped. `untried` are so many of the last of `missing`.
    """

    alone: tuple[tuple[Factor, int], ...]
    together: int
    missing: tuple[Factor, ...]
    hopeless: tuple[int, ...]
    untried: int = 0


class Whole:
    """The costs of all expressions of a schema as a function of bounds; each comes with the factors that it goes by."""

    def __init__(self, costings: Iterable[tuple[Costing, Sequence[Factor]]]) -> None:
        self._parts = [(costing, [factor.steps for factor in factors]) for costing, factors in costings]
        self._costs = [costing.expression.cost for costing, _ in self._parts]
        self._total, self._dear = sum(self._costs), sum([cost > RULE for cost in self._costs])
        self._by_steps: dict[Steps, list[int]] = {}
        for index, (_, all_steps) in enumerate(self._parts):
            for steps in all_steps:
                self._by_steps.setdefault(steps, []).append(index)

    def fits(self, bounds: Bounds) -> bool:
        """Whether each expression and all together are taken with these bounds."""
        concerned = dict.fromkeys([index for steps in bounds for index in self._by_steps.get(steps, ())])
        total = self._total - sum([self._costs[index] for index in concerned])
        if self._dear > sum([self._costs[index] > RULE for index in concerned]):
            return False
        for index in concerned:
            if total > SCHEMA:
                return False
            costing, all_steps = self._parts[index]
            cost = costing.cost({steps: bounds[steps] for steps in all_steps if steps in bounds})
            if cost > RULE:
                return False
            total += cost
        return total <= SCHEMA


def fit(dear: Sequence[tuple[Sequence[int], Costing | Whole]], factors: Iterable[Factor]) -> Fit | None:
    """The bounds with which what is too dear for these servers is taken by them; None if it is for none.

    Raises SpentError where the effort does not even suffice for all bounds together.
    """
    if not dear:
        return None
    missing = [factor for factor in factors if factor.bound is None]
    smallest = {factor.steps: 1 for factor in missing}
    helped = [costs for _, costs in dear if costs.fits(smallest)]
    hopeless = [minor for minors, costs in dear if costs not in helped for minor in minors]

    def enough(places: Sequence[Factor]) -> int:
        most = _LONGEST if helped else 0
        for costs in helped:
            most = largest(lambda bound, costs=costs: costs.fits({each.steps: bound for each in places}), most)  # type: ignore[misc]
        return most

    together, alone, untried = enough(missing), [], 0
    for index, factor in enumerate(missing):
        try:
            alone += [(factor, bound)] if (bound := enough([factor])) else []
        except SpentError:
            untried = len(missing) - index
            break
    return Fit(tuple(alone), together, tuple(missing), tuple(sorted(hopeless)), untried)


def largest(fits: Callable[[int], bool], high: int) -> int:
    """The largest bound that fits, up to one that may; 0 where not even 1 does."""
    if fits(high):
        return high
    low, high = 0, max(high - 1, 0) if fits(1) else 0
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low
