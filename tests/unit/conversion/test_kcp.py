"""What kcp cannot do, found step by step."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.conversion.kcp import build_api_conversion
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.rule_file import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from tests.unit.conversion.rule_files.test_kcp_rules import TEXT, crd, rule, rules

OBJECT = {"type": "object", "properties": {"a": TEXT}}
NUMBER = {"type": "integer"}


def made(versions: dict[str, dict[str, Any]], *conversions: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The APIConversion of rules, and the rules of what is said of it."""
    problems = Problems()
    kind = decode(crd(**versions), lambda _: Location("crd.yaml")).crd
    assert kind is not None
    file = RuleReader(lambda _: Location("rules.yaml"), problems).read(rules(*conversions))
    plan = build_plan(kind, problems, [file])
    assert plan is not None
    assert problems.findings == []
    found = build_api_conversion(plan, "v1.widgets.example.io", problems)
    return found, [finding.rule for finding in problems.findings]


def both(there: list[dict[str, str]], back: list[dict[str, str]], **more: Any) -> list[dict[str, Any]]:
    return [{"from": "v1", "to": "v2", "rules": there}, {"from": "v2", "to": "v1", "rules": back, **more}]


def test_nothing_is_written_below_what_holds_a_value() -> None:
    ways = both([rule("spec.a", "spec.a.a")], [rule("spec.a.a", "spec.a")])
    _, said = made({"v1": {"a": TEXT}, "v2": {"a": OBJECT}}, *ways)
    assert said == ["kcp-unsupported"]


def test_what_has_moved_must_not_stand_in_the_way() -> None:
    ways = both([rule("spec.a", "spec.b")], [rule("spec.b", "spec.a")], preserve=["spec.a"])
    _, said = made({"v1": {"a": TEXT}, "v2": {"a": NUMBER, "b": TEXT}}, *ways)
    assert set(said) == {"kcp-unsupported"}


def test_values_may_change_places() -> None:
    ways = both(
        [rule("spec.a", "spec.b"), rule("spec.b", "spec.a")], [rule("spec.b", "spec.a"), rule("spec.a", "spec.b")]
    )
    found, said = made({"v1": {"a": TEXT, "b": TEXT}, "v2": {"a": TEXT, "b": TEXT}}, *ways)
    assert said == []
    assert [len(one["rules"]) for one in found["spec"]["conversions"]] == [2, 2]


def test_one_side_is_put_aside_at_a_time() -> None:
    there, back = both([], [], preserve=["spec.b"])
    _, said = made({"v1": {"a": TEXT}, "v2": {"b": TEXT}}, {**there, "preserve": ["spec.a"]}, back)
    assert said == ["kcp-loss"]


def test_three_versions_are_one_too_many() -> None:
    versions = {name: {"a": TEXT} for name in ("v1", "v2", "v3")}
    _, said = made(versions)
    assert said == ["kcp-versions"]


@pytest.mark.parametrize("name", ["widgets2", "v0", "v1.2"])
def test_versions_have_names_that_kcp_takes(name: str) -> None:
    _, said = made({"v1": {"a": TEXT}, name: {"a": TEXT}})
    assert said == ["kcp-name"]


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "array", "items": TEXT}, "self[0]"),
        (OBJECT, "self.a"),
        ({"type": "string", "format": "duration"}, "string(duration(self).getSeconds())"),
        (TEXT, "root.spec.a + 'x'"),
    ],
)
def test_expressions_that_kcp_does_not_compile(schema: dict[str, Any], text: str) -> None:
    ways = both([rule("spec.a", "spec.b", text)], [])
    _, said = made({"v1": {"a": schema}, "v2": {"b": TEXT}}, *ways)
    assert said[0] == "kcp-unsupported"


def test_what_is_dropped_stands_in_an_annotation() -> None:
    found, said = made({"v1": {"a": TEXT}, "v2": {"a": TEXT, "b": TEXT}}, *both([], [], drop=["spec.b"]))
    assert said == []
    assert found["metadata"]["annotations"] == {"example.io/conversion-drop": '{"v2": {"v1": ["spec.b"]}}'}
