"""Rules of kcp's converter, on CRDs that were not generated from protos: read, checked, and applied."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd import Converter
from protoc_gen_crd.conversion.proof.prover import Prover

NAMES = {"kind": "Widget", "listKind": "WidgetList", "plural": "widgets", "singular": "widget"}
TEXT = {"type": "string"}
V1 = {"firstName": TEXT, "lastName": TEXT}
V2 = {
    "name": {"type": "object", "properties": {"first": TEXT, "last": TEXT, "lastUpper": TEXT}},
    "someNewField": TEXT,
}


def crd(**versions: dict[str, Any]) -> dict[str, Any]:
    """A CRD with these fields of spec; the first version is stored."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.io"},
        "spec": {
            "group": "example.io",
            "names": NAMES,
            "scope": "Cluster",
            "versions": [
                {"name": name, "served": True, "storage": not index, "schema": {"openAPIV3Schema": _root(fields)}}
                for index, (name, fields) in enumerate(versions.items())
            ],
        },
    }


def _root(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}


def rules(*conversions: dict[str, Any]) -> dict[str, Any]:
    """An APIConversion under the name of a schema."""
    return {
        "apiVersion": "apis.kcp.io/v1alpha1",
        "kind": "APIConversion",
        "metadata": {"name": "v1.widgets.example.io"},
        "spec": {"conversions": list(conversions)},
    }


def rule(field: str, destination: str, transformation: str = "") -> dict[str, str]:
    row = {"field": field, "destination": destination}
    return {**row, "transformation": transformation} if transformation else row


THERE = {
    "from": "v1",
    "to": "v2",
    "rules": [
        rule(".spec.firstName", ".spec.name.first"),
        rule(".spec.lastName", ".spec.name.last", "self"),
        rule(".spec.lastName", ".spec.name.lastUpper", "self.upperAscii()"),
    ],
}
BACK = {
    "from": "v2",
    "to": "v1",
    "rules": [rule(".spec.name.first", ".spec.firstName"), rule(".spec.name.last", ".spec.lastName")],
    "preserve": [".spec.someNewField"],
}


def widget(version: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": f"example.io/{version}", "kind": "Widget", "metadata": {"name": "a"}, "spec": spec}


def test_two_rules_may_read_one_field() -> None:
    converter = Converter(crd(v1=V1, v2=V2), rules(THERE, BACK))
    old = widget("v1", firstName="bob", lastName="smith")
    new = converter.convert(old, "v2")
    assert new["spec"] == {"name": {"first": "bob", "last": "smith", "lastUpper": "SMITH"}}
    assert converter.convert(new, "v1") == old


def test_the_source_of_a_one_way_rule_is_restored() -> None:
    converter = Converter(crd(v1=V1, v2=V2), rules(THERE, BACK))
    obj = widget("v2", name={"first": "bob", "last": "smith", "lastUpper": "Smith!"}, someNewField="new")
    old = converter.convert(obj, "v1")
    assert old["spec"] == {"firstName": "bob", "lastName": "smith"}
    assert converter.convert(old, "v2") == obj


def test_a_field_that_an_expression_changes_in_one_direction_is_copied_back() -> None:
    there = {"from": "v1", "to": "v2", "rules": [rule("spec.name", "spec.name", "self.upperAscii()")]}
    for preserved in ({}, {"preserve": ["spec.name"]}):
        kind = Converter(crd(v1={"name": TEXT}, v2={"name": TEXT}), rules(there | preserved, back(there)))
        assert kind.convert(widget("v2", name="Bob"), "v1")["spec"] == {"name": "Bob"}
        converted = kind.convert(widget("v1", name="Bob"), "v2")
        assert converted["spec"] == {"name": "BOB"}
        assert kind.convert(converted, "v1") == widget("v1", name="Bob")
        assert kind.convert({**converted, "spec": {"name": "Ann"}}, "v1")["spec"] == {"name": "Ann"}


REUSED = {
    "from": "v2", "to": "v1", "rules": [rule("spec.title", "spec.name")], "preserve": ["spec.name"],
}  # fmt: skip


def test_a_moved_field_is_also_copied_unless_another_field_has_its_name() -> None:
    """Like kcp's converter, which copies whole objects; conversion data takes precedence."""
    there = {"from": "v1", "to": "v2", "rules": [rule("spec.name", "spec.title")]}
    kind = Converter(crd(v1={"name": TEXT}, v2={"name": TEXT, "title": TEXT}), rules(there, REUSED))
    old = widget("v1", name="Bob")
    converted = kind.convert(old, "v2")
    assert converted["spec"] == {"name": "Bob", "title": "Bob"}
    assert kind.convert(converted, "v1") == old
    for spec in ({"name": "x", "title": "Bob"}, {"title": "Bob"}, {"name": "x"}):
        new = widget("v2", **spec)
        poor = kind.convert(new, "v1")
        assert poor["spec"] == ({"name": "Bob"} if "title" in spec else {})
        assert kind.convert(poor, "v2") == new
        poor["spec"] = {"name": "Ann"}
        assert kind.convert(poor, "v2")["spec"] == {**{name: spec[name] for name in spec}, "title": "Ann"}
    for proof in Prover(60, 1).prove(kind.plan, kind.convert):
        assert proof.violations == ()


def test_fields_of_one_name_and_different_types_are_not_copied() -> None:
    there = {"from": "v1", "to": "v2", "rules": [rule("spec.name", "spec.title")]}
    for known in ({"type": "integer"}, {"type": "string", "enum": ["a"]}, {"type": "array", "items": TEXT}):
        kind = Converter(crd(v1={"name": TEXT}, v2={"name": known, "title": TEXT}), rules(there, REUSED))
        assert kind.convert(widget("v1", name="Bob"), "v2")["spec"] == {"title": "Bob"}


def back(there: dict[str, Any]) -> dict[str, Any]:
    """A direction without rules."""
    return {"from": there["to"], "to": there["from"], "rules": []}


def test_a_copy_whose_reverse_is_an_expression() -> None:
    results = {"from": "v1", "to": "v2", "rules": [rule("spec.a", "spec.b")]}
    two = {"from": "v2", "to": "v1", "rules": [rule("spec.b", "spec.a", "self.lowerAscii()")]}
    converter = Converter(crd(v1={"a": TEXT}, v2={"b": TEXT}), rules(results, two))
    new = converter.convert(widget("v1", a="Big"), "v2")
    assert new["spec"] == {"b": "Big"}
    assert converter.convert(new, "v1") == widget("v1", a="Big")  # from conversion data
    assert converter.convert(widget("v2", b="Big"), "v1")["spec"] == {"a": "big"}


@pytest.mark.parametrize(
    ("direction", "message"),
    [
        ({"from": "v1", "to": "v9", "rules": []}, 'unknown version "v9"'),
        ({"from": "v1", "to": "v2", "rules": [rule("spec.x", "spec.name.first")]}, 'no field "x" in "spec" of v1'),
        (
            {"from": "v1", "to": "v2", "rules": [rule("spec.firstName", "spec.nowhere")]},
            'no field "nowhere" in "spec" of v2',
        ),
        ({"from": "v1", "to": "v2", "rules": [rule("spec.firstName", "spec.someNewField", "self +")]}, "Syntax error"),
        ({"from": "v1", "to": "v2", "rules": [rule("spec.firstName", "spec.someNewField", "self.size()")]}, "int"),
        (
            {"from": "v1", "to": "v2", "rules": [{"field": "", "destination": "spec.a"}]},
            'path is not a string, or empty: ""',
        ),
    ],
)
def test_rules_that_only_fail_in_kcp_are_rejected(direction: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        Converter(crd(v1=V1, v2=V2), rules(direction, BACK))
    assert message in str(caught.value)


def listed(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def mapped(values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": values}


def object_with(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": [*fields][:1]}


A, B = object_with(a=TEXT), object_with(b=TEXT)
NESTED = {
    "lists in lists": ("grid[][].a", listed(listed(A)), "grid[][].b", listed(listed(B))),
    "under another name": ("grid[i][j].a", listed(listed(A)), "rows[][].b", listed(listed(B))),
    "what one of them has": (
        "grid[][].a",
        listed(listed(object_with(a=TEXT, c=TEXT))),
        "rows[][].b",
        listed(listed(B)),
    ),
    "values in lists": ("grid[][]", listed(listed(TEXT)), "grid[][].b", listed(listed(B))),
    "lists in maps": ("grid[key][].a", mapped(listed(A)), "rows[key][].b", mapped(listed(B))),
    "maps in maps": ("grid[key][key].a", mapped(mapped(A)), "grid[key][key].b", mapped(mapped(B))),
    "lists in objects": ("grid[][].a", listed(listed(A)), "rows[].of[].b", listed(object_with(of=listed(B)))),
}


@pytest.mark.parametrize("what", NESTED)
def test_nested_lists_and_maps(what: str) -> None:
    candidate, first, two, second = NESTED[what]
    there = {"from": "v1", "to": "v2", "rules": [rule(f"spec.{candidate}", f"spec.{two}")], "preserve": []}
    again = {"from": "v2", "to": "v1", "rules": [rule(f"spec.{two}", f"spec.{candidate}")]}
    if what == "what one of them has":
        there["preserve"] = ["spec.grid[][].c"]
    names = candidate.partition("[")[0], two.partition("[")[0]
    kind = Converter(crd(v1={names[0]: first}, v2={names[1]: second}), rules(there, again))
    for proof in Prover(40, 1).prove(kind.plan, kind.convert):
        assert proof.violations == ()
        assert proof.count > 5
