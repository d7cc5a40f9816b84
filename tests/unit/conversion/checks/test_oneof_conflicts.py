"""Fields that become members of a oneof: conflicts are reported with a hint, which fixes them."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from tests.support.conversion import crd, fields, rules

Json = dict[str, Any]
TEXT: Json = {"type": "string"}
NAMES = ("image", "chart", "git")
ONE: Json = {"oneOf": [{"not": {"anyOf": [{"required": [name]} for name in NAMES]}},
                       *({"required": [name]} for name in NAMES)]}  # fmt: skip
PLAIN = fields(**dict.fromkeys(NAMES, TEXT))


def found(definition: Json, *there: Json) -> list[tuple[str, str, str]]:
    """Return the findings on rules from v1 to v2, whose reverse direction copies."""
    known = decode(definition).crd
    assert known is not None
    copied = [{"field": item["field"], "destination": item["destination"]} for item in there]
    problems = Problems()
    conversion = rules(("v1", "v2", list(there)), ("v2", "v1", copied))
    read = RuleReader(lambda at: Location("/".join(map(str, at))), problems).read(conversion)
    build_plan(known, problems, [read.replace(name=known.name)])
    return [(finding.rule, finding.message, finding.hint) for finding in problems.findings]


def guarded_rule(name: str, *others: str) -> Json:
    """Return a rule for a field that is only converted if others are absent."""
    there = " || ".join(f"has(root.spec.{other})" for other in others)
    text = f"{there} ? optional.none() : optional.of(self)"
    return {"field": f"spec.{name}", "destination": f"spec.{name}", "transformation": text}


def test_conflicting_oneof_members_are_reported_with_a_hint() -> None:
    ((rule, message, hint),) = found(crd(v1=PLAIN, v2={**PLAIN, **ONE}))
    assert rule == "conversion-narrowed"
    assert message == '"image", "chart" and "git" of "spec" exclude each other in v2, but v1 accepts several at once'
    assert '"has(root.spec.image) ? optional.none() : optional.of(self)"' in hint


def test_members_whose_expressions_exclude_each_other_do_not_conflict() -> None:
    definition = crd(v1=PLAIN, v2={**PLAIN, **ONE})
    assert found(definition, guarded_rule("chart", "image"), guarded_rule("git", "image", "chart")) == []
    ((_, message, _),) = found(definition, guarded_rule("chart", "image"))
    assert '"image" and "git" of "spec" exclude each other' in message


def test_members_of_a_oneof_in_both_versions_do_not_conflict() -> None:
    assert found(crd(v1={**PLAIN, **ONE}, v2={**PLAIN, **ONE})) == []
