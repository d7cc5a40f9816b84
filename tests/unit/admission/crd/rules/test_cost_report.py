"""Cost factors of a rule whose sizes the versions estimate differently."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.cost_report import report_costs
from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator
from tests.unit.admission.crd_factory import crd, spec


@pytest.mark.parametrize(("minors", "keywords"), [((33,), []), ((34,), ["maxLength"]), ((33, 34), ["maxLength"])])
def test_factors_are_those_of_the_newest_version(minors: tuple[int, ...], keywords: list[str]) -> None:
    field: dict[str, Any] = {"x-kubernetes-int-or-string": True}  # whose maxLength counts from 1.34 on
    field["x-kubernetes-validations"] = [{"rule": "type(self) == int"}]
    (schema,) = report_costs(crd(spec(a=field)), minors, RuleEstimator())
    assert [factor.keyword for factor in schema.rules[0].factors] == keywords
