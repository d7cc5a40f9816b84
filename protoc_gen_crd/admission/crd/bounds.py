"""What multiplies the costs of rules, and how small that must be for one rule, or all of a schema, to be taken.

A factor is a list, a map or a text that the estimate of the cost goes by: one above the rule, which holds its value
many times, or one in the value that the expression looks at. The cost is worked out again and again with other bounds;
it never falls where a bound rises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from protoc_gen_crd.admission.crd.cel import Site
from protoc_gen_crd.admission.crd.costs import Count, Expression, repeats
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.cost.estimate import estimate
from protoc_gen_crd.cel.cost.intervals import MOST
from protoc_gen_crd.cel.cost.limits import REQUEST, RULE, SCHEMA
from protoc_gen_crd.cel.cost.paths import Sized
from protoc_gen_crd.cel.sizes import LONGEST
from protoc_gen_crd.cel.types import Declarations
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import INT_OR_STRING, Schema

Steps = tuple[str, ...]  # as the server writes them: .properties[name], .items, .additionalProperties
Bounds = Mapping[Steps, int]

ITEMS, VALUES = ".items", ".additionalProperties"
_EACH = "[]"  # a step to what a list or map holds, in the sizes that an estimate goes by
_LONGEST = REQUEST
_FEW = (1, 100)  # the dearer of two hides the other unless it is small, the smaller of two unless it is not


class Factor(Record):
    """One factor: where it stands in the schema, the keyword that bounds it, the bound if it has one, and its size.

    `most` is what the estimate goes by: items, entries, or bytes of a text.
    """

    steps: Steps
    keyword: str
    bound: int | None
    most: int


class Fit(Record):
    """What makes a rule or schema fit: for each factor by which it can alone the largest bound; the largest for all.

    `missing` are the factors without a bound. `together` is 0 where no bounds are small enough; the servers for which
    that is so are `hopeless`, and left out where others can be helped.
    """

    alone: tuple[tuple[Factor, int], ...]
    together: int
    missing: tuple[Factor, ...]
    hopeless: tuple[int, ...]


def shown(steps: Sequence[str]) -> str:
    """A place in a schema as its objects have it: `spec.routes[*].hosts`."""
    text = "".join(
        "[*]" if step in (ITEMS, VALUES) else f".{step.removeprefix('.properties[').removesuffix(']')}"
        for step in steps
    )
    return text.removeprefix(".") or "."


class Costing:
    """The cost of an expression as a function of bounds, for servers that estimate sizes alike."""

    def __init__(self, expression: Expression, declarations: Declarations) -> None:
        self.expression, self._declarations = expression, declarations
        site = expression.site
        self._start = tuple(step for _, step in site.above[:-1])
        self._costs: dict[frozenset[tuple[Steps, int]], int] = {}

    def factors(self) -> list[Factor]:
        """What the cost goes by and a keyword can bound, from the root down."""
        seen: dict[Steps, int] = {}
        self._once({}, seen)
        found = [] if self.expression.path.endswith(".messageExpression") else self._above()
        for sizes, most in sorted(seen.items()):
            place = _placed(self.expression.site.node, sizes)
            if place is not None:
                found += self._of_value((*self._start, *place[0]), place[1], most)
        return [factor for factor in found if self._matters(factor, [other.steps for other in found])]

    def _above(self) -> list[Factor]:
        made = []
        for depth, (node, _) in enumerate(self.expression.site.above[:-1]):
            keyword = _keyword(node)
            if keyword in ("maxItems", "maxProperties"):
                declared = self._declarations.of(node)
                most = declared.most if declared is not None else REQUEST
                made.append(Factor(self._start[:depth], keyword, repeats(node), most))
        return made

    def _of_value(self, steps: Steps, node: Schema, most: int) -> list[Factor]:
        keyword = _keyword(node)
        if keyword is None:
            return []
        bound = node.get(keyword)
        fixed = self._size(node, keyword, 0) == most  # as of a date, which no keyword bounds
        if bound is None and (fixed or (node.get("enum") and most < LONGEST)):
            return []
        return [Factor(steps, keyword, bound, most)]

    def _matters(self, factor: Factor, all_steps: Sequence[Steps]) -> bool:
        """Whether a factor counts as things are, or would where the others were few, behind which it may stand."""
        if len(factor.steps) < len(self._start) and not self.expression.count.bounded:
            return True
        if self.cost({factor.steps: 0}) < self.expression.cost:
            return True
        for few in _FEW:
            others = dict.fromkeys([steps for steps in all_steps if steps != factor.steps], few)
            if self.cost(others) > self.cost({**others, factor.steps: 0}):
                return True
        return False

    def cost(self, bounds: Bounds) -> int:
        """The cost with these bounds in the schema."""
        key = frozenset(bounds.items())
        known = self._costs.get(key)
        if known is None:
            inner = {steps: bound for steps, bound in bounds.items() if len(steps) >= len(self._start)}
            known = self._costs[key] = min(self._once(inner, {}) * self._count(bounds).most, MOST)
        return known

    def _once(self, bounds: Bounds, seen: dict[Steps, int]) -> int:
        expression = self.expression
        sizes = {}
        for steps, bound in bounds.items():
            inner = _sizes(steps[len(self._start) :])
            place = _placed(expression.site.node, inner)
            if place is not None:
                sizes[inner] = self._size(place[1], _keyword(place[1]) or "", bound)
        measured = Measured(expression.declared, (), sizes, seen)
        found = expression.found
        return estimate(found, expression.within.minor, measured)[1] if isinstance(found, Checked) else 0

    def _size(self, node: Schema, keyword: str, bound: int) -> int:
        declared = self._declarations.of(node.having({keyword: bound}))
        return declared.most if declared is not None else 0

    def _count(self, bounds: Bounds) -> Count:
        if self.expression.path.endswith(".messageExpression"):
            return self.expression.count
        most = 1
        for depth, (node, _) in enumerate(self.expression.site.above[:-1]):
            given = bounds.get(self._start[:depth])
            bound = repeats(node) if given is None else given
            if bound is None:
                return self.expression.count
            most = min(most * bound, MOST)
        return Count(most)

    def fits(self, bounds: Bounds) -> bool:
        """Whether the expression is taken with these bounds."""
        return self.cost(bounds) <= RULE


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
    """The bounds with which what is too dear for these servers is taken by them; None if it is for none."""
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

    alone = [(factor, bound) for factor in missing if (bound := enough([factor]))]
    return Fit(tuple(alone), enough(missing), tuple(missing), tuple(sorted(hopeless)))


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


def _keyword(node: Schema) -> str | None:
    """The keyword that bounds the size of a value."""
    if node.get(INT_OR_STRING) or node.type == "string":
        return "maxLength"
    if node.type == "array":
        return "maxItems"
    return "maxProperties" if node.type == "object" and isinstance(node.additional, Schema) else None


def _sizes(steps: Steps) -> Steps:
    """The same place as estimates have it."""
    return tuple([_EACH if step in (ITEMS, VALUES) else cel_name(step[len(".properties[") : -1]) for step in steps])


def _placed(node: Schema, sizes: Steps) -> tuple[Steps, Schema] | None:
    """The place and schema of what estimates know by these steps; None for names that servers add."""
    steps: list[str] = []
    for name in sizes:
        child = node.items if isinstance(node.items, Schema) else node.additional if name == _EACH else None
        step = ITEMS if isinstance(node.items, Schema) else VALUES
        if name != _EACH:
            found = [key for key in node.properties if cel_name(key) == name]
            child, step = (node.properties[found[0]], f".properties[{found[0]}]") if found else (None, "")
        if not isinstance(child, Schema):
            return None
        steps.append(step)
        node = child
    return tuple(steps), node


class Measured:
    """What is declared, with other sizes in places (steps: names and `[]`); it notes which sizes are asked for."""

    __slots__ = ("_declared", "_seen", "_sizes", "_steps", "keyed")

    def __init__(self, declared: Sized, steps: Steps, sizes: Bounds, seen: dict[Steps, int]) -> None:
        self._declared, self._steps, self._sizes, self._seen = declared, steps, sizes, seen
        self.keyed = declared.keyed

    @property
    def most(self) -> int:
        """The size in this place."""
        size = self._seen[self._steps] = self._sizes.get(self._steps, self._declared.most)
        return size

    @property
    def item(self) -> Measured | None:
        """What a list or map holds."""
        below = self._declared.item
        return None if below is None else Measured(below, (*self._steps, _EACH), self._sizes, self._seen)

    @property
    def fields(self) -> dict[str, Sized]:
        """What an object has."""
        return {
            name: Measured(field, (*self._steps, name), self._sizes, self._seen)
            for name, field in self._declared.fields.items()
        }


def above(site: Site) -> str:
    """Where the value of a site stands."""
    return shown([step for _, step in site.above[:-1]])
