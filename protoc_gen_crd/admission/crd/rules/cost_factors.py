"""What multiplies the costs of rules.

A factor is a list, a map or a text that the estimate of the cost goes by: one above the rule, which holds its value
many times, or one in the value that the expression looks at. The cost is worked out again and again with other bounds;
it never falls where a bound rises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite
from protoc_gen_crd.admission.crd.rules.rule_costs import Cardinality, RuleExpression, get_max_elements
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import DeclarationFactory
from protoc_gen_crd.cel.checker.value_sizes import LONGEST
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64
from protoc_gen_crd.cel.cost.size_paths import SizedDeclaration
from protoc_gen_crd.kubernetes.limits import REQUEST_SIZE, RULE_COST
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema

SchemaSteps = tuple[str, ...]  # as the server writes them: .properties[name], .items, .additionalProperties
Bounds = Mapping[SchemaSteps, int]

ITEMS, VALUES = ".items", ".additionalProperties"
_EACH = "[]"  # a step to what a list or map holds, in the sizes that an estimate goes by
_EACH_TIME, _EACH_BOUND = 10, 4  # nodes that take as long as it takes to start an estimate, and to set a bound
_FEW = (1, 100)  # the dearer of two hides the other unless it is small, the smaller of two unless it is not


class CostFactor(Record):
    """One factor: where it stands in the schema, the keyword that bounds it, the bound if it has one, and its size.

    `most` is what the estimate goes by: items, entries, or bytes of a text.
    """

    steps: SchemaSteps
    keyword: str
    bound: int | None
    size: int


def format_object_path(steps: Sequence[str]) -> str:
    """A place in a schema as its objects have it: `spec.routes[*].hosts`."""
    text = "".join(
        "[*]" if step in (ITEMS, VALUES) else f".{step.removeprefix('.properties[').removesuffix(']')}"
        for step in steps
    )
    return text.removeprefix(".") or "."


class SearchBudgetError(Exception):
    """No more effort is to be made."""


class SearchBudget:
    """How many nodes of expressions may still be estimated: counted, not timed, so that advice is the same anywhere."""

    def __init__(self, left: int) -> None:
        self._left = left

    def spend(self, nodes: int) -> None:
        """Take so much of it. Raises SpentError where that is more than there is, then and ever after."""
        self._left -= nodes
        if self._left < 0:
            self._left = 0
            raise SearchBudgetError


class ExpressionCostFunction:
    """The cost of an expression as a function of bounds, for servers that estimate sizes alike.

    `skipped_factors` is how many factors were not looked at for want of effort.

    Shortcut bounded-costs: the cost is a function of the bounds that are set.
    """

    def __init__(self, expression: RuleExpression, declarations: DeclarationFactory, budget: SearchBudget) -> None:
        self.expression, self._declarations, self._effort = expression, declarations, budget
        self.skipped_factors = 0
        found = expression.result
        self._nodes = len(found.types) if isinstance(found, CheckedAst) else 1
        site = expression.site
        self._start = tuple(step for _, step in site.ancestors[:-1])
        self._costs: dict[frozenset[tuple[SchemaSteps, int]], int] = {}
        self._insides: dict[frozenset[tuple[SchemaSteps, int]], int] = {}

    def find_factors(self) -> list[CostFactor]:
        """What the cost goes by and a keyword can bound, from the root down. Raises SpentError."""
        seen: dict[SchemaSteps, int] = {}
        self._estimate_once({}, seen)
        found = [] if self.expression.path.endswith(".messageExpression") else self._find_outer_factors()
        for sizes, most in sorted(seen.items()):
            place = _resolve_estimate_steps(self.expression.site.node, sizes)
            if place is not None:
                found += self._find_value_factors((*self._start, *place[0]), place[1], most)
        kept: list[CostFactor] = []
        for index, factor in enumerate(found):
            try:
                kept += [factor] if self._is_relevant(factor, [other.steps for other in found]) else []
            except SearchBudgetError:
                self.skipped_factors = len(found) - index
                break
        return kept

    def _find_outer_factors(self) -> list[CostFactor]:
        made = []
        for depth, (node, _) in enumerate(self.expression.site.ancestors[:-1]):
            keyword = _find_bound_keyword(node)
            if keyword in ("maxItems", "maxProperties"):
                declared = self._declarations.declare(node)
                most = declared.max_size if declared is not None else REQUEST_SIZE
                made.append(CostFactor(self._start[:depth], keyword, get_max_elements(node), most))
        return made

    def _find_value_factors(self, steps: SchemaSteps, node: Schema, most: int) -> list[CostFactor]:
        keyword = _find_bound_keyword(node)
        if keyword is None:
            return []
        bound = node.get(keyword)
        fixed = self._compute_size(node, keyword, 0) == most  # as of a date, which no keyword bounds
        if bound is None and (fixed or (node.get("enum") and most < LONGEST)):
            return []
        return [CostFactor(steps, keyword, bound, most)]

    def _is_relevant(self, factor: CostFactor, all_steps: Sequence[SchemaSteps]) -> bool:
        """Whether a factor counts as things are, or would where the others were few, behind which it may stand."""
        if len(factor.steps) < len(self._start) and not self.expression.cardinality.is_bounded:
            return True
        if self.compute_cost({factor.steps: 0}) < self.expression.cost:
            return True
        for few in _FEW:
            others = dict.fromkeys([steps for steps in all_steps if steps != factor.steps], few)
            if self.compute_cost(others) > self.compute_cost({**others, factor.steps: 0}):
                return True
        return False

    def compute_cost(self, bounds: Bounds) -> int:
        """The cost with these bounds in the schema. Raises SpentError."""
        key = frozenset(bounds.items())
        known = self._costs.get(key)
        if known is None:
            inner = {steps: bound for steps, bound in bounds.items() if len(steps) >= len(self._start)}
            known = self._costs[key] = min(
                self._compute_inner_cost(inner) * self._compute_cardinality(bounds).maximum, MAX_UINT64
            )
        return known

    def _compute_inner_cost(self, bounds: Bounds) -> int:
        key = frozenset(bounds.items())
        known = self._insides.get(key)
        if known is None:
            known = self._insides[key] = self._estimate_once(bounds, {})
        return known

    def _estimate_once(self, bounds: Bounds, seen: dict[SchemaSteps, int]) -> int:
        self._effort.spend(_EACH_TIME + self._nodes + _EACH_BOUND * len(bounds))
        expression = self.expression
        sizes = {}
        for steps, bound in bounds.items():
            inner = _to_estimate_steps(steps[len(self._start) :])
            place = _resolve_estimate_steps(expression.site.node, inner)
            if place is not None:
                sizes[inner] = self._compute_size(place[1], _find_bound_keyword(place[1]) or "", bound)
        measured = MeasuredDeclaration(expression.declared, (), sizes, seen)
        found = expression.result
        return estimate(found, expression.environment.minor, measured)[1] if isinstance(found, CheckedAst) else 0

    def _compute_size(self, node: Schema, keyword: str, bound: int) -> int:
        declared = self._declarations.declare(node.with_keywords({keyword: bound}))
        return declared.max_size if declared is not None else 0

    def _compute_cardinality(self, bounds: Bounds) -> Cardinality:
        if self.expression.path.endswith(".messageExpression"):
            return self.expression.cardinality
        most = 1
        for depth, (node, _) in enumerate(self.expression.site.ancestors[:-1]):
            given = bounds.get(self._start[:depth])
            bound = get_max_elements(node) if given is None else given
            if bound is None:
                return self.expression.cardinality
            most = min(most * bound, MAX_UINT64)
        return Cardinality(most)

    def is_accepted(self, bounds: Bounds) -> bool:
        """Whether the expression is taken with these bounds."""
        return self.compute_cost(bounds) <= RULE_COST


def _find_bound_keyword(node: Schema) -> str | None:
    """The keyword that bounds the size of a value."""
    if node.get(INT_OR_STRING) or node.type == "string":
        return "maxLength"
    if node.type == "array":
        return "maxItems"
    return "maxProperties" if node.type == "object" and isinstance(node.additional, Schema) else None


def _to_estimate_steps(steps: SchemaSteps) -> SchemaSteps:
    """The same place as estimates have it."""
    return tuple(
        [_EACH if step in (ITEMS, VALUES) else escape_cel_name(step[len(".properties[") : -1]) for step in steps]
    )


def _resolve_estimate_steps(node: Schema, sizes: SchemaSteps) -> tuple[SchemaSteps, Schema] | None:
    """The place and schema of what estimates know by these steps; None for names that servers add."""
    steps: list[str] = []
    for name in sizes:
        child = node.items if isinstance(node.items, Schema) else node.additional if name == _EACH else None
        step = ITEMS if isinstance(node.items, Schema) else VALUES
        if name != _EACH:
            key = _find_property(node, name)
            child, step = (None, "") if key is None else (node.properties[key], f".properties[{key}]")
        if not isinstance(child, Schema):
            return None
        steps.append(step)
        node = child
    return tuple(steps), node


def _find_property(node: Schema, name: str) -> str | None:
    """The property that CEL knows by a name."""
    if name in node.properties and escape_cel_name(name) == name:
        return name
    return next((key for key in node.properties if escape_cel_name(key) == name), None)


class MeasuredDeclaration:
    """What is declared, with other sizes in places (steps: names and `[]`); it notes which sizes are asked for."""

    __slots__ = ("_declared", "_seen", "_sizes", "_steps", "is_map")

    def __init__(
        self, declared: SizedDeclaration, steps: SchemaSteps, sizes: Bounds, seen: dict[SchemaSteps, int]
    ) -> None:
        self._declared, self._steps, self._sizes, self._seen = declared, steps, sizes, seen
        self.is_map = declared.is_map

    @property
    def max_size(self) -> int:
        """The size in this place."""
        size = self._seen[self._steps] = self._sizes.get(self._steps, self._declared.max_size)
        return size

    @property
    def item(self) -> MeasuredDeclaration | None:
        """What a list or map holds."""
        below = self._declared.item
        return None if below is None else MeasuredDeclaration(below, (*self._steps, _EACH), self._sizes, self._seen)

    @property
    def fields(self) -> Mapping[str, SizedDeclaration]:
        """What an object has."""
        return _MeasuredFields(self._declared.fields, self._measure_field)

    def _measure_field(self, name: str, declared: SizedDeclaration) -> MeasuredDeclaration:
        return MeasuredDeclaration(declared, (*self._steps, name), self._sizes, self._seen)


class _MeasuredFields(Mapping[str, SizedDeclaration]):
    """Fields, each measured when it is asked for: there may be very many."""

    __slots__ = ("_declared", "_measured")

    def __init__(
        self, declared: Mapping[str, SizedDeclaration], measured: Callable[[str, SizedDeclaration], MeasuredDeclaration]
    ) -> None:
        self._declared, self._measured = declared, measured

    def __getitem__(self, name: str) -> SizedDeclaration:
        return self._measured(name, self._declared[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._declared)

    def __len__(self) -> int:
        return len(self._declared)


def get_object_path(site: RuleSite) -> str:
    """Where the value of a site stands."""
    return format_object_path([step for _, step in site.ancestors[:-1]])
