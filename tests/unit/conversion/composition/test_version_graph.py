"""Composed conversions: every version may be the hub, and two steps are combined."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from protoc_gen_crd import Converter
from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.composition.cel_substitution import substitute_self
from protoc_gen_crd.conversion.composition.field_counterparts import OTHER_DEFAULT
from protoc_gen_crd.conversion.composition.step_composition import compose_members
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from tests.support.conversion import LIST_KEYS, UNSERVED, bare, get_case

REPORTED = (UNSERVED, LIST_KEYS, "conversion-narrowed")
HUBS = [(name, hub) for name in ("chains", "chains-of-parts") for hub in ("v1alpha1", "v1alpha2", "v1beta1")]


@pytest.mark.parametrize(("name", "hub"), [hub for hub in HUBS if hub != ("chains-of-parts", "v1alpha2")])
def test_any_version_can_be_the_hub(name: str, hub: str) -> None:
    case, problems = get_case(name), Problems()
    plan = build_plan(case.crd.replace(hub=hub), problems)
    assert plan is not None
    assert problems.findings == []
    assert [
        proof.violations
        for proof in Prover(60, 1).prove(plan, load_converter(plan, str(case.folder)))
        if proof.violations
    ] == []


VERSIONS = ("v1alpha1", "v1alpha2", "v1beta1", "v1")


@pytest.mark.parametrize("spelling", ["options", "rules"])
@pytest.mark.parametrize(
    ("name", "hub"), [*(("chains-of-shapes", name) for name in VERSIONS), ("chains-of-names", "v1beta1")]
)
def test_objects_convert_equally_through_any_hub(name: str, hub: str, spelling: str) -> None:
    case, problems = get_case(name), Problems()
    rules, crd = ([case.rules], case.silent) if spelling == "rules" and case.rules else ([], case.crd)
    plan = build_plan(crd.replace(hub=hub), problems, rules)
    assert plan is not None
    assert [finding for finding in problems.findings if finding.severity is None and finding.rule not in REPORTED] == []
    convert = load_converter(plan)
    for source, expected, _ in case.conversions():
        result = convert(source, expected["apiVersion"].rpartition("/")[2])
        assert bare(result) == expected
        assert convert(result, source["apiVersion"].rpartition("/")[2]) == source


Json = dict[str, Any]
Direction = tuple[str, str, Sequence[tuple[str, ...]], list[str]]
TEXT, WHOLE = {"type": "string"}, {"type": "integer", "format": "int64"}


def crd(versions: dict[str, Json], hub: str) -> Json:
    """Return a CRD of versions by the fields of their specs."""
    names = {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.io"},
        "spec": {
            "group": "example.io",
            "names": names,
            "scope": "Namespaced",
            "versions": [
                {"name": name, "served": True, "storage": name == hub, "schema": {"openAPIV3Schema": schema(spec)}}
                for name, spec in versions.items()
            ],
        },
    }


def schema(spec: Json) -> Json:
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": spec}}}


def widget(version: str, spec: Json) -> Json:
    return {"apiVersion": f"example.io/{version}", "kind": "Widget", "metadata": {"name": "x"}, "spec": spec}


def rules(*directions: Direction) -> Json:
    """Return an APIConversion of directions: rules as field, destination and transformation, and preserved fields."""
    ends = "field", "destination", "transformation"
    return {
        "spec": {
            "conversions": [
                {"from": first, "to": other, "preserve": kept,
                 "rules": [dict(zip(ends, rule, strict=False)) for rule in pairs]}
                for first, other, pairs, kept in directions
            ]
        }
    }  # fmt: skip


UNITS = rules(
    ("v1alpha1", "v1alpha2", [("spec.b", "spec.b")], []),
    ("v1alpha2", "v1alpha1", [("spec.b", "spec.b")], ["spec.a"]),
    ("v1alpha2", "v1beta1", [("spec.b", "spec.b", "self / 1000")], []),
    ("v1beta1", "v1alpha2", [("spec.b", "spec.b", "self * 1000")], []),
)
WITH_A = {"a": TEXT, "b": WHOLE}


@pytest.mark.parametrize("hub", ["v1alpha1", "v1alpha2", "v1beta1"])
def test_rules_without_places_are_distinguished(hub: str) -> None:
    converter = Converter(crd({"v1alpha1": {"b": WHOLE}, "v1alpha2": WITH_A, "v1beta1": WITH_A}, hub), UNITS)
    assert converter.convert(widget("v1alpha1", {"b": 82000}), "v1beta1")["spec"] == {"b": 82}
    assert converter.convert(widget("v1beta1", {"b": 82}), "v1alpha1")["spec"] == {"b": 82000}


@pytest.mark.parametrize("hub", ["v1", "v2", "v3"])
def test_rules_of_one_anchor_are_distinguished(hub: str) -> None:
    up, down = [("spec.b", "spec.b", "self * 10")], [("spec.b", "spec.b", "self / 10")]
    conversions = rules(("v1", "v2", up, []), ("v2", "v1", down, []), ("v2", "v3", up, []), ("v3", "v2", down, []))
    result, problems = decode(crd({name: {"b": WHOLE} for name in ("v1", "v2", "v3")}, hub)).crd, Problems()
    assert result is not None
    file = RuleReader(lambda at: Location("rules.yaml", 1 + ("v1" in at)), problems).read(conversions)
    plan = build_plan(result, problems, [file.replace(name=result.name)])
    assert plan is not None
    assert {finding.rule for finding in problems.findings} == {"conversion-narrowed"}
    assert load_converter(plan)(widget("v1", {"b": 7}), "v3")["spec"] == {"b": 700}


@pytest.mark.parametrize("hub", ["v1", "v2", "v3"])
@pytest.mark.parametrize(("value", "expected"), [(1, 0), (3, 1), (-1, 0), (-3, -1)])
def test_numbers_are_rounded_alike_through_any_hub(hub: str, value: int, expected: int) -> None:
    """v3 is v2 times 2, and v1 is v2 times -1: the factor of both is -2."""
    conversions = rules(
        *((name, other, [("spec.b", "spec.b", "self * -1")], []) for name, other in (("v1", "v2"), ("v2", "v1"))),
        ("v2", "v3", [("spec.b", "spec.b", "self * 2")], []),
        ("v3", "v2", [("spec.b", "spec.b", "self / 2")], []),
    )
    converter = Converter(crd({name: {"b": WHOLE} for name in ("v1", "v2", "v3")}, hub), conversions)
    for version, result in (("v2", expected), ("v1", -expected)):
        converted = converter.convert(widget("v3", {"b": value}), version)
        assert converted["spec"] == {"b": result}
        assert converter.convert(converted, "v3")["spec"] == {"b": value}


NAMES = {"v1": {"first": TEXT, "last": TEXT}, "v2": {"full": TEXT}, "v3": {"name": TEXT}}
JOINED = "self.first + ' ' + self.last"
PARTS = [("spec.{}", "spec.first", "self.split(' ')[0]"), ("spec.{}", "spec.last", "self.split(' ')[1]")]


def names() -> Json:
    """Rules that copy the name of the object to a field, which is renamed later."""
    forward: list[Direction] = [("v1", "v2", [("spec", "spec.full", JOINED)], [])]
    back: list[Direction] = [("v2", "v1", [(field.format("full"), there, text) for field, there, text in PARTS], [])]
    moved: list[Direction] = [
        ("v2", "v3", [("spec.full", "spec.name")], []),
        ("v3", "v2", [("spec.name", "spec.full")], []),
    ]
    return rules(*forward, *back, *moved)


@pytest.mark.parametrize("hub", ["v1", "v2", "v3"])
def test_a_value_computed_from_an_object_is_composed(hub: str) -> None:
    converter = Converter(crd(NAMES, hub), names())
    assert converter.convert(widget("v1", {"first": "a", "last": "b"}), "v3")["spec"] == {"name": "a b"}
    assert converter.convert(widget("v3", {"name": "a b"}), "v1")["spec"] == {"first": "a", "last": "b"}


ENDED = rules(
    ("v1", "v2", [("spec.a", "spec.b")], []),
    ("v2", "v1", [("spec.b", "spec.a")], []),
    ("v2", "v3", [], ["spec.b"]),
    ("v3", "v2", [], ["spec.a"]),
)


@pytest.mark.parametrize("hub", ["v1", "v2", "v3"])
def test_a_new_field_is_not_paired_with_a_removed_field_of_the_same_name(hub: str) -> None:
    converter = Converter(crd({"v1": {"a": TEXT}, "v2": {"b": TEXT}, "v3": {"a": TEXT}}, hub), ENDED)
    for version, other in (("v1", "v3"), ("v3", "v1")):
        obj = widget(version, {"a": "x"})
        converted = converter.convert(obj, other)
        assert converted.get("spec", {}) == {}
        assert converter.convert(converted, version) == obj


HOLDERS = rules(
    ("v1", "v2", [("spec.h[i]", "spec.h[].name")], []),
    ("v2", "v1", [("spec.h[i].name", "spec.h[]")], []),
)


def test_optional_values_of_a_required_field_are_reported() -> None:
    texts, items = {"type": "array", "items": TEXT}, {"type": "object", "properties": {"name": TEXT}}
    versions = {"v1": {"h": texts}, "v2": {"h": {"type": "array", "items": items}}}
    with pytest.raises(ValueError, match=r'field "spec\.h\[\]" is required in v1, but v2 may have no value'):
        Converter(crd(versions, "v2"), HOLDERS)


@pytest.mark.parametrize(
    ("text", "inner", "expected"),
    [
        ("self", "int(self)", "int(self)"),
        ("self + 1", "self", "self + 1"),
        ("self + 1", "self * 2", "(self * 2) + 1"),
        ("int(self)", "self + 'x'", "int(self + 'x')"),
        ("a.self + self + 'self'", "string(self)", "a.self + string(self) + 'self'"),
        ("-self", "self.size()", "-self.size()"),
        ("self.size()", "self ? 'a' : 'b'", "(self ? 'a' : 'b').size()"),
        ("f(self, [self])", "self || x", "f(self || x, [self || x])"),
        ("self == root.a ? 1 : 2", "self + 1", ""),
        ("self + 1", "self > 0 ? self : null", ""),
    ],
)
def test_two_expressions_are_composed(text: str, inner: str, expected: str) -> None:
    assert substitute_self(text, inner) == expected


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        ({}, {}, {}),
        ({"factor": Fraction(60)}, {"factor": Fraction(1, 60)}, {}),
        ({"factor": Fraction(60)}, {"factor": Fraction(1, 7)}, {"factor": Fraction(60, 7)}),
        ({"one_item": True}, {"one_item": True}, {}),
        ({"default": 1}, {"default": 2}, {"default": 2}),
        ({OTHER_DEFAULT: 1}, {OTHER_DEFAULT: 2}, {OTHER_DEFAULT: 1}),
        ({"values": (("a", "b"),)}, {"preserved": True}, {"preserved": True}),
        ({"values": (("b", "c"),)}, {"values": (("a", "b"),)}, {"values": (("a", "c"),)}),
        ({"values": (("b", "c"),)}, {"values": (("a", "x"),)}, {"values": (("a", "x"), ("b", "c"))}),
        ({"values": (("b", "a"),)}, {"values": (("a", "b"),)}, {"values": (("a", "a"),)}),
        ({"values": (("b", "c"),)}, {"factor": Fraction(2)}, None),
        ({"cel": {"from": "root.a"}}, {}, None),
        ({}, {"cel": {"to": "root.a"}}, None),
        ({}, {"cel": {"from": "root.a"}}, {"cel": {"from": "root.a"}}),
    ],
)
def test_members_of_two_steps_are_composed(outer: Any, inner: Any, expected: Any) -> None:
    assert compose_members(outer, inner) == expected
