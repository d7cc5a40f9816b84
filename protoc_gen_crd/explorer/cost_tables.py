"""The estimated costs of the rules of a kind by Kubernetes version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.admission.crd.rules.cost_report import RuleCost, SchemaCostReport, report_costs
from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.api_server_limits import SCHEMA_COST
from protoc_gen_crd.kubernetes.supported_versions import format_minors


def make_cost_tables(crd: Crd, minors: Sequence[int], estimator: RuleEstimator) -> list[dict[str, Any]]:
    """Return a table for each schema of a CRD: its versions, its rules, and the total cost of all rules."""
    return [_make_table(report) for report in report_costs(crd, minors, estimator, effort=0)]


def _make_table(report: SchemaCostReport) -> dict[str, Any]:
    totals: dict[int, list[int]] = {}
    for minor, total in sorted(report.totals.items(), reverse=True):
        totals.setdefault(total, []).append(minor)
    return {
        "versions": list(report.versions),
        "rules": [_make_rule(rule) for rule in report.rules],
        "totals": [
            [format_minors(sorted(minors)), total, int(total > SCHEMA_COST)] for total, minors in totals.items()
        ],
    }


def _make_rule(rule: RuleCost) -> list[Any]:
    """Return the path of a rule, its expression, and its estimates: versions, cost, and the reason of a rejection."""
    estimates = [
        [format_minors(estimate.minors), estimate.cost, estimate.error or ("" if not estimate.rejected else "rejected")]
        for estimate in rule.estimates
    ]
    return [rule.object_path, rule.text, estimates]
