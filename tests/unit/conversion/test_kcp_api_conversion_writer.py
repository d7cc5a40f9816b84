"""Steps that kcp does not support, each reported."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.conversion.kcp_api_conversion_writer import build_api_conversion
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from tests.unit.conversion.rule_files.test_kcp_rules import TEXT, crd, rule, rules

OBJECT = {"type": "object", "properties": {"a": TEXT}}
NUMBER = {"type": "integer"}


def convert_rules(
    versions: dict[str, dict[str, Any]], *conversions: dict[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return the APIConversion of rules, and the ids of its findings."""
    problems = Problems()
    kind = decode(crd(**versions), lambda _: Location("crd.yaml")).crd
    assert kind is not None
    file = RuleReader(lambda _: Location("rules.yaml"), problems).read(rules(*conversions))
    plan = build_plan(kind, problems, [file])
    assert plan is not None
    assert problems.findings == []
    api_conversion = build_api_conversion(plan, "v1.widgets.example.io", problems)
    return api_conversion, [finding.rule for finding in problems.findings]


def both(there: list[dict[str, str]], back: list[dict[str, str]], **more: Any) -> list[dict[str, Any]]:
    return [{"from": "v1", "to": "v2", "rules": there}, {"from": "v2", "to": "v1", "rules": back, **more}]


def test_a_field_below_a_scalar_is_unsupported() -> None:
    ways = both([rule("spec.a", "spec.a.a")], [rule("spec.a.a", "spec.a")])
    _, reported = convert_rules({"v1": {"a": TEXT}, "v2": {"a": OBJECT}}, *ways)
    assert reported == ["kcp-unsupported"]


def test_a_field_of_another_type_under_the_name_of_a_moved_one_is_unsupported() -> None:
    ways = both([rule("spec.a", "spec.b")], [rule("spec.b", "spec.a")], preserve=["spec.a"])
    _, reported = convert_rules({"v1": {"a": TEXT}, "v2": {"a": NUMBER, "b": TEXT}}, *ways)
    assert set(reported) == {"kcp-unsupported"}


def test_two_fields_can_be_swapped() -> None:
    ways = both(
        [rule("spec.a", "spec.b"), rule("spec.b", "spec.a")], [rule("spec.b", "spec.a"), rule("spec.a", "spec.b")]
    )
    result, reported = convert_rules({"v1": {"a": TEXT, "b": TEXT}, "v2": {"a": TEXT, "b": TEXT}}, *ways)
    assert reported == []
    assert [len(conversion["rules"]) for conversion in result["spec"]["conversions"]] == [2, 2]


def test_kcp_preserves_values_of_one_version_at_a_time() -> None:
    there, back = both([], [], preserve=["spec.b"])
    _, reported = convert_rules({"v1": {"a": TEXT}, "v2": {"b": TEXT}}, {**there, "preserve": ["spec.a"]}, back)
    assert reported == ["kcp-loss"]


def test_kcp_rejects_three_versions() -> None:
    versions = {name: {"a": TEXT} for name in ("v1", "v2", "v3")}
    _, reported = convert_rules(versions)
    assert reported == ["kcp-versions"]


@pytest.mark.parametrize("name", ["widgets2", "v0", "v1.2"])
def test_version_names_that_kcp_rejects_are_reported(name: str) -> None:
    _, reported = convert_rules({"v1": {"a": TEXT}, name: {"a": TEXT}})
    assert reported == ["kcp-name"]


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
    _, reported = convert_rules({"v1": {"a": schema}, "v2": {"b": TEXT}}, *ways)
    assert reported[0] == "kcp-unsupported"


def test_dropped_fields_are_listed_in_an_annotation() -> None:
    result, reported = convert_rules({"v1": {"a": TEXT}, "v2": {"a": TEXT, "b": TEXT}}, *both([], [], drop=["spec.b"]))
    assert reported == []
    assert result["metadata"]["annotations"] == {"example.io/conversion-drop": '{"v2": {"v1": ["spec.b"]}}'}
