"""Costs of rules as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.bounds import Factor, shown
from protoc_gen_crd.admission.crd.costs import ONCE
from protoc_gen_crd.admission.crd.fits import Fit
from protoc_gen_crd.admission.crd.spending import Estimate, RuleCost, Spending
from protoc_gen_crd.base.versions import worded
from protoc_gen_crd.cel.cost.limits import RULE, SCHEMA

_COST, _SHARE = 26, 10  # columns: a number of 64 bits, its share
_WIDTH = 100  # of a rule's text
_INDENT = " " * (_COST + _SHARE + 4)
_UNITS = {"maxItems": "items", "maxProperties": "entries", "maxLength": "bytes"}


def as_text(found: Sequence[Spending]) -> str:
    """A table for each schema: a row for each rule, and below it what there is to say of it."""
    blocks = ["\n".join(_schema(each)) + "\n" for each in found]
    return "\n".join(blocks) if blocks else "no CRD with rules\n"


def _schema(spending: Spending) -> Iterator[str]:
    yield f"{spending.name} {', '.join(spending.versions)}: {spending.path}"
    yield f"{'COST':>{_COST}}  {'OF LIMIT':>{_SHARE}}  RULE"
    for rule in spending.rules:
        yield from _rule(rule)
    newest = max(spending.totals)
    yield _row(spending.totals[newest], SCHEMA, "all together")
    for minors, total in _groups(spending):
        if total != spending.totals[newest]:
            yield f"{_INDENT}{worded(minors)}: {total:,} all together"
    if spending.skipped:
        rules = f"{spending.skipped} rule{'s' * (spending.skipped != 1)}"
        yield f"{_INDENT}not estimated where the schema is at fault: {rules}; validate tells what is wrong"
    if spending.refused_by:
        yield f"{_INDENT}refused by {worded(spending.refused_by)}: all together must not cost more than {SCHEMA:,}"
    if spending.fit is not None:
        yield from (f"{_INDENT}{line}" for line in _fit(spending.fit))
    if untold := sum([rule.untold for rule in spending.rules]):
        rules = f"{untold:,} rule{'s' * (untold != 1)}"
        yield f"{_INDENT}not all is told of {rules}, since there is too much to try: mend what is dearest and ask again"
    elif spending.refused_by and spending.fit is None:
        yield f"{_INDENT}no bounds are told, since there is too much to try: mend what is dearest and ask again"


def _groups(spending: Spending) -> list[tuple[list[int], int]]:
    groups: dict[int, list[int]] = {}
    for minor, total in spending.totals.items():
        groups.setdefault(total, []).append(minor)
    return [(minors, total) for total, minors in groups.items()]


def _row(cost: int, limit: int, text: str) -> str:
    return f"{cost:>{_COST},}  {_share(cost, limit):>{_SHARE}}  {text}"


def _share(cost: int, limit: int) -> str:
    times = cost / limit
    if times < 10:
        return f"{times:.1%}"
    return f"{times:,.0f} x" if times < 1_000_000 else f"{times:.1e} x"


def _rule(rule: RuleCost) -> Iterator[str]:
    first, *others = rule.estimates
    member = rule.path.rpartition(".")[2]
    text = " ".join(rule.text.split())
    text = text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
    yield _row(first.cost, RULE, f"{rule.at}: {text}" if member == "rule" else f"{rule.at}, {member}: {text}")
    yield from (f"{_INDENT}{line}" for line in _below(rule, first, others))


def _below(rule: RuleCost, first: Estimate, others: Sequence[Estimate]) -> Iterator[str]:
    """The lines below a rule's own."""
    if first.fault is not None or first.count != ONCE:
        yield _product(first)
    for factor in rule.factors:
        yield _factor(factor)
    alike: dict[str, list[int]] = {}
    for estimate in others:
        cost = f"{estimate.cost:,} = " if estimate.fault is None and estimate.count != ONCE else ""
        alike.setdefault(f"{cost}{_product(estimate)}", []).extend(estimate.minors)
    yield from (f"{worded(sorted(minors))}: {text}" for text, minors in alike.items())
    if rule.refused_by:
        yield f"refused by {worded(rule.refused_by)}"
    if rule.fit is not None:
        yield from _fit(rule.fit)


def _product(estimate: Estimate) -> str:
    if estimate.fault is not None:
        return estimate.fault.partition("\n")[0]
    if estimate.count == ONCE:
        return f"{estimate.most:,}"
    bound = "" if estimate.count.bounded else ", which only the size of a request bounds"
    return f"{estimate.most:,} for each value, {estimate.count.most:,} values{bound}"


def _factor(factor: Factor) -> str:
    bound = "has no" if factor.bound is None else f"has {factor.bound:,} as its"
    return f"{shown(factor.steps)} {bound} {factor.keyword}: {factor.most:,} {_UNITS[factor.keyword]}"


def _fit(fit: Fit) -> Iterator[str]:
    if fit.alone:
        each = [f"{factor.keyword} {bound:,} at {shown(factor.steps)}" for factor, bound in fit.alone]
        yield f"fits with {', or with '.join(each)}{_untried(fit)}"
    elif fit.together:
        missing = [f"{factor.keyword} at {shown(factor.steps)}" for factor in fit.missing]
        none = "" if fit.untried else "no one of its bounds, but with "
        yield f"fits with {none}{fit.together:,} for each of {', '.join(missing)}{_untried(fit)}"
    if fit.hopeless:
        yield f"fits with no bounds for {worded(fit.hopeless)}: it must be simpler"


def _untried(fit: Fit) -> str:
    return f"; {fit.untried:,} were not tried alone" if fit.untried else ""


def as_json(found: Sequence[Spending]) -> str:
    """The same as data."""
    return json.dumps([_plain_schema(each) for each in found], indent=2, ensure_ascii=False) + "\n"


def _plain_schema(spending: Spending) -> dict[str, Any]:
    return {
        "crd": spending.name,
        "path": spending.path,
        "versions": list(spending.versions),
        "limit": SCHEMA,
        "totals": [{"kubernetes": _names(minors), "total": total} for minors, total in _groups(spending)],
        "refused_by": _names(spending.refused_by),
        "skipped": spending.skipped,
        **_plain_fit(spending.fit),
        "rules": [_plain_rule(rule) for rule in spending.rules],
    }


def _names(minors: Sequence[int]) -> list[str]:
    return [f"1.{minor}" for minor in minors]


def _plain_rule(rule: RuleCost) -> dict[str, Any]:
    at = rule.origin.resolve() if rule.origin else None
    return {
        "path": rule.path,
        "at": rule.at,
        "expression": rule.text,
        "location": str(at) if at else None,
        "limit": RULE,
        "estimates": [_plain_estimate(estimate) for estimate in rule.estimates],
        "refused_by": _names(rule.refused_by),
        "factors": [_plain_factor(factor) for factor in rule.factors],
        "complete": not rule.untold,
        **_plain_fit(rule.fit),
    }


def _plain_fit(fit: Fit | None) -> dict[str, Any]:
    if fit is None:
        return {}
    alone = [{**_plain_place(factor), "bound": bound} for factor, bound in fit.alone]
    together = {"bound": fit.together, "at": [_plain_place(factor) for factor in fit.missing]}
    return {"fits": {"alone": alone, "together": together}, "hopeless": _names(fit.hopeless)}


def _plain_estimate(estimate: Estimate) -> dict[str, Any]:
    return {
        "kubernetes": _names(estimate.minors),
        "evaluation": estimate.most,
        "times": estimate.count.most,
        "bounded": estimate.count.bounded,
        "cost": estimate.cost,
        "share": estimate.cost / RULE,
        "error": estimate.fault,
    }


def _plain_place(factor: Factor) -> dict[str, Any]:
    return {"at": shown(factor.steps), "schema": "".join(factor.steps), "keyword": factor.keyword}


def _plain_factor(factor: Factor) -> dict[str, Any]:
    return {**_plain_place(factor), "bound": factor.bound, "most": factor.most}
