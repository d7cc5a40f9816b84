"""Costs of rules as text for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.rules.bound_suggestions import BoundSuggestion
from protoc_gen_crd.admission.crd.rules.cost_factors import CostFactor, format_object_path
from protoc_gen_crd.admission.crd.rules.cost_limit_errors import ONCE
from protoc_gen_crd.admission.crd.rules.cost_report import RuleCost, RuleEstimate, SchemaCostReport
from protoc_gen_crd.base.escapes import terminal_line
from protoc_gen_crd.kubernetes.api_server_limits import RULE_COST, SCHEMA_COST
from protoc_gen_crd.kubernetes.supported_versions import format_minors

_COST, _SHARE = 26, 10  # columns: a number of 64 bits, its share
_WIDTH = 100  # of a rule
_INDENT = " " * (_COST + _SHARE + 4)
_UNITS = {"maxItems": "items", "maxProperties": "entries", "maxLength": "bytes"}


def render_text(reports: Sequence[SchemaCostReport]) -> str:
    """Render a table for each schema: a row for each rule, followed by its details."""
    blocks = ["\n".join(map(terminal_line, _format_schema(report))) + "\n" for report in reports]
    return "\n".join(blocks) if blocks else "no CRD with rules\n"


def _format_schema(spending: SchemaCostReport) -> Iterator[str]:
    yield f"{spending.crd_name} {', '.join(spending.versions)}: {spending.path}"
    yield f"{'COST':>{_COST}}  {'OF LIMIT':>{_SHARE}}  RULE"
    for rule in spending.rules:
        yield from _format_rule(rule)
    newest = max(spending.totals)
    yield _format_row(spending.totals[newest], SCHEMA_COST, "total")
    for minors, total in _group_rules(spending):
        if total != spending.totals[newest]:
            yield f"{_INDENT}{format_minors(minors)}: total {total:,}"
    if spending.skipped:
        rules = f"{spending.skipped} rule{'s' * (spending.skipped != 1)}"
        yield f"{_INDENT}not estimated because of schema errors: {rules}; see `validate`"
    if spending.rejected_by:
        yield (
            f"{_INDENT}rejected by Kubernetes {format_minors(spending.rejected_by)}: "
            f"the total exceeds the limit of {SCHEMA_COST:,}"
        )
    if spending.suggestion is not None:
        yield from (f"{_INDENT}{line}" for line in _format_fit(spending.suggestion))
    if incomplete := sum([rule.is_incomplete for rule in spending.rules]):
        rules = f"{incomplete:,} rule{'s' * (incomplete != 1)}"
        yield f"{_INDENT}too many rules to analyze {rules} completely: fix the most expensive rule and rerun"
    elif spending.rejected_by and spending.suggestion is None:
        yield f"{_INDENT}too many rules to suggest bounds: fix the most expensive rule and rerun"


def _group_rules(spending: SchemaCostReport) -> list[tuple[list[int], int]]:
    groups: dict[int, list[int]] = {}
    for minor, total in spending.totals.items():
        groups.setdefault(total, []).append(minor)
    return [(minors, total) for total, minors in groups.items()]


def _format_row(cost: int, limit: int, label: str) -> str:
    return f"{cost:>{_COST},}  {_format_share(cost, limit):>{_SHARE}}  {label}"


def _format_share(cost: int, limit: int) -> str:
    times = cost / limit
    if times < 10:
        return f"{times:.1%}"
    return f"{times:,.0f} x" if times < 1_000_000 else f"{times:.1e} x"


def _format_rule(rule: RuleCost) -> Iterator[str]:
    first, *others = rule.estimates
    member = rule.path.rpartition(".")[2]
    text = " ".join(rule.text.split())
    text = text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"
    yield _format_row(
        first.cost,
        RULE_COST,
        f"{rule.object_path}: {text}" if member == "rule" else f"{rule.object_path}, {member}: {text}",
    )
    yield from (f"{_INDENT}{line}" for line in _format_details(rule, first, others))


def _format_details(rule: RuleCost, first: RuleEstimate, others: Sequence[RuleEstimate]) -> Iterator[str]:
    """Yield the details of a rule."""
    if first.error is not None or first.cardinality != ONCE:
        yield _format_product(first)
    for factor in rule.factors:
        yield _format_factor(factor)
    alike: dict[str, list[int]] = {}
    for estimate in others:
        cost = f"{estimate.cost:,} = " if estimate.error is None and estimate.cardinality != ONCE else ""
        alike.setdefault(f"{cost}{_format_product(estimate)}", []).extend(estimate.minors)
    yield from (f"{format_minors(sorted(minors))}: {text}" for text, minors in alike.items())
    if rule.rejected_by:
        yield f"rejected by Kubernetes {format_minors(rule.rejected_by)}"
    if rule.suggestion is not None:
        yield from _format_fit(rule.suggestion)


def _format_product(estimate: RuleEstimate) -> str:
    if estimate.error is not None:
        return estimate.error.partition("\n")[0]
    if estimate.cardinality == ONCE:
        return f"{estimate.max_cost:,}"
    bound = "" if estimate.cardinality.is_bounded else ", limited only by the request size"
    return f"{estimate.max_cost:,} per value, {estimate.cardinality.maximum:,} values{bound}"


def _format_factor(factor: CostFactor) -> str:
    bound = f"no {factor.keyword}" if factor.bound is None else f"{factor.keyword} {factor.bound:,}"
    return f"{format_object_path(factor.steps)} has {bound}: {factor.size:,} {_UNITS[factor.keyword]}"


def _format_fit(fit: BoundSuggestion) -> Iterator[str]:
    if fit.single_bounds:
        bounds = [
            f"{factor.keyword} {bound:,} at {format_object_path(factor.steps)}" for factor, bound in fit.single_bounds
        ]
        yield f"within the limit with {', or with '.join(bounds)}{_format_untried(fit)}"
    elif fit.common_bound:
        missing = [f"{factor.keyword} at {format_object_path(factor.steps)}" for factor in fit.missing_bounds]
        none = "" if fit.skipped_factors else "no single bound, but with "
        yield f"within the limit with {none}{fit.common_bound:,} for each of {', '.join(missing)}{_format_untried(fit)}"
    if fit.unfixable_minors:
        yield f"no bounds suffice for Kubernetes {format_minors(fit.unfixable_minors)}: simplify the rule"


def _format_untried(fit: BoundSuggestion) -> str:
    return f"; {fit.skipped_factors:,} were not tried individually" if fit.skipped_factors else ""


def render_json(reports: Sequence[SchemaCostReport]) -> str:
    """Render the same data as JSON."""
    return json.dumps([_encode_schema(report) for report in reports], indent=2, ensure_ascii=False) + "\n"


def _encode_schema(spending: SchemaCostReport) -> dict[str, Any]:
    return {
        "crd": spending.crd_name,
        "path": spending.path,
        "versions": list(spending.versions),
        "limit": SCHEMA_COST,
        "totals": [
            {"kubernetes": _format_versions(minors), "total": total} for minors, total in _group_rules(spending)
        ],
        "rejected_by": _format_versions(spending.rejected_by),
        "skipped": spending.skipped,
        **_encode_fit(spending.suggestion),
        "rules": [_encode_rule(rule) for rule in spending.rules],
    }


def _format_versions(minors: Sequence[int]) -> list[str]:
    return [f"1.{minor}" for minor in minors]


def _encode_rule(rule: RuleCost) -> dict[str, Any]:
    at = rule.origin.resolve() if rule.origin else None
    return {
        "path": rule.path,
        "at": rule.object_path,
        "expression": rule.text,
        "location": str(at) if at else None,
        "limit": RULE_COST,
        "estimates": [_encode_estimate(estimate) for estimate in rule.estimates],
        "rejected_by": _format_versions(rule.rejected_by),
        "factors": [_encode_factor(factor) for factor in rule.factors],
        "complete": not rule.is_incomplete,
        **_encode_fit(rule.suggestion),
    }


def _encode_fit(fit: BoundSuggestion | None) -> dict[str, Any]:
    if fit is None:
        return {}
    alone = [{**_encode_factor_place(factor), "bound": bound} for factor, bound in fit.single_bounds]
    together = {"bound": fit.common_bound, "at": [_encode_factor_place(factor) for factor in fit.missing_bounds]}
    return {
        "fits": {"alone": alone, "together": together},
        "unfixable_versions": _format_versions(fit.unfixable_minors),
    }


def _encode_estimate(estimate: RuleEstimate) -> dict[str, Any]:
    return {
        "kubernetes": _format_versions(estimate.minors),
        "evaluation": estimate.max_cost,
        "times": estimate.cardinality.maximum,
        "bounded": estimate.cardinality.is_bounded,
        "cost": estimate.cost,
        "share": estimate.cost / RULE_COST,
        "error": estimate.error,
    }


def _encode_factor_place(factor: CostFactor) -> dict[str, Any]:
    return {"at": format_object_path(factor.steps), "schema": "".join(factor.steps), "keyword": factor.keyword}


def _encode_factor(factor: CostFactor) -> dict[str, Any]:
    return {**_encode_factor_place(factor), "bound": factor.bound, "most": factor.size}
