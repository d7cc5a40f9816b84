"""The cost of policy expressions on the largest object that the schema allows, as API servers charge it.

Servers estimate nothing here: they stop what has become too dear, and failurePolicy decides. So it is worked out how
often each loop can turn, which not only bounds limit but also the bytes of a request, in which all that is looked at
must stand; what a turn costs is taken from the estimate of rules. Source: k8s.io/apiserver v0.37.1 pkg/admission/plugin
policy/validating, cel.
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
from protoc_gen_crd.kubernetes.limits import CALL_COST, OBJECT_COST, REQUEST_SIZE
from protoc_gen_crd.schema.cel_names import escape_cel_name

_KEYWORDS = ("maxItems", "maxProperties")


class Loop(Record):
    """A list or a map on the way: its path, the option that bounds it, the bound, how many fit into a request."""

    path: str
    option: str
    bound: int | None
    max_size: int


class ExpressionCost(Record):
    """One expression: its loops from the outermost, what it costs without them, and what a turn of each adds."""

    guard: Guard
    loops: tuple[Loop, ...]
    base_cost: int
    costs_per_turn: tuple[int, ...]

    def compute_cost(self, bounds: dict[str, int]) -> int:
        """The most that it costs with these bounds, by path, in place of those of the schema."""
        cost, count = self.base_cost, 1
        for loop, turn in zip(self.loops, self.costs_per_turn, strict=True):
            bound = bounds.get(loop.path, loop.bound)
            count = loop.max_size if bound is None else min(count * bound, loop.max_size)
            cost += turn * count
        return cost


class PolicyCostChecker:
    """Checks the policies of one version."""

    def __init__(
        self, crd: Crd, version: CrdVersion, within: Environment, declarations: DeclarationFactory, problems: Problems
    ) -> None:
        self._crd = crd
        self._within = within
        self._problems = problems
        self._declarations = declarations
        self._declared = declarations.declare(version.schema, root=True) if version.schema else None

    def check_policies(self, made: Sequence[tuple[Guard, str, str]]) -> None:
        """Report expressions, and policies as a whole, that may cost more than servers spend.

        Each comes with another of its meaning which an estimate can follow; a look into a key costs twice as much.
        """
        if self._declared is None:
            return
        looks = [self._estimate_expression(*one, self._declared) for one in made]
        for look in looks:
            if look.compute_cost({}) > CALL_COST:
                self._report(f"check of {look.guard.description}", [look], CALL_COST, look.guard.schema.origin)
        if sum([look.compute_cost({}) for look in looks]) > OBJECT_COST and all(
            look.compute_cost({}) <= CALL_COST for look in looks
        ):
            self._report(f"policy of {self._crd.names.kind}", looks, OBJECT_COST, self._crd.origin)

    def _estimate_expression(self, guard: Guard, text: str, escaped: str, declared: Declaration) -> ExpressionCost:
        self._check_types(text, declared)
        checked = self._check_types(escaped, declared)
        places, loops = self._find_loops(guard)
        costs = []
        for depth in range(len(loops) + 1):
            sizes = {place: int(index < depth) for index, place in enumerate(places)}
            costs.append(estimate(checked, self._within.minor, MeasuredDeclaration(declared, (), sizes, {}))[1])
        times = 1 if text == escaped else 2
        turns = [times * (more - less) for less, more in pairwise(costs)]
        return ExpressionCost(guard, tuple(loops), times * costs[0], tuple(turns))

    def _check_types(self, expression: str, declared: Declaration) -> CheckedAst:
        """Raises ValueError where the types of the expression do not fit: a mistake of ours."""
        kind = declared.get_type(self._crd.names.kind)
        checked = compile_text(expression, self._within, {OBJECT: kind, OLD: kind})
        if isinstance(checked, CheckedAst):
            return checked
        raise ValueError(f"{self._crd.name}: {checked}")

    def _find_loops(self, guard: Guard) -> tuple[list[tuple[str, ...]], list[Loop]]:
        """The loops on the way to what is guarded, and their places as estimates have them."""
        places: list[tuple[str, ...]] = []
        loops = []
        place: tuple[str, ...] = ()
        for index, step in enumerate(guard.steps):
            if step.kind != FIELD:
                keyword = _KEYWORDS[step.kind != ITEM]
                held = guard.steps[index - 1].schema
                free = self._declarations.declare(held.with_keywords({keyword: None}) if keyword in held else held)
                before = guard.replace(steps=guard.steps[:index]).path
                option = "max_items" if step.kind == ITEM else "max_properties"
                loops.append(Loop(before, option, held.get(keyword), free.max_size if free else REQUEST_SIZE))
                places.append(place)
            place = (*place, escape_cel_name(step.name) if step.kind == FIELD else "[]")
        return places, loops

    def _report(self, what: str, looks: Sequence[ExpressionCost], limit: int, at: Place | None) -> None:
        cost = sum([look.compute_cost({}) for look in looks])
        problem = f"{what} costs up to {cost:,} on the largest object, the limit is {limit:,}"
        path = (at.find_owner() if at else "") or self._crd.name
        self._problems.report(
            "channel-cost", problem, at or self._crd.origin, path=path, hint=_suggest_bounds(looks, limit)
        )


def _suggest_bounds(looks: Sequence[ExpressionCost], limit: int) -> str:
    """The bounds that make it fit: one, or the same for all. Those that are missing before those to be lowered."""
    loops = {loop.path: loop for look in looks for loop in look.loops}
    open_ = [loop for loop in loops.values() if loop.bound is None] or list(loops.values())
    alone = [(loop, most) for loop in open_ if (most := _find_largest_bound(looks, limit, [loop]))]
    if alone:
        return f"set {' or '.join(f'{loop.option} of {loop.path} to {most:,}' for loop, most in alone)}"
    most = _find_largest_bound(looks, limit, open_)
    if most:
        return f"set {', '.join(f'{loop.option} of {loop.path}' for loop in open_)} to at most {most:,} each"
    return "mark the parent of the field instead of the field"


def _find_largest_bound(looks: Sequence[ExpressionCost], limit: int, loops: Sequence[Loop]) -> int:
    """The largest bound for all of some loops with which it fits, 0 for none."""

    def is_within_limit(bound: int) -> bool:
        bounds = {loop.path: bound for loop in loops}
        return sum([look.compute_cost(bounds) for look in looks]) <= limit

    return search_largest(is_within_limit, REQUEST_SIZE)
