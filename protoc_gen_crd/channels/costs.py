"""What the expressions of a policy cost on the largest object that the schema allows, as servers charge for it.

Servers estimate nothing here: they stop what has become too dear, and failurePolicy decides. So it is worked out how
often each loop can turn, which not only bounds limit but also the bytes of a request, in which all that is looked at
must stand; what a turn costs is taken from the estimate of rules. Source: k8s.io/apiserver v0.37.1 pkg/admission/plugin
policy/validating, cel.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from protoc_gen_crd.admission.crd.bounds import Measured
from protoc_gen_crd.admission.crd.fits import largest
from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.cost.estimate import estimate
from protoc_gen_crd.cel.cost.limits import PER_CALL, PER_OBJECT, REQUEST
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.types import Declarations, Declared
from protoc_gen_crd.channels.expressions import OBJECT, OLD
from protoc_gen_crd.channels.guards import FIELD, ITEM, Guard
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.schema.celnames import cel_name

_KEYWORDS = ("maxItems", "maxProperties")


class Loop(Record):
    """A list or a map on the way: its path, the option that bounds it, the bound, how many fit into a request."""

    path: str
    option: str
    bound: int | None
    most: int


class Look(Record):
    """One expression: its loops from the outermost, what it costs without them, and what a turn of each adds."""

    guard: Guard
    loops: tuple[Loop, ...]
    once: int
    turns: tuple[int, ...]

    def cost(self, bounds: dict[str, int]) -> int:
        """The most that it costs with these bounds, by path, in place of those of the schema."""
        cost, count = self.once, 1
        for loop, turn in zip(self.loops, self.turns, strict=True):
            bound = bounds.get(loop.path, loop.bound)
            count = loop.most if bound is None else min(count * bound, loop.most)
            cost += turn * count
        return cost


class Costs:
    """Checks the policies of one version."""

    def __init__(
        self, crd: Crd, version: Version, within: Environment, declarations: Declarations, problems: Problems
    ) -> None:
        self._crd = crd
        self._within = within
        self._problems = problems
        self._declarations = declarations
        self._declared = declarations.of(version.schema, root=True) if version.schema else None

    def check(self, made: Sequence[tuple[Guard, str, str]]) -> None:
        """Report expressions, and policies as a whole, that may cost more than servers spend.

        Each comes with another of its meaning which an estimate can follow; a look into a key costs twice as much.
        """
        if self._declared is None:
            return
        looks = [self._look(*one, self._declared) for one in made]
        for look in looks:
            if look.cost({}) > PER_CALL:
                self._report(f"the look for {look.guard.what}", [look], PER_CALL, look.guard.schema.origin)
        if sum([look.cost({}) for look in looks]) > PER_OBJECT and all(look.cost({}) <= PER_CALL for look in looks):
            self._report(f"the policy of {self._crd.names.kind}", looks, PER_OBJECT, self._crd.origin)

    def _look(self, guard: Guard, text: str, escaped: str, declared: Declared) -> Look:
        self._checked(text, declared)
        checked = self._checked(escaped, declared)
        places, loops = self._loops(guard)
        costs = []
        for depth in range(len(loops) + 1):
            sizes = {place: int(index < depth) for index, place in enumerate(places)}
            costs.append(estimate(checked, self._within.minor, Measured(declared, (), sizes, {}))[1])
        times = 1 if text == escaped else 2
        turns = [times * (more - less) for less, more in pairwise(costs)]
        return Look(guard, tuple(loops), times * costs[0], tuple(turns))

    def _checked(self, expression: str, declared: Declared) -> Checked:
        """Raises ValueError where the types of the expression do not fit: a mistake of ours."""
        kind = declared.typed(self._crd.names.kind)
        checked = compiled(expression, self._within, {OBJECT: kind, OLD: kind})
        if isinstance(checked, Checked):
            return checked
        raise ValueError(f"{self._crd.name}: {checked}")

    def _loops(self, guard: Guard) -> tuple[list[tuple[str, ...]], list[Loop]]:
        """The loops on the way to what is guarded, and their places as estimates have them."""
        places: list[tuple[str, ...]] = []
        loops = []
        place: tuple[str, ...] = ()
        for index, step in enumerate(guard.steps):
            if step.kind != FIELD:
                keyword = _KEYWORDS[step.kind != ITEM]
                held = guard.steps[index - 1].schema
                free = self._declarations.of(held.having({keyword: None}) if keyword in held else held)
                before = guard.replace(steps=guard.steps[:index]).path
                option = "max_items" if step.kind == ITEM else "max_properties"
                loops.append(Loop(before, option, held.get(keyword), free.most if free else REQUEST))
                places.append(place)
            place = (*place, cel_name(step.name) if step.kind == FIELD else "[]")
        return places, loops

    def _report(self, what: str, looks: Sequence[Look], limit: int, at: Place | None) -> None:
        cost = sum([look.cost({}) for look in looks])
        problem = f"{what} must cost at most {limit:,} on the largest object, found up to {cost:,}"
        path = (at.owner() if at else "") or self._crd.name
        self._problems.report("channel-cost", problem, at or self._crd.origin, path=path, hint=_hint(looks, limit))


def _hint(looks: Sequence[Look], limit: int) -> str:
    """The bounds that make it fit: one, or the same for all. Those that are missing before those to be lowered."""
    loops = {loop.path: loop for look in looks for loop in look.loops}
    open_ = [loop for loop in loops.values() if loop.bound is None] or list(loops.values())
    alone = [(loop, most) for loop in open_ if (most := _most(looks, limit, [loop]))]
    if alone:
        return f"give {' or '.join(f'{loop.path} {loop.option} {most:,}' for loop, most in alone)}"
    most = _most(looks, limit, open_)
    if most:
        return f"give {', '.join(f'{loop.path} {loop.option}' for loop in open_)}, each at most {most:,}"
    return "mark what holds the field rather than the field"


def _most(looks: Sequence[Look], limit: int, loops: Sequence[Loop]) -> int:
    """The largest bound for all of some loops with which it fits, 0 for none."""

    def fits(bound: int) -> bool:
        bounds = {loop.path: bound for loop in loops}
        return sum([look.cost(bounds) for look in looks]) <= limit

    return largest(fits, REQUEST)
