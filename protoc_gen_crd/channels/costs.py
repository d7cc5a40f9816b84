"""What the expressions of a policy cost on the largest object that the schema allows, by the estimate of servers.

A policy whose expression costs more than servers spend is one that cannot be evaluated: its failurePolicy decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.cost.estimate import estimate
from protoc_gen_crd.cel.cost.intervals import MOST
from protoc_gen_crd.cel.cost.limits import PER_CALL, PER_OBJECT
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.types import Declarations
from protoc_gen_crd.channels.expressions import OBJECT, OLD
from protoc_gen_crd.channels.guards import ITEM, VALUE, Guard
from protoc_gen_crd.crd.types import Crd, Version


class Costs:
    """Checks the policies of one version."""

    def __init__(
        self, crd: Crd, version: Version, within: Environment, declarations: Declarations, problems: Problems
    ) -> None:
        self._crd = crd
        self._within = within
        self._problems = problems
        self._declared = declarations.of(version.schema, root=True) if version.schema else None

    def check(self, made: Sequence[tuple[Guard, str, str]]) -> None:
        """Report expressions, and policies as a whole, that may cost more than servers spend.

        Each comes with another of its meaning which an estimate can follow; a look into a key costs twice as much.
        """
        costs = [(guard, self._cost(text, escaped)) for guard, text, escaped in made]
        for guard, cost in costs:
            if cost > PER_CALL:
                self._report(f"the look for {guard.what}", cost, PER_CALL, guard.schema.origin, _hint(guard))
        total = sum([cost for _, cost in costs])
        if total > PER_OBJECT and all(cost <= PER_CALL for _, cost in costs):
            self._report(f"the policy of {self._crd.names.kind}", total, PER_OBJECT, self._crd.origin, "")

    def _cost(self, text: str, escaped: str) -> int:
        cost = self._estimate(text)
        return cost if text == escaped else min(cost, self._estimate(escaped) * 2)

    def _estimate(self, expression: str) -> int:
        """The most that an expression costs. Raises ValueError where its types do not fit: a mistake of ours."""
        if self._declared is None:
            return 0
        kind = self._declared.typed(self._crd.names.kind)
        checked = compiled(expression, self._within, {OBJECT: kind, OLD: kind})
        if isinstance(checked, Checked):
            return estimate(checked, self._within, self._declared)[1]
        raise ValueError(f"{self._crd.name}: {checked}")

    def _report(self, what: str, cost: int, limit: int, at: Place | None, hint: str) -> None:
        problem = f"{what} must cost at most {limit:,} on the largest object, found up to {_shown(cost)}"
        path = (at.owner() if at else "") or self._crd.name
        self._problems.report("channel-cost", problem, at or self._crd.origin, path=path, hint=hint)


def _shown(cost: int) -> str:
    return "without bound" if cost >= MOST else f"{cost:,}"


def _hint(guard: Guard) -> str:
    """The lists and maps on the way that are not bounded."""
    bounds = {ITEM: ("maxItems", "max_items"), VALUE: ("maxProperties", "max_properties")}
    open_: list[str] = []
    for index, step in enumerate(guard.steps[1:], 1):
        keyword, option = bounds.get(step.kind, ("", ""))
        if keyword and keyword not in guard.steps[index - 1].schema:
            before = guard.replace(steps=guard.steps[:index]).path
            open_.append(f"{before} {option}")
    return f"give {', '.join(open_)}" if open_ else "lower the bounds of the lists and maps that lead to it"
