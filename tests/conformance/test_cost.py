"""Estimated costs against those of API servers, to the unit: of single expressions, and of all rules of CRDs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.cost_limit_errors import RuleExpression
from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator, SchemaCost
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.cost.cost_estimate import estimate
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.kubernetes.api_server_limits import RULE_COST
from tests.conformance.crd_verdicts import listed
from tests.conformance.tables import recorded, table
from tests.judges.celtypes.ours import declared_in, surroundings

EXPECTED_FAILURES = Path(__file__).with_name("expected_cost_failures.txt")
Rows = dict[str, Any]


def expected_failures(minor: int, group: str) -> set[str]:
    """Return the names of the expected differences of a version."""
    return {
        name for name, versions in listed(EXPECTED_FAILURES).items() if minor in versions and name.startswith(group)
    }


def describe(expression: RuleExpression) -> Rows:
    rule = expression.path.endswith(".rule")
    description = {
        "path": expression.path,
        "expr": expression.text.strip() if rule else expression.text,
        "max": expression.max_cost,
        "cardinality": expression.cardinality.maximum,
        "bounded": expression.cardinality.is_bounded,
        "cost": expression.cost,
        "over": expression.cost > RULE_COST or None,
        "error": expression.error,
    }
    return {key: value for key, value in description.items() if value is not None}


def schema(cost: SchemaCost) -> Rows:
    rules = sorted([describe(expression) for expression in cost.expressions], key=lambda rule: str(rule["path"]))
    return {"path": cost.path, "versions": list(cost.versions), "total": cost.total, "rules": rules}


def answered(answer: Rows) -> list[Rows]:
    """The schemas of an answer that have rules, these in the order of their paths."""
    schemas = [
        {**schema, "rules": sorted(schema["rules"], key=lambda rule: str(rule["path"]))} for schema in answer["schemas"]
    ]
    return [schema for schema in schemas if schema["rules"]]


@pytest.mark.parametrize("minor", recorded("cost"))
def test_rules_of_crds(minor: int) -> None:
    wrong = {}
    for row in table("cost", minor):
        crd = decode(row.input["crd"]).crd
        assert crd is not None
        ((_, estimates),) = RuleEstimator().estimate_schemas(crd, [minor])
        ours = [schema(estimated) for estimated in estimates]
        if ours != answered(row.answers[0]):
            wrong[row.id] = ours, answered(row.answers[0])
    assert wrong.keys() == expected_failures(minor, "cost/")


@pytest.mark.parametrize("minor", recorded("cel"))
def test_expressions(minor: int) -> None:
    wrong, judged = {}, 0
    for row in table("cel", minor):
        theirs = row.answers[0].get("estimate")
        within, variables = surroundings(row.input, minor)
        compiled = compile_text(row.input["expr"], within, variables)
        if theirs is None or not isinstance(compiled, CheckedAst):
            continue  # test_cel.py compares compilation errors
        judged += 1
        ours = list(estimate(compiled, within.minor, declared_in(row.input, minor)))
        if ours != theirs:
            wrong[row.id] = row.input["expr"], ours, theirs
    assert judged > 350
    assert wrong.keys() == expected_failures(minor, "cel/")
