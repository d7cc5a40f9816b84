"""A rule on its own: the result and the cost are those that servers have for the same rule in a CRD."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd import library
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST
from protoc_gen_crd.playground.inferred_schemas import infer_schema
from protoc_gen_crd.playground.rule_run import RuleResult, try_rule
from protoc_gen_crd.playground.rule_subjects import RuleSubject, find_subject
from protoc_gen_crd.playground.schema_paths import SchemaPathError, find_node, select_values
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.yaml.reader import read
from tests.conftest import ROOT

MINORS = range(OLDEST, NEWEST + 1)
ALL = f"1.{OLDEST}..1.{NEWEST}"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "replicas": {"type": "integer", "default": 3},
                "a.b": {"type": "string"},
                "ports": {
                    "type": "array",
                    "maxItems": 8,
                    "items": {"type": "object", "properties": {"number": {"type": "integer"}}},
                },
                "labels": {"type": "object", "additionalProperties": {"type": "string", "maxLength": 10}},
            },
        }
    },
}


def make_crd(schema: dict[str, Any], group: str = "acme.example") -> dict[str, Any]:
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    names = {"kind": "Widget", "plural": "widgets"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"widgets.{group}"},
        "spec": {"group": group, "names": names, "scope": "Cluster", "versions": [version]},
    }


def decode_crd(plain: dict[str, Any]) -> Crd:
    crd = decode(plain).crd
    assert crd is not None
    return crd


def widget(**spec: Any) -> dict[str, Any]:
    return {"apiVersion": "acme.example/v1", "kind": "Widget", "metadata": {"name": "one"}, "spec": spec}


def try_on(text: str, value: Any, reference: str = "", minors: range = MINORS) -> tuple[RuleResult, ...]:
    return try_rule(text, find_subject(value, [decode_crd(make_crd(SCHEMA))], reference), minors)[1]


def list_values(results: tuple[RuleResult, ...]) -> list[tuple[str, str]]:
    return [(value.path, value.value or value.error) for value in results[0].evaluations]


RULES = [
    ("spec", "self.replicas > 2", widget()),
    ("spec", "self.replicas > 2", widget(replicas=1)),
    ("spec", "has(self.labels) && self.labels.all(k, k != 'x')", widget(labels={"x": "y"})),
    ("spec", "self.ports.exists(p, p.number == 1)", widget(ports=[{"number": 1}, {}])),
    ("spec", "self.ports[0].number > 0", widget(ports=[])),
    ("spec.ports[]", "self.number < 10", widget(ports=[{"number": 1}, {"number": 20}])),
    ("spec.labels{}", "self.matches('^[a-z]+$')", widget(labels={"a": "b", "c": "D"})),
    ("spec", "ip(self.labels['ip']).family() == 4", widget(labels={"ip": "10.0.0.1"})),
    ("spec", "semver(self.labels['v']).major() >= 1", widget(labels={"v": "1.2.3"})),
    ("spec", "self.labels.all(a, self.labels.all(b, self.labels.all(c, a + b != c)))", widget()),
    ("spec", "self.replicas + 1", widget()),
    ("spec", "self.replica > 1", widget()),
    ("", "self.metadata.name == 'one'", widget()),
]


def with_rule(path: str, rule: str) -> dict[str, Any]:
    schema = json.loads(json.dumps(SCHEMA))
    node = schema
    for step in filter(None, path.replace("[]", ".[]").replace("{}", ".{}").split(".")):
        node = {"[]": node.get("items"), "{}": node.get("additionalProperties")}.get(step) or node["properties"][step]
    node["x-kubernetes-validations"] = [{"rule": rule}]
    return make_crd(schema)


@pytest.mark.parametrize(("path", "rule", "obj"), RULES)
def test_a_rule_alone_has_the_verdict_of_the_rule_in_its_crd(path: str, rule: str, obj: dict[str, Any]) -> None:
    crd = with_rule(path, rule)
    reference = f"Widget.{path}" if path else "Widget"
    costs = {
        minor: estimate.cost
        for estimate in library.estimate(crd, kubernetes=ALL)
        for minor in map(minor_of, estimate.kubernetes)
    }
    for result in try_on(rule, obj, reference):
        for minor in result.minors:
            kubernetes = f"1.{minor}"
            (admitted,) = library.admit(crd, kubernetes=kubernetes)
            assert admitted.accepted == (not result.errors and result.type == "bool"), kubernetes
            if admitted.accepted:
                (verdict,) = library.validate(obj, crd, kubernetes=kubernetes)
                assert verdict.accepted == all(value.value == "true" for value in result.evaluations), kubernetes
                assert costs[minor] == result.cost


def minor_of(kubernetes: str) -> int:
    return int(kubernetes.removeprefix("1."))


def list_rules(node: Schema, path: str) -> Iterator[tuple[str, str]]:
    yield from ((path, rule.rule) for rule in node.rules if "oldSelf" not in rule.rule)
    for name, child in node.properties.items():
        yield from list_rules(child, f"{path}.{name}")
    for inner, step in ((node.items, "[]"), (node.additional, "{}")):
        if isinstance(inner, Schema):
            yield from list_rules(inner, path + step)


def test_rules_of_an_example_have_the_estimates_of_their_crd() -> None:
    (crd,) = [decode_crd(document.value) for document in read(read_example("history/1.5/crds"))]
    estimates = {
        (estimate.rule, estimate.kubernetes): estimate.cost for estimate in library.estimate(crd, kubernetes=ALL)
    }
    rules = [entry for version in crd.versions if version.schema for entry in list_rules(version.schema, "Database")]
    assert rules
    for reference, rule in set(rules):
        for result in try_rule(rule, find_subject({}, [crd], reference), MINORS)[1]:
            matching = [
                cost for (text, names), cost in estimates.items() if text == rule and f"1.{result.minors[0]}" in names
            ]
            assert result.cost in matching


def read_example(folder: str) -> bytes:
    (file,) = Path(ROOT / "examples/evolving" / folder).glob("*.yaml")
    return file.read_bytes()


def test_values_are_those_after_pruning_and_defaults() -> None:
    assert list_values(try_on("self", widget(colour="red"), "Widget.spec")) == [("spec", '{"replicas": 3}')]


def test_each_item_is_evaluated() -> None:
    ports = [{"number": 1}, {"number": 2}]
    results = try_on("self.number > 1", widget(ports=ports), "Widget.spec.ports[]")
    assert list_values(results) == [("spec.ports[0]", "false"), ("spec.ports[1]", "true")]
    assert results[0].times == 8


def test_a_value_without_kind_is_the_one_at_the_location() -> None:
    assert list_values(try_on("self.number > 1", {"number": 4}, "Widget.spec.ports[*]")) == [("", "true")]
    assert list_values(try_on("self + 'x'", "a", "acme.example/Widget.spec.a.b")) == [("", '"ax"')]


def test_types_of_a_value_without_crd_are_its_own() -> None:
    value = {"a": 3, "b": [{"c": 1}, {"c": 2.5, "d": None}], "e": None}
    (result, *_) = try_rule("self.a > 1 && self.b[1].c == 2.5", find_subject(value, []), MINORS)[1]
    assert (result.type, result.evaluations[0].value) == ("bool", "true")
    (result, *_) = try_rule("self.a > 'x'", find_subject(value, []), MINORS)[1]
    assert result.errors[0].message == "found no matching overload for '_>_' applied to '(int, string)'"
    assert infer_schema([1, "x"]).items is not None


def test_versions_that_lack_a_function_reject_it() -> None:
    results = try_on("ip('10.0.0.1').family() == 4", widget())
    assert {minor for result in results if result.errors for minor in result.minors} == set(range(OLDEST, 31))


def test_macros_are_expanded_and_other_rules_stay_as_they_are() -> None:
    subject = find_subject({"a": 3}, [])
    assert try_rule("default(self.a, 1)>1", subject, MINORS)[0] == "(has(self.a) ? self.a : 1) > 1"
    assert try_rule("self.a>1", subject, MINORS)[0] == "self.a>1"
    assert "found 1 argument" in try_rule("default(self.a)", subject, MINORS)[1][0].errors[0].message


def test_a_transition_rule_is_not_evaluated() -> None:
    (result, *_) = try_on("self.replicas >= oldSelf.replicas", widget(), "Widget.spec")
    assert result.evaluations[0].error == "not evaluated: oldSelf has a value only on updates"


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("[dyn(1), dyn(2u), dyn(2.0), dyn(null)]", "[1, 2u, 2.0, null]"),
        ("{'b': dyn(b'x'), 'a': dyn(true)}", '{"a": true, "b": b"x"}'),
        ("duration('1h30m')", 'duration("5400s")'),
        ("timestamp('2026-01-02T03:04:05Z')", 'timestamp("2026-01-02T03:04:05Z")'),
        ("quantity('1Ki')", 'quantity("1Ki")'),
        ("[optional.of(1), optional.none()]", "[optional.of(1), optional.none()]"),
        ("type(1)", "int"),
        ("format.dns1123Label()", "<NamedFormat>"),
        (r"'</script>\u2028'", '"</script>\u2028"'),
    ],
)
def test_values_are_literals(text: str, literal: str) -> None:
    subject = RuleSubject(find_node(infer_schema({}), ""), {}, is_value=True)
    assert try_rule(text, subject, (NEWEST,))[1][0].evaluations[0].value == literal


@pytest.mark.parametrize("path", ["spec", "spec.replicas"])
def test_a_location_in_the_kind_of_the_object_needs_no_kind(path: str) -> None:
    assert try_on("self == self", widget(), path) == try_on("self == self", widget(), f"Widget.{path}")


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("spce", 'no field "spce" in kind "Widget"; did you mean "spec"?'),
        ("Wiget.spec", 'no CRD found for kind "Wiget"; did you mean "Widget"?'),
        ("acme.exmple/Widget", 'no CRD found for kind "Widget" in group "acme.exmple"; did you mean "acme.example"?'),
        ("Widget.spec.port", 'no field "port" in the path "spec.port"; did you mean "ports"?'),
        ("Widget.spec.replicas[]", '"spec.replicas" is neither a list nor a map'),
        ("Widget.spec.__proto__", 'no field "__proto__" in the path "spec.__proto__"'),
        (".", 'invalid location "."; expected KIND.PATH, such as Widget.spec.replicas'),
    ],
)
def test_wrong_locations_are_explained(reference: str, message: str) -> None:
    with pytest.raises(SchemaPathError) as caught:
        try_on("true", widget(), reference)
    assert str(caught.value) == message


def test_a_kind_of_several_groups_needs_its_group() -> None:
    crds = [decode_crd(make_crd(SCHEMA, group)) for group in ("acme.example", "Acme.example")]
    with pytest.raises(SchemaPathError, match=r"several groups: use one of acme\.example/Widget, Acme\.example/Widget"):
        find_subject({}, crds, "Widget")
    assert find_subject({}, crds, "Acme.example/Widget").is_value


def test_values_at_a_path_are_selected() -> None:
    value = {"a": [{"b": 1}, {}, {"b": 2}], "c": {"x": {"b": 3}}}
    assert list(select_values(value, ("a", None, "b"))) == [("a[0].b", 1), ("a[2].b", 2)]
    assert list(select_values(value, ("c", None, "b"))) == [("c[x].b", 3)]
