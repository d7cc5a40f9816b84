"""Rules with random mistakes: each is a finding, and rules without errors compile."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.conversion.codegen.module_generator import generate_module
from protoc_gen_crd.conversion.converter import Converter
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.findings.severity_policy import has_error
from tests.conftest import ROOT
from tests.support.conversion import FOLDER, get_case
from tests.support.rule_mutations import mutate
from tests.support.yaml_data import load_yaml

SEEDS = range(12)
RULES = sorted(FOLDER.glob("*/rules.yaml"))
RECORDED = ROOT / "testdata" / "failures" / "plan-with-errors"


def judge(crd: Crd, rules: dict[str, Any]) -> bool:
    """Build a plan, and compile it if it has no error. Return true for an error."""
    problems = Problems()
    file = RuleReader(lambda _: Location(""), problems).read(rules).replace(name=crd.name)
    plan = build_plan(crd, problems, [file])
    failed = has_error(problems.findings, (), complete=True)
    if plan is not None:
        compile(generate_module(plan), "module", "exec")  # also with errors that a project has suppressed
    return failed


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.parent.name)
def test_mutated_rules_end_in_findings(path: Any) -> None:
    crd = get_case(path.parent.name).silent
    rules = load_yaml(path.read_text("utf-8"))
    for seed in SEEDS:
        judge(crd, mutate(rules, seed))


def test_mutations_of_rules_that_crashed() -> None:
    rules = load_yaml((RECORDED / "rules.yaml").read_text("utf-8"))
    crd = decode(load_yaml((RECORDED / "crd.yaml").read_text("utf-8"))).crd
    assert crd is not None
    assert judge(crd, rules)
    for seed in range(150):
        judge(crd, mutate(rules, seed))
    with pytest.raises(ValueError, match=r"spec\.groups"):
        Converter(crd, rules)


def test_an_unknown_key_is_reported() -> None:
    case = get_case("entry-expressions")
    rules = load_yaml((case.folder / "rules.yaml").read_text("utf-8"))
    for direction in rules["spec"]["conversions"]:
        for rule in direction["rules"]:
            if "key" in rule:
                rule["key"] = "{'key': 'self.name'}"
    problems = Problems()
    RuleReader(lambda _: Location(""), problems).read(rules)
    assert [finding.rule for finding in problems.findings] == ["conversion-rule"]
