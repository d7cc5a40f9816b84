"""What multiplies the costs of rules.

A factor is a list, a map or a text that the estimate of the cost goes by: one above the rule, which holds its value
many times, or one in the value that the expression looks at. The cost is worked out again and again with other bounds;
it never falls where a bound rises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from protoc_gen_crd.admission.crd.cel import Site
from protoc_gen_crd.admission.crd.costs import Count, Expression, repeats
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.cost.estimate import estimate
from protoc_gen_crd.cel.cost.intervals import MOST
from protoc_gen_crd.cel.cost.limits import REQUEST, RULE
from protoc_gen_crd.cel.cost.paths import Sized
from protoc_gen_crd.cel.sizes import LONGEST
from protoc_gen_crd.cel.types import Declarations
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import INT_OR_STRING, Schema

Steps = tuple[str, ...]  # as the server writes them: .properties[name], .items, .additionalProperties
Bounds = Mapping[Steps, int]

ITEMS, VALUES = ".items", ".additionalProperties"
_EACH = "[]"  # a step to what a list or map holds, in the sizes that an estimate goes by
_EACH_TIME, _EACH_BOUND = 10, 4  # nodes that take as long as it takes to start an estimate, and to set a bound
_FEW = (1, 100)  # the dearer of two hides the other unless it is small, the smaller of two unless it is not


class Factor(Record):
    """One factor: where it stands in the schema, the keyword that bounds it, the bound if it has one, and its size.

    `most` is what the estimate goes by: items, entries, or bytes of a text.
    """

    steps: Steps
    keyword: str
    bound: int | None
    most: int


def shown(steps: Sequence[str]) -> str:
    """A place in a schema as its objects have it: `spec.routes[*].hosts`."""
    text = "".join(
        "[*]" if step in (ITEMS, VALUES) else f".{step.removeprefix('.properties[').removesuffix(']')}"
        for step in steps
    )
    return text.removeprefix(".") or "."


class SpentError(Exception):
    """No more effort is to be made."""


class Effort:
    """How many nodes of expressions may still be estimated: counted, not timed, so that advice is the same anywhere."""

    def __init__(self, left: int) -> None:
        self._left = left

    def spend(self, nodes: int) -> None:
        """Take so much of it. Raises SpentError where that is more than there is, then and ever after."""
        self._left -= nodes
        if self._left < 0:
            self._left = 0
            raise SpentError


class Costing:
    """The cost of an expression as a function of bounds, for servers that estimate sizes alike.

    `untold` is how many factors were not looked at for want of effort.
    """

    def __init__(self, expression: Expression, declarations: Declarations, effort: Effort) -> None:
        self.expression, self._declarations, self._effort = expression, declarations, effort
        self.untold = 0
        found = expression.found
        self._nodes = len(found.types) if isinstance(found, Checked) else 1
        site = expression.site
        self._start = tuple(step for _, step in site.above[:-1])
        self._costs: dict[frozenset[tuple[Steps, int]], int] = {}
        self._insides: dict[frozenset[tuple[Steps, int]], int] = {}

    def factors(self) -> list[Factor]:
        """What the cost goes by and a keyword can bound, from the root down. Raises SpentError."""
        seen: dict[Steps, int] = {}
        self._once({}, seen)
        found = [] if self.expression.path.endswith(".messageExpression") else self._above()
        for sizes, most in sorted(seen.items()):
            place = _placed(self.expression.site.node, sizes)
            if place is not None:
                found += self._of_value((*self._start, *place[0]), place[1], most)
        kept: list[Factor] = []
        for index, factor in enumerate(found):
            try:
                kept += [factor] if self._matters(factor, [other.steps for other in found]) else []
            except SpentError:
                self.untold = len(found) - index
                break
        return kept

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
        """The cost with these bounds in the schema. Raises SpentError."""
        key = frozenset(bounds.items())
        known = self._costs.get(key)
        if known is None:
            inner = {steps: bound for steps, bound in bounds.items() if len(steps) >= len(self._start)}
            known = self._costs[key] = min(self._inside(inner) * self._count(bounds).most, MOST)
        return known

    def _inside(self, bounds: Bounds) -> int:
        key = frozenset(bounds.items())
        known = self._insides.get(key)
        if known is None:
            known = self._insides[key] = self._once(bounds, {})
        return known

    def _once(self, bounds: Bounds, seen: dict[Steps, int]) -> int:
        self._effort.spend(_EACH_TIME + self._nodes + _EACH_BOUND * len(bounds))
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
            key = _key(node, name)
            child, step = (None, "") if key is None else (node.properties[key], f".properties[{key}]")
        if not isinstance(child, Schema):
            return None
        steps.append(step)
        node = child
    return tuple(steps), node


def _key(node: Schema, name: str) -> str | None:
    """The property that CEL knows by a name."""
    if name in node.properties and cel_name(name) == name:
        return name
    return next((key for key in node.properties if cel_name(key) == name), None)


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
    def fields(self) -> Mapping[str, Sized]:
        """What an object has."""
        return _Fields(self._declared.fields, self._field)

    def _field(self, name: str, declared: Sized) -> Measured:
        return Measured(declared, (*self._steps, name), self._sizes, self._seen)


class _Fields(Mapping[str, Sized]):
    """Fields, each measured when it is asked for: there may be very many."""

    __slots__ = ("_declared", "_measured")

    def __init__(self, declared: Mapping[str, Sized], measured: Callable[[str, Sized], Measured]) -> None:
        self._declared, self._measured = declared, measured

    def __getitem__(self, name: str) -> Sized:
        return self._measured(name, self._declared[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)


def above(site: Site) -> str:
    """Where the value of a site stands."""
    return shown([step for _, step in site.above[:-1]])
