"""What the rules of a CRD cost over a range of Kubernetes versions: who refuses them, why, and what mends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.admission.crd.bounds import Costing, Effort, Factor, SpentError, above
from protoc_gen_crd.admission.crd.costs import Count, Expression
from protoc_gen_crd.admission.crd.estimates import Estimator, SchemaCost
from protoc_gen_crd.admission.crd.fits import Fit, Whole, fit
from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.cost.intervals import MOST
from protoc_gen_crd.cel.cost.limits import RULE, SCHEMA
from protoc_gen_crd.crd.types import Crd


class Estimate(Record):
    """What some minor versions say: the cost of one evaluation, how often, both together, or why it is refused."""

    minors: tuple[int, ...]
    most: int
    count: Count
    cost: int
    fault: str | None

    @property
    def refused(self) -> bool:
        """Whether these servers refuse the rule."""
        return self.fault is not None or self.cost > RULE


class RuleCost(Record):
    """One rule or messageExpression: `at` is its value's place in objects, `estimates` start with the newest versions.

    `factors` are the newest server's. `fit` is None where no server refuses the rule for its cost. With `untold`, the
    effort did not suffice for all of them.
    """

    path: str
    at: str
    text: str
    origin: Place | None
    estimates: tuple[Estimate, ...]
    factors: tuple[Factor, ...]
    fit: Fit | None
    untold: bool = False

    @property
    def refused_by(self) -> list[int]:
        """The minor versions that refuse it."""
        return sorted([minor for estimate in self.estimates if estimate.refused for minor in estimate.minors])


class Spending(Record):
    """The rules of one schema: its path, the versions that share it, and by minor version all costs together.

    `skipped` is how many rules have no estimate since the newest server finds the schema at fault where they stand.
    `fit` is what makes all rules fit, each and together, None where together they are too dear for no server.
    """

    name: str
    path: str
    versions: tuple[str, ...]
    rules: tuple[RuleCost, ...]
    totals: Mapping[int, int]
    skipped: int
    fit: Fit | None

    @property
    def refused_by(self) -> list[int]:
        """The minor versions to which all rules together are too dear."""
        return [minor for minor, total in self.totals.items() if total > SCHEMA]

    @property
    def refused(self) -> bool:
        """Whether some version refuses a rule or all together."""
        return bool(self.refused_by) or any(rule.refused_by for rule in self.rules)


_EFFORT = 100_000  # nodes, a second or two
_Groups = list[tuple[tuple[int, ...], Expression]]


def spending(crd: Crd, minors: Sequence[int], estimator: Estimator, effort: int = _EFFORT) -> tuple[Spending, ...]:
    """What the rules of a CRD cost on these servers, a value for each schema with rules.

    `effort` bounds how long advice is looked for; the dearest rules come first.
    """
    found: dict[str, list[tuple[tuple[int, ...], SchemaCost]]] = {}
    for same, schemas in estimator.schemas(crd, minors):
        for schema in schemas:
            found.setdefault(schema.path, []).append((tuple(same), schema))
    advice = Advice(estimator, Effort(effort))
    return tuple([_of_schema(crd.name, groups[::-1], advice) for groups in found.values()])


def _of_schema(name: str, groups: Sequence[tuple[tuple[int, ...], SchemaCost]], advice: Advice) -> Spending:
    newest = groups[0][1]
    told: dict[str, _Groups] = {}
    for minors, schema in groups:
        for expression in schema.expressions:
            told.setdefault(expression.path, []).append((minors, expression))
    totals = {minor: schema.total for minors, schema in groups for minor in minors}
    dearest = sorted(told, key=lambda path: -max([expression.cost for _, expression in told[path]]))
    made = {path: _of_rule(told[path], advice) for path in dearest}
    rules = {path: made[path] for path in told}
    return Spending(
        name,
        newest.path,
        newest.versions,
        tuple(rules.values()),
        dict(sorted(totals.items())),
        newest.skipped,
        advice.together(groups, rules),
    )


def _of_rule(groups: _Groups, advice: Advice) -> RuleCost:
    estimates: dict[tuple[int, Count, str | None], list[int]] = {}
    for minors, expression in groups:
        estimates.setdefault((expression.most, expression.count, expression.fault), []).extend(minors)
    first = groups[0][1]
    made = [
        Estimate(tuple(sorted(minors)), most, count, min(most * count.most, MOST), fault)
        for (most, count, fault), minors in estimates.items()
    ]
    factors, untold, found = advice.alone(groups)
    return RuleCost(first.path, above(first.site), first.text, first.origin, tuple(made), tuple(factors), found, untold)


class Advice:
    """What multiplies costs, and the bounds that make what is dear fit, as far as the effort goes."""

    def __init__(self, estimator: Estimator, effort: Effort) -> None:
        self._estimator, self._effort = estimator, effort

    def _costing(self, expression: Expression, minor: int) -> Costing:
        return self._estimator.costing(expression, minor, self._effort)

    def alone(self, groups: _Groups) -> tuple[Sequence[Factor], bool, Fit | None]:
        """The factors of a rule, whether there may be more to say, and what makes it fit."""
        alike: dict[Costing, list[int]] = {}
        for minors, expression in groups:
            for minor in minors if expression.fault is None else ():
                alike.setdefault(self._costing(expression, minor), []).append(minor)
        dear = [(minors, costing) for costing, minors in alike.items() if costing.expression.cost > RULE]
        factors: Sequence[Factor] = ()
        if not alike:
            return factors, False, None
        newest = next(iter(alike))
        try:
            factors = newest.factors()
            found = fit(dear, factors)
        except SpentError:
            return factors, True, None
        if newest.untold and found and found.hopeless:  # other bounds may help
            found = None
        return factors, bool(newest.untold or (found and found.untried)), found

    def together(
        self, groups: Sequence[tuple[tuple[int, ...], SchemaCost]], rules: Mapping[str, RuleCost]
    ) -> Fit | None:
        """What makes a schema fit for the servers to which all rules together are too dear, None if not all is told."""
        factors = {path: rule.factors for path, rule in rules.items()}
        alike: dict[tuple[Costing, ...], list[int]] = {}
        for minors, schema in groups:
            if schema.total > SCHEMA:
                if any(rule.untold for rule in rules.values()):
                    return None
                sound = [expression for expression in schema.expressions if expression.fault is None]
                for minor in minors:
                    alike.setdefault(tuple([self._costing(each, minor) for each in sound]), []).append(minor)
        dear = [
            (minors, Whole([(each, factors[each.expression.path]) for each in costings]))
            for costings, minors in alike.items()
        ]
        missing = {factor.steps: factor for rule in rules.values() for factor in rule.factors}
        try:
            return fit(dear, missing.values())
        except SpentError:
            return None
