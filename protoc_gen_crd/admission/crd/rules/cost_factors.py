"""The factors that multiply the costs of rules.

A factor is a list, map, or string whose size the cost estimate depends on: one above the rule, which contains its value
many times, or one in the value that the expression reads. The cost is estimated repeatedly with different bounds. It
never decreases when a bound increases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from protoc_gen_crd.admission.crd.rules.cel_interface import RuleSite
from protoc_gen_crd.admission.crd.rules.cost_limit_errors import Cardinality, RuleExpression, get_max_elements
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import DeclarationFactory
from protoc_gen_crd.cel.checker.value_sizes import LONGEST
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64
from protoc_gen_crd.cel.cost.size_paths import SizedDeclaration
from protoc_gen_crd.kubernetes.api_server_limits import REQUEST_SIZE, RULE_COST
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema

SchemaSteps = tuple[str, ...]  # in the server's notation: .properties[name], .items, .additionalProperties
Bounds = Mapping[SchemaSteps, int]

ITEMS, VALUES = ".items", ".additionalProperties"
_ELEMENT = "[]"  # the step to the elements of a list or map, in the steps of an estimate
_START_EFFORT, _BOUND_EFFORT = 10, 4  # the effort to start an estimate and to set a bound, in nodes
# A factor may have no effect while another one dominates or is too small, so both sizes of the others are tried.
_OTHER_BOUNDS = (1, 100)


class CostFactor(Record):
    """One factor: its steps in the schema, the keyword that bounds it, the bound if it has one, and its size.

    `size` is the maximum that the estimate uses: items, entries, or bytes of a string.
    """

    steps: SchemaSteps
    keyword: str
    bound: int | None
    size: int


def format_object_path(steps: Sequence[str]) -> str:
    """Return the path in objects of a position in a schema: `spec.routes[*].hosts`."""
    path = "".join(
        "[*]" if step in (ITEMS, VALUES) else f".{step.removeprefix('.properties[').removesuffix(']')}"
        for step in steps
    )
    return path.removeprefix(".") or "."


class SearchBudgetError(Exception):
    """An exhausted search budget."""


class SearchBudget:
    """The number of expression nodes that may still be estimated.

    The work is counted and not timed, so that the suggestions are the same on every machine.
    """

    def __init__(self, left: int) -> None:
        self._left = left

    def spend(self, nodes: int) -> None:
        """Subtract nodes. Raises SearchBudgetError if that exceeds the budget, also on every later call."""
        self._left -= nodes
        if self._left < 0:
            self._left = 0
            raise SearchBudgetError


class ExpressionCostFunction:
    """The cost of an expression as a function of bounds, for servers with equal size estimates.

    `skipped_factors` is how many factors were not examined because the budget was exhausted.

    Shortcut bounded-costs: the cost is a function of the bounds that are set.
    """

    def __init__(self, expression: RuleExpression, declarations: DeclarationFactory, budget: SearchBudget) -> None:
        self.expression, self._declarations, self._effort = expression, declarations, budget
        self.skipped_factors = 0
        result = expression.result
        self._nodes = len(result.types) if isinstance(result, CheckedAst) else 1
        self._depth = len(expression.site.ancestors) - 1
        self._costs: dict[frozenset[tuple[SchemaSteps, int]], int] = {}
        self._insides: dict[frozenset[tuple[SchemaSteps, int]], int] = {}

    def _list_steps(self, depth: int) -> SchemaSteps:
        """Return the steps from the root to an ancestor of the site."""
        return tuple([step for _, step in self.expression.site.ancestors[:depth]])

    def find_factors(self) -> list[CostFactor]:
        """Find the factors of the cost that a keyword can bound, from the root down. Raises SearchBudgetError."""
        seen: dict[SchemaSteps, int] = {}
        self._estimate_once({}, seen)
        candidates = [] if self.expression.is_message else self._find_outer_factors()
        for sizes, most in sorted(seen.items()):
            place = _resolve_estimate_steps(self.expression.site.node, sizes)
            if place is not None:
                candidates += self._find_value_factors((*self._list_steps(self._depth), *place[0]), place[1], most)
        relevant: list[CostFactor] = []
        for index, factor in enumerate(candidates):
            try:
                relevant += [factor] if self._is_relevant(factor, [other.steps for other in candidates]) else []
            except SearchBudgetError:
                self.skipped_factors = len(candidates) - index
                break
        return relevant

    def _find_outer_factors(self) -> list[CostFactor]:
        factors = []
        for depth, node in self.expression.site.containers:
            keyword = _find_bound_keyword(node)
            if keyword in ("maxItems", "maxProperties"):
                declared = self._declarations.declare(node)
                size = declared.max_size if declared is not None else REQUEST_SIZE
                factors.append(CostFactor(self._list_steps(depth), keyword, get_max_elements(node), size))
        return factors

    def _find_value_factors(self, steps: SchemaSteps, node: Schema, size: int) -> list[CostFactor]:
        keyword = _find_bound_keyword(node)
        if keyword is None:
            return []
        bound = node.get(keyword)
        fixed = self._compute_size(node, keyword, 0) == size  # such as a date, which no keyword bounds
        if bound is None and (fixed or (node.get("enum") and size < LONGEST)):
            return []
        return [CostFactor(steps, keyword, bound, size)]

    def _is_relevant(self, factor: CostFactor, all_steps: Sequence[SchemaSteps]) -> bool:
        """Return true if the cost depends on a factor, with the current or with smaller bounds of the others."""
        if len(factor.steps) < self._depth and not self.expression.cardinality.is_bounded:
            return True
        if self.compute_cost({factor.steps: 0}) < self.expression.cost:
            return True
        for bound in _OTHER_BOUNDS:
            others = dict.fromkeys([steps for steps in all_steps if steps != factor.steps], bound)
            if self.compute_cost(others) > self.compute_cost({**others, factor.steps: 0}):
                return True
        return False

    def compute_cost(self, bounds: Bounds) -> int:
        """Return the cost with these bounds in the schema. Raises SearchBudgetError."""
        key = frozenset(bounds.items())
        cost = self._costs.get(key)
        if cost is None:
            inner = {steps: bound for steps, bound in bounds.items() if len(steps) >= self._depth}
            cost = self._costs[key] = min(
                self._compute_inner_cost(inner) * self._compute_cardinality(bounds).maximum, MAX_UINT64
            )
        return cost

    def _compute_inner_cost(self, bounds: Bounds) -> int:
        key = frozenset(bounds.items())
        cost = self._insides.get(key)
        if cost is None:
            cost = self._insides[key] = self._estimate_once(bounds, {})
        return cost

    def _estimate_once(self, bounds: Bounds, seen: dict[SchemaSteps, int]) -> int:
        self._effort.spend(_START_EFFORT + self._nodes + _BOUND_EFFORT * len(bounds))
        expression = self.expression
        sizes = {}
        for steps, bound in bounds.items():
            inner = _to_estimate_steps(steps[self._depth :])
            resolved = _resolve_estimate_steps(expression.site.node, inner)
            if resolved is not None:
                sizes[inner] = self._compute_size(resolved[1], _find_bound_keyword(resolved[1]) or "", bound)
        measured = MeasuredDeclaration(expression.declared, (), sizes, seen)
        result = expression.result
        return estimate(result, expression.environment.minor, measured)[1] if isinstance(result, CheckedAst) else 0

    def _compute_size(self, node: Schema, keyword: str, bound: int) -> int:
        declared = self._declarations.declare(node.with_keywords({keyword: bound}))
        return declared.max_size if declared is not None else 0

    def _compute_cardinality(self, bounds: Bounds) -> Cardinality:
        if self.expression.is_message:
            return self.expression.cardinality
        most = 1
        for depth, node in self.expression.site.containers:
            override = bounds.get(self._list_steps(depth))
            bound = get_max_elements(node) if override is None else override
            if bound is None:
                return self.expression.cardinality
            most = min(most * bound, MAX_UINT64)
        return Cardinality(most)

    def is_accepted(self, bounds: Bounds) -> bool:
        """Return true if servers accept the expression with these bounds."""
        return self.compute_cost(bounds) <= RULE_COST


def _find_bound_keyword(node: Schema) -> str | None:
    """Return the keyword that bounds the size of a value."""
    if node.get(INT_OR_STRING) or node.type == "string":
        return "maxLength"
    if node.type == "array":
        return "maxItems"
    return "maxProperties" if node.type == "object" and isinstance(node.additional, Schema) else None


def _to_estimate_steps(steps: SchemaSteps) -> SchemaSteps:
    """Convert the steps of a schema to the steps of an estimate."""
    return tuple(
        [_ELEMENT if step in (ITEMS, VALUES) else escape_cel_name(step[len(".properties[") : -1]) for step in steps]
    )


def _resolve_estimate_steps(node: Schema, estimate_steps: SchemaSteps) -> tuple[SchemaSteps, Schema] | None:
    """Return the schema steps and the schema for the steps of an estimate; None for names that servers add."""
    steps: list[str] = []
    for name in estimate_steps:
        child = node.items if isinstance(node.items, Schema) else node.additional if name == _ELEMENT else None
        step = ITEMS if isinstance(node.items, Schema) else VALUES
        if name != _ELEMENT:
            key = _find_property(node, name)
            child, step = (None, "") if key is None else (node.properties[key], f".properties[{key}]")
        if not isinstance(child, Schema):
            return None
        steps.append(step)
        node = child
    return tuple(steps), node


def _find_property(node: Schema, name: str) -> str | None:
    """Return the property with a CEL name."""
    if name in node.properties and escape_cel_name(name) == name:
        return name
    return next((key for key in node.properties if escape_cel_name(key) == name), None)


class MeasuredDeclaration:
    """A declaration with replaced sizes (steps: names and `[]`), which records the sizes that are read."""

    __slots__ = ("_declared", "_seen", "_sizes", "_steps", "is_map")

    def __init__(
        self, declared: SizedDeclaration, steps: SchemaSteps, sizes: Bounds, seen: dict[SchemaSteps, int]
    ) -> None:
        self._declared, self._steps, self._sizes, self._seen = declared, steps, sizes, seen
        self.is_map = declared.is_map

    @property
    def max_size(self) -> int:
        """The size at these steps."""
        size = self._seen[self._steps] = self._sizes.get(self._steps, self._declared.max_size)
        return size

    @property
    def item(self) -> MeasuredDeclaration | None:
        """The declaration of the elements of a list or map."""
        declared_item = self._declared.item
        return (
            None
            if declared_item is None
            else MeasuredDeclaration(declared_item, (*self._steps, _ELEMENT), self._sizes, self._seen)
        )

    @property
    def fields(self) -> Mapping[str, SizedDeclaration]:
        """The declarations of the fields of an object."""
        return _MeasuredFields(self._declared.fields, self._measure_field)

    def _measure_field(self, name: str, declared: SizedDeclaration) -> MeasuredDeclaration:
        return MeasuredDeclaration(declared, (*self._steps, name), self._sizes, self._seen)


class _MeasuredFields(Mapping[str, SizedDeclaration]):
    """Fields, each converted on access, since there may be very many."""

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
    """Return the path in objects of the value of a site."""
    return format_object_path([step for _, step in site.ancestors[:-1]])
