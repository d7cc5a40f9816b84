"""The cost report of the rules of a CRD for a range of Kubernetes versions, with suggested bounds."""

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
from protoc_gen_crd.admission.crd.rules.cost_limit_errors import Cardinality, RuleExpression
from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator, SchemaCost
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.cost.intervals import MAX_UINT64
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.kubernetes.api_server_limits import RULE_COST, SCHEMA_COST


class RuleEstimate(Record):
    """The estimate of some minor versions: the cost of one evaluation, the cardinality, their product, or the error."""

    minors: tuple[int, ...]
    max_cost: int
    cardinality: Cardinality
    cost: int
    error: str | None

    @property
    def rejected(self) -> bool:
        """True if these servers reject the rule."""
        return self.error is not None or self.cost > RULE_COST


class RuleCost(Record):
    """The cost of one rule or messageExpression.

    `object_path` is the path of its value in objects. `estimates` start with the newest versions, and `factors` are
    those of the newest version. `suggestion` is None if no server rejects the rule for its cost. `is_incomplete` is
    true if the search budget did not suffice.
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
        """The minor versions that reject the rule."""
        return sorted([minor for estimate in self.estimates if estimate.rejected for minor in estimate.minors])


class SchemaCostReport(Record):
    """The costs of the rules of one schema, with its path, the versions that share it, and totals by minor version.

    `skipped` is how many rules have no estimate because the newest server rejects the schema at their position.
    `suggestion` brings all rules and their total under the limits; None if no server rejects the total.
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
        """The minor versions that reject the total cost."""
        return [minor for minor, total in self.totals.items() if total > SCHEMA_COST]

    @property
    def rejected(self) -> bool:
        """True if any version rejects a rule or the total."""
        return bool(self.rejected_by) or any(rule.rejected_by for rule in self.rules)


_SEARCH_BUDGET = 100_000  # nodes; takes one or two seconds
_Groups = list[tuple[tuple[int, ...], RuleExpression]]


def report_costs(
    crd: Crd, minors: Sequence[int], estimator: RuleEstimator, effort: int = _SEARCH_BUDGET
) -> tuple[SchemaCostReport, ...]:
    """Report the costs of the rules of a CRD on these servers, one report for each schema with rules.

    `effort` limits the search for bounds, in nodes; it starts with the most expensive rules.
    """
    groups_by_path: dict[str, list[tuple[tuple[int, ...], SchemaCost]]] = {}
    for group, schemas in estimator.estimate_schemas(crd, minors):
        for schema in schemas:
            groups_by_path.setdefault(schema.path, []).append((tuple(group), schema))
    advice = BoundAdvisor(estimator, SearchBudget(effort))
    return tuple([_report_schema(crd.name, groups[::-1], advice) for groups in groups_by_path.values()])


def _report_schema(
    name: str, groups: Sequence[tuple[tuple[int, ...], SchemaCost]], advice: BoundAdvisor
) -> SchemaCostReport:
    newest = groups[0][1]
    by_rule: dict[str, _Groups] = {}
    for minors, schema in groups:
        for expression in schema.expressions:
            by_rule.setdefault(expression.path, []).append((minors, expression))
    totals = {minor: schema.total for minors, schema in groups for minor in minors}
    most_expensive = sorted(by_rule, key=lambda path: -max([expression.cost for _, expression in by_rule[path]]))
    reports = {path: _report_rule(path, by_rule[path], advice) for path in most_expensive}
    rules = {path: reports[path] for path in by_rule}
    return SchemaCostReport(
        name,
        newest.path,
        newest.versions,
        tuple(rules.values()),
        dict(sorted(totals.items())),
        newest.skipped,
        advice.suggest_for_schema(groups, rules),
    )


def _report_rule(path: str, groups: _Groups, advice: BoundAdvisor) -> RuleCost:
    estimates: dict[tuple[int, Cardinality, str | None], list[int]] = {}
    for minors, expression in groups:
        estimates.setdefault((expression.max_cost, expression.cardinality, expression.error), []).extend(minors)
    first = groups[0][1]
    rule_estimates = [
        RuleEstimate(
            tuple(sorted(minors)), max_cost, cardinality, min(max_cost * cardinality.maximum, MAX_UINT64), error
        )
        for (max_cost, cardinality, error), minors in estimates.items()
    ]
    factors, is_incomplete, suggestion = advice.suggest_for_rule(groups)
    return RuleCost(
        path,
        get_object_path(first.site),
        first.text,
        first.origin,
        tuple(rule_estimates),
        tuple(factors),
        suggestion,
        is_incomplete,
    )


class BoundAdvisor:
    """Finds the factors of costs and suggests bounds for expensive rules, within a search budget."""

    def __init__(self, estimator: RuleEstimator, budget: SearchBudget) -> None:
        self._estimator, self._effort = estimator, budget

    def _get_cost_function(self, expression: RuleExpression, minor: int) -> ExpressionCostFunction:
        return self._estimator.get_cost_function(expression, minor, self._effort)

    def suggest_for_rule(self, groups: _Groups) -> tuple[Sequence[CostFactor], bool, BoundSuggestion | None]:
        """Return the factors of a rule, whether they are incomplete, and the suggested bounds."""
        cost_functions: dict[ExpressionCostFunction, list[int]] = {}
        for minors, expression in groups:
            for minor in sorted(minors, reverse=True) if expression.error is None else ():
                cost_functions.setdefault(self._get_cost_function(expression, minor), []).append(minor)
        expensive = [
            (minors, cost_function)
            for cost_function, minors in cost_functions.items()
            if cost_function.expression.cost > RULE_COST
        ]
        factors: Sequence[CostFactor] = ()
        if not cost_functions:
            return factors, False, None
        newest = next(iter(cost_functions))
        try:
            factors = newest.find_factors()
            suggestion = suggest_bounds(expensive, factors)
        except SearchBudgetError:
            return factors, True, None
        if newest.skipped_factors and suggestion and suggestion.unfixable_minors:
            suggestion = None  # bounds of skipped factors may suffice
        return factors, bool(newest.skipped_factors or (suggestion and suggestion.skipped_factors)), suggestion

    def suggest_for_schema(
        self, groups: Sequence[tuple[tuple[int, ...], SchemaCost]], rules: Mapping[str, RuleCost]
    ) -> BoundSuggestion | None:
        """Suggest bounds for the servers that reject the total cost, None if the report of a rule is incomplete."""
        factors = {path: rule.factors for path, rule in rules.items()}
        cost_functions: dict[tuple[ExpressionCostFunction, ...], list[int]] = {}
        for minors, schema in groups:
            if schema.total > SCHEMA_COST:
                if any(rule.is_incomplete for rule in rules.values()):
                    return None
                compiled = [expression for expression in schema.expressions if expression.error is None]
                for minor in minors:
                    cost_functions.setdefault(
                        tuple([self._get_cost_function(item, minor) for item in compiled]), []
                    ).append(minor)
        expensive = [
            (minors, SchemaCostFunction([(item, factors[item.expression.path]) for item in functions]))
            for functions, minors in cost_functions.items()
        ]
        missing = {factor.steps: factor for rule in rules.values() for factor in rule.factors}
        try:
            return suggest_bounds(expensive, missing.values())
        except SearchBudgetError:
            return None
