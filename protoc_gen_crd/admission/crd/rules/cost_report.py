"""What the rules of a CRD cost over a range of Kubernetes versions: who refuses them, why, and what mends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.admission.crd.rules.bound_suggestions import BoundSuggestion, SchemaCostFunction, suggest_bounds
from protoc_gen_crd.admission.crd.rules.cost_factors import (
    CostFactor,
    ExpressionCostFunction,
    SearchBudget,
    SearchBudgetError,
    get_object_path,
)
from protoc_gen_crd.admission.crd.rules.rule_costs import Cardinality, RuleExpression
from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator, SchemaCost
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.kubernetes.limits import RULE_COST, SCHEMA_COST


class RuleEstimate(Record):
    """What some minor versions say: the cost of one evaluation, how often, both together, or why it is refused."""

    minors: tuple[int, ...]
    max_cost: int
    cardinality: Cardinality
    cost: int
    error: str | None

    @property
    def rejected(self) -> bool:
        """Whether these servers refuse the rule."""
        return self.error is not None or self.cost > RULE_COST


class RuleCost(Record):
    """One rule or messageExpression: `object_path` is its value's place in objects, `estimates` start with the
    newest versions.

    `find_factors` are the newest server's. `fit` is None where no server refuses the rule for its cost. With
    `untold`, the effort did not suffice for all of them.
    """

    path: str
    object_path: str
    text: str
    origin: Place | None
    estimates: tuple[RuleEstimate, ...]
    factors: tuple[CostFactor, ...]
    suggestion: BoundSuggestion | None
    is_incomplete: bool = False

    @property
    def rejected_by(self) -> list[int]:
        """The minor versions that refuse it."""
        return sorted([minor for estimate in self.estimates if estimate.rejected for minor in estimate.minors])


class SchemaCostReport(Record):
    """The rules of one schema: its path, the versions that share it, and by minor version all costs together.

    `skipped` is how many rules have no estimate since the newest server finds the schema at fault where they stand.
    `fit` is what makes all rules fit, each and together, None where together they are too dear for no server.
    """

    crd_name: str
    path: str
    versions: tuple[str, ...]
    rules: tuple[RuleCost, ...]
    totals: Mapping[int, int]
    skipped: int
    suggestion: BoundSuggestion | None

    @property
    def rejected_by(self) -> list[int]:
        """The minor versions to which all rules together are too dear."""
        return [minor for minor, total in self.totals.items() if total > SCHEMA_COST]

    @property
    def rejected(self) -> bool:
        """Whether some version refuses a rule or all together."""
        return bool(self.rejected_by) or any(rule.rejected_by for rule in self.rules)


_SEARCH_BUDGET = 100_000  # nodes, a second or two
_Groups = list[tuple[tuple[int, ...], RuleExpression]]


def report_costs(
    crd: Crd, minors: Sequence[int], estimator: RuleEstimator, effort: int = _SEARCH_BUDGET
) -> tuple[SchemaCostReport, ...]:
    """What the rules of a CRD cost on these servers, a value for each schema with rules.

    `effort` bounds how long advice is looked for; the dearest rules come first.
    """
    found: dict[str, list[tuple[tuple[int, ...], SchemaCost]]] = {}
    for same, schemas in estimator.estimate_schemas(crd, minors):
        for schema in schemas:
            found.setdefault(schema.path, []).append((tuple(same), schema))
    advice = BoundAdvisor(estimator, SearchBudget(effort))
    return tuple([_report_schema(crd.name, groups[::-1], advice) for groups in found.values()])


def _report_schema(
    name: str, groups: Sequence[tuple[tuple[int, ...], SchemaCost]], advice: BoundAdvisor
) -> SchemaCostReport:
    newest = groups[0][1]
    told: dict[str, _Groups] = {}
    for minors, schema in groups:
        for expression in schema.expressions:
            told.setdefault(expression.path, []).append((minors, expression))
    totals = {minor: schema.total for minors, schema in groups for minor in minors}
    dearest = sorted(told, key=lambda path: -max([expression.cost for _, expression in told[path]]))
    made = {path: _report_rule(told[path], advice) for path in dearest}
    rules = {path: made[path] for path in told}
    return SchemaCostReport(
        name,
        newest.path,
        newest.versions,
        tuple(rules.values()),
        dict(sorted(totals.items())),
        newest.skipped,
        advice.suggest_for_schema(groups, rules),
    )


def _report_rule(groups: _Groups, advice: BoundAdvisor) -> RuleCost:
    estimates: dict[tuple[int, Cardinality, str | None], list[int]] = {}
    for minors, expression in groups:
        estimates.setdefault((expression.max_cost, expression.cardinality, expression.error), []).extend(minors)
    first = groups[0][1]
    made = [
        RuleEstimate(tuple(sorted(minors)), most, count, min(most * count.maximum, MAX_UINT64), fault)
        for (most, count, fault), minors in estimates.items()
    ]
    factors, untold, found = advice.suggest_for_rule(groups)
    return RuleCost(
        first.path, get_object_path(first.site), first.text, first.origin, tuple(made), tuple(factors), found, untold
    )


class BoundAdvisor:
    """What multiplies costs, and the bounds that make what is dear fit, as far as the effort goes."""

    def __init__(self, estimator: RuleEstimator, budget: SearchBudget) -> None:
        self._estimator, self._effort = estimator, budget

    def _get_cost_function(self, expression: RuleExpression, minor: int) -> ExpressionCostFunction:
        return self._estimator.get_cost_function(expression, minor, self._effort)

    def suggest_for_rule(self, groups: _Groups) -> tuple[Sequence[CostFactor], bool, BoundSuggestion | None]:
        """The factors of a rule, whether there may be more to say, and what makes it fit."""
        alike: dict[ExpressionCostFunction, list[int]] = {}
        for minors, expression in groups:
            for minor in sorted(minors, reverse=True) if expression.error is None else ():
                alike.setdefault(self._get_cost_function(expression, minor), []).append(minor)
        dear = [(minors, costing) for costing, minors in alike.items() if costing.expression.cost > RULE_COST]
        factors: Sequence[CostFactor] = ()
        if not alike:
            return factors, False, None
        newest = next(iter(alike))
        try:
            factors = newest.find_factors()
            found = suggest_bounds(dear, factors)
        except SearchBudgetError:
            return factors, True, None
        if newest.skipped_factors and found and found.unfixable_minors:  # other bounds may help
            found = None
        return factors, bool(newest.skipped_factors or (found and found.skipped_factors)), found

    def suggest_for_schema(
        self, groups: Sequence[tuple[tuple[int, ...], SchemaCost]], rules: Mapping[str, RuleCost]
    ) -> BoundSuggestion | None:
        """What makes a schema fit for the servers to which all rules together are too dear, None if not all is told."""
        factors = {path: rule.factors for path, rule in rules.items()}
        alike: dict[tuple[ExpressionCostFunction, ...], list[int]] = {}
        for minors, schema in groups:
            if schema.total > SCHEMA_COST:
                if any(rule.is_incomplete for rule in rules.values()):
                    return None
                sound = [expression for expression in schema.expressions if expression.error is None]
                for minor in minors:
                    alike.setdefault(tuple([self._get_cost_function(each, minor) for each in sound]), []).append(minor)
        dear = [
            (minors, SchemaCostFunction([(each, factors[each.expression.path]) for each in costings]))
            for costings, minors in alike.items()
        ]
        missing = {factor.steps: factor for rule in rules.values() for factor in rule.factors}
        try:
            return suggest_bounds(dear, missing.values())
        except SearchBudgetError:
            return None
