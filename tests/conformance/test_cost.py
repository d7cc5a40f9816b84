"""Estimated costs against those of API servers, to the unit: of single expressions, and of all rules of CRDs.

In `testdata/verdicts`, the tables of 1.37 are whole; an older version's hold what differs from the next newer one that
was recorded. Expressions are those of `cel.jsonl`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.admission.crd.costs import Expression
from protoc_gen_crd.admission.crd.estimates import Estimator, SchemaCost
from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.cost.estimate import estimate
from protoc_gen_crd.cel.cost.limits import RULE
from protoc_gen_crd.crd.decode import decode
from tests.judges.celtypes.ours import declared_in, surroundings

VERDICTS = Path(__file__).parents[2] / "testdata" / "verdicts"
MINORS = (37, 35, 32, 29)
Rows = dict[str, Any]


def lines(minor: int, name: str) -> list[Rows]:
    return [json.loads(line) for line in (VERDICTS / f"1.{minor}" / name).read_text("utf-8").splitlines()]


@cache
def of_crds(minor: int) -> Rows:
    """Answers by id."""
    newer = [each for each in MINORS if each > minor]
    return {**(of_crds(newer[-1]) if newer else {}), **{row["id"]: row["answer"] for row in lines(minor, "cost.jsonl")}}


@cache
def of_expressions(minor: int) -> Rows:
    """Estimates by id, None for what does not compile."""
    if minor >= 35:
        return {row["id"]: row["answer"].get("estimate") for row in lines(minor, "cel.jsonl")}
    newer = min(each for each in MINORS if each > minor)
    return {**of_expressions(newer), **{row["id"]: row["estimate"] for row in lines(minor, "estimates.jsonl")}}


def told(expression: Expression) -> Rows:
    rule = expression.path.endswith(".rule")
    made = {
        "path": expression.path,
        "expr": expression.text.strip() if rule else expression.text,
        "max": expression.most,
        "cardinality": expression.count.most,
        "bounded": expression.count.bounded,
        "cost": expression.cost,
        "over": expression.cost > RULE or None,
        "error": expression.fault,
    }
    return {key: value for key, value in made.items() if value is not None}


def schema(cost: SchemaCost) -> Rows:
    rules = sorted([told(expression) for expression in cost.expressions], key=lambda rule: str(rule["path"]))
    return {"path": cost.path, "versions": list(cost.versions), "total": cost.total, "rules": rules}


def answered(answer: Rows) -> list[Rows]:
    """The schemas of an answer that have rules, these in the order of their paths."""
    found = [{**each, "rules": sorted(each["rules"], key=lambda rule: str(rule["path"]))} for each in answer["schemas"]]
    return [each for each in found if each["rules"]]


@pytest.mark.parametrize("minor", MINORS)
def test_rules_of_crds(minor: int) -> None:
    inputs = {row["id"]: row["input"]["crd"] for row in lines(37, "cost.jsonl")}
    assert len(inputs) == 95
    wrong = {}
    for name, answer in of_crds(minor).items():
        crd = decode(inputs[name]).crd
        assert crd is not None
        ours = [schema(each) for each in Estimator().schemas(crd, minor)]
        if ours != answered(answer):
            wrong[name] = ours, answered(answer)
    assert not wrong


@pytest.mark.parametrize("minor", MINORS)
def test_expressions(minor: int) -> None:
    requests = {row["id"]: row["input"] for row in lines(37, "cel.jsonl")}
    assert len(requests) == 700
    wrong = {}
    for name, theirs in of_expressions(minor).items():
        within, variables = surroundings(requests[name], minor)
        found = compiled(requests[name]["expr"], within, variables)
        if theirs is None or not isinstance(found, Checked):
            continue  # whether it compiles is told in test_cel.py
        ours = list(estimate(found, within, declared_in(requests[name], minor)))
        if ours != theirs:
            wrong[name] = requests[name]["expr"], ours, theirs
    assert not wrong


def test_most_expressions_are_estimated() -> None:
    assert sum(each is not None for each in of_expressions(37).values()) > 550
