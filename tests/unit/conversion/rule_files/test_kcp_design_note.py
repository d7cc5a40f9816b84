"""Requirements of kcp's design note in addition to its forms, and spellings of rules, on plain CRDs."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import pytest

from protoc_gen_crd.conversion.converter import Converter
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems, Severity
from tests.support.conversion import LIST_KEYS, crd, fields, listed, rules

Json = dict[str, Any]
TEXT: Json = {"type": "string"}


def check_rules(manifest: Json, conversion: Json) -> Problems:
    """Return the findings on rules, at their paths."""
    problems = Problems()
    read = RuleReader(lambda path: Location("/".join(map(str, path))), problems).read(conversion)
    crd = decode(manifest).crd
    assert crd is not None
    build_plan(crd, problems, [read.replace(name=crd.name)])
    return problems


def list_findings(manifest: Json, conversion: Json) -> list[tuple[str, str]]:
    """Return the ids of the findings on rules, with their places as paths."""
    return [
        (finding.rule, str(finding.at.resolve()) if finding.at else "")
        for finding in check_rules(manifest, conversion).findings
    ]


def check_round_trip(manifest: Json, conversion: Json, old: Json, new: Json) -> None:
    converter = Converter(manifest, conversion)
    names = [version["name"] for version in manifest["spec"]["versions"]]
    first, other = ({"apiVersion": f"acme.example/{name}", "kind": "Thing", "spec": spec}
                  for name, spec in zip(names, (old, new), strict=True))  # fmt: skip
    assert converter.convert(first, names[1]) == other
    assert converter.convert(other, names[0]) == first


MOVED = ("v1", "v2", [{"field": "spec.a", "destination": "spec.b"}])
BACK = ("v2", "v1", [{"field": "spec.b", "destination": "spec.a"}])
TWO = crd(v1=fields(a=TEXT), v2=fields(b=TEXT))


def test_invalid_rules_are_reported_at_their_places_before_they_run() -> None:
    at = "spec/conversions/0/rules/0"
    assert list_findings(TWO, rules(MOVED, BACK)) == []
    wrong = ("v1", "v2", [{"field": "spec.a", "destination": "spec.c"}])
    assert ("conversion-path", at) in list_findings(TWO, rules(wrong, BACK))
    wrong = ("v1", "v2", [{"field": "spec.x", "destination": "spec.b"}])
    assert ("conversion-path", at) in list_findings(TWO, rules(wrong, BACK))
    typed = crd(v1=fields(a=TEXT), v2=fields(b={"type": "integer"}))
    assert ("conversion-type", at) in list_findings(typed, rules(MOVED, BACK))
    wrong = ("v1", "v2", [{"field": "spec.a", "destination": "spec.b", "transformation": "self + 1"}])
    assert ("conversion-cel", at) in list_findings(TWO, rules(wrong, BACK))
    twice = crd(v1=fields(a=TEXT, c=TEXT), v2=fields(b=TEXT))
    more = ("v1", "v2", [*MOVED[2], {"field": "spec.c", "destination": "spec.b"}])
    assert ("conversion-overlap", "spec/conversions/0/rules/1") in list_findings(twice, rules(more, BACK))
    assert ("conversion-version", "spec/conversions/0") in list_findings(TWO, rules(("v3", "v2", []), MOVED, BACK))
    with pytest.raises(ValueError, match=r'field "spec\.c" of v1 has no counterpart'):
        Converter(crd(v1=fields(a=TEXT, c=TEXT), v2=fields(b=TEXT)), rules(MOVED, BACK))


def test_the_nearest_path_is_suggested() -> None:
    deep = crd(v1=fields(a=TEXT), v2=fields(some=fields(nested=fields(b=TEXT))))
    conversion = rules(("v1", "v2", [{"field": "spec.a", "destination": "spec.nested.b"}]), ("v2", "v1", []))
    assert 'did you mean "spec.some.nested.b"?' in [finding.hint for finding in check_rules(deep, conversion).findings]


def test_each_spoke_needs_rules_in_both_directions() -> None:
    assert list_findings(TWO, rules(MOVED)) == [("conversion-rule", "spec/conversions/0")]
    assert list_findings(TWO, rules(MOVED, BACK, MOVED)) == [("conversion-rule", "spec/conversions/2")]
    three = crd(v1=fields(a=TEXT), v2=fields(a=TEXT), v3=fields(a=TEXT))
    rule_with_itself = [{"field": "spec.a", "destination": "spec.a", "transformation": "self + 'x'"}]
    plain = [{"field": "spec.a", "destination": "spec.a"}]
    hub = [("v1", "v3", plain), ("v3", "v1", plain)]
    assert list_findings(three, rules(("v1", "v2", rule_with_itself), *hub)) == [
        ("conversion-rule", "spec/conversions/0/rules/0")
    ]
    assert list_findings(three, rules(("v1", "v2", rule_with_itself))) == []  # v1 is converted to the hub through v2
    assert list_findings(three, rules(("v3", "v3", []))) == [("conversion-rule", "spec/conversions/0")]


def test_any_version_converts_to_any_other_through_the_hub() -> None:
    names = ["v1", "v2", "v3", "v4", "v5"]
    definition = crd(**{name: fields(**{f"a{name}": TEXT}) for name in names})
    definition["spec"]["versions"][1]["served"] = False
    ways = [
        (first, two, [{"field": f"spec.a{first}", "destination": f"spec.a{two}"}])
        for name in names[:-1]
        for first, two in ((name, "v5"), ("v5", name))
    ]
    converter = Converter(definition, rules(*ways))
    objects = {
        name: {"apiVersion": f"acme.example/{name}", "kind": "Thing", "spec": {f"a{name}": "x"}} for name in names
    }
    for first, two in itertools.product(names, names):
        result = converter.convert(objects[first], two)
        assert result == objects[two]
        assert first != two or result is objects[first]


def test_marked_fields_may_be_lost_and_no_others() -> None:
    definition = crd(v1=fields(a=TEXT), v2=fields(a=TEXT, b=TEXT, c=TEXT))
    conversion = rules(("v2", "v1", []), drop=["spec.b"], preserve=["spec.c"])
    converter = Converter(definition, conversion)
    old = {"apiVersion": "acme.example/v2", "kind": "Thing", "spec": {"a": "1", "b": "2", "c": "3"}}
    assert converter.convert(converter.convert(old, "v1"), "v2")["spec"] == {"a": "1", "c": "3"}
    assert "drop spec.b" in [line.strip().partition("  (")[0] for line in converter.plan.format_lines()]


def test_hundreds_of_rules_convert() -> None:
    names = [f"field{number}" for number in range(600)]  # and as many fields: the time is quadratic
    definition = crd(v1=fields(**dict.fromkeys(names, TEXT)), v2=fields(**{f"new{name}": TEXT for name in names}))
    there = [{"field": f"spec.{name}", "destination": f"spec.new{name}"} for name in names]
    back = [{"field": rule["destination"], "destination": rule["field"]} for rule in there]
    spec = dict.fromkeys(names, "x")
    check_round_trip(
        definition, rules(("v1", "v2", there), ("v2", "v1", back)), spec, {f"new{name}": "x" for name in names}
    )


ITEMS = crd(v1=fields(colors=listed(name=TEXT)), v2=fields(tints=listed(realName=TEXT)))
SPELLED = [
    [
        {
            "field": "spec.colors",
            "destination": "spec.tints",
            "itemRules": [{"from": "self.name", "to": "item.realName"}],
        }
    ],
    [{"from": "v1.spec.colors[i].name", "to": "v2.spec.tints[].realName"}],
    [{"field": ".spec.colors[i].name", "destination": ".spec.tints[i].realName"}],
    [{"from": "self.spec.colors[].name", "to": "spec.tints[].realName"}],
    [{"field": "spec['colors'][i]['name']", "destination": "spec.tints[].realName"}],
]


@pytest.mark.parametrize("there", SPELLED, ids=str)
def test_all_spellings_are_read_and_printed_alike(there: list[Json]) -> None:
    back = ("v2", "v1", [{"field": "spec.tints[i].realName", "destination": "spec.colors[].name"}])
    plan = Converter(ITEMS, rules(("v1", "v2", there), back)).plan
    lines = [line.partition("  (")[0] for line in plan.format_lines()]
    assert "  move spec.colors[].name -> spec.tints[].realName" in [line.partition(" (")[0] for line in lines]
    check_round_trip(
        ITEMS, rules(("v1", "v2", there), back), {"colors": [{"name": "x"}]}, {"tints": [{"realName": "x"}]}
    )


@pytest.mark.parametrize(
    "rule",
    [
        {"field": "spec.colors[i][j].name", "destination": "spec.tints[].realName"},
        {"field": "spec.colors[i].name", "destination": "spec.tints.realName"},
        {"field": "spec.colors", "destination": "spec.tints", "itemRules": [{"from": "self.name"}]},
        {"field": "spec.colors[", "destination": "spec.tints"},
        {"field": "spec.colors[i].name"},
        {"destination": "spec.tints"},
        {"field": 3, "destination": "spec.tints"},
        {"field": "spec.colors[-1].name", "destination": "spec.tints[].realName"},
        {"field": "apiVersion", "destination": "kind"},
        {"field": "spec.colors", "destination": "metadata.name"},
        "spec.colors",
        {"field": "spec.colors[key]", "destination": "spec.tints[]", "transformation": {"realName": "key"}},
        {"field": "spec", "destination": "spec.tints[]", "transformation": {"realName": "key", "day": "self.day"}},
    ],
    ids=str,
)
def test_a_contradictory_rule_is_reported_at_its_place(rule: Any) -> None:
    places = list_findings(ITEMS, rules(("v1", "v2", [rule]), ("v2", "v1", [])))
    assert [at for _, at in places if at.startswith("spec/conversions/0/rules/0")] != []


def test_a_value_becomes_an_object_of_the_same_name_and_back() -> None:
    definition = crd(v1=fields(name=TEXT), v2=fields(name=fields(first=TEXT)))
    there = ("v1", "v2", [{"field": "spec.name", "destination": "spec.name.first"}])
    back = ("v2", "v1", [{"field": "spec.name.first", "destination": "spec.name"}])
    check_round_trip(definition, rules(there, back), {"name": "bob"}, {"name": {"first": "bob"}})


def test_status_converts_as_spec_does() -> None:
    definition = crd(v1=fields(), v2=fields())
    for version, name in zip(definition["spec"]["versions"], ("phase", "state"), strict=True):
        version["schema"]["openAPIV3Schema"]["properties"]["status"] = fields(**{name: TEXT})
    there = ("v1", "v2", [{"field": "status.phase", "destination": "status.state"}])
    back = ("v2", "v1", [{"field": "status.state", "destination": "status.phase"}])
    converter = Converter(definition, rules(there, back))
    old = {"apiVersion": "acme.example/v1", "kind": "Thing", "status": {"phase": "x"}}
    assert converter.convert(old, "v2")["status"] == {"state": "x"}


def test_metadata_is_copied_except_converted_labels_and_annotations() -> None:
    converter = Converter(TWO, rules(MOVED, BACK))
    metadata = {"name": "x", "namespace": "n", "uid": "1", "generation": 3, "finalizers": ["f"], "labels": {"l": "1"},
                "managedFields": [{"apiVersion": "acme.example/v1"}], "ownerReferences": []}  # fmt: skip
    old = {"apiVersion": "acme.example/v1", "kind": "Thing", "metadata": metadata, "spec": {"a": "1"}}
    result = converter.convert(old, "v2")
    assert result["metadata"] == metadata
    assert result["kind"] == "Thing"


def test_two_runs_generate_the_same_bytes() -> None:
    definition = crd(v1=fields(m={"type": "object", "additionalProperties": fields(a=TEXT)}), v2=fields(l=LIST))
    there = ("v1", "v2", [{"field": "spec.m[key]", "destination": "spec.l[]", "transformation": {"name": "key"}}])
    back = ("v2", "v1", [{"field": "spec.l[]", "destination": "spec.m[key]", "key": "self.name"}])
    converter = Converter(definition, rules(there, back))
    keys = ["é", "b", "a", "Z", "10", "9"]
    texts = {
        json.dumps(converter.convert({"apiVersion": "acme.example/v1", "kind": "Thing",
                                      "spec": {"m": {key: {} for key in order}}}, "v2"))
        for order in itertools.permutations(keys)
    }  # fmt: skip
    assert len(texts) == 1
    (text,) = texts
    assert [item["name"] for item in json.loads(text)["spec"]["l"]] == sorted(keys)


LIST: Json = {**listed(name=TEXT, a=TEXT), "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
LIST["items"]["required"] = ["name"]


def test_a_computed_value_can_be_copied_to_each_item() -> None:
    """A value that is computed from the object is computed again if an item must compare it with its shown value."""
    definition = crd(v1=fields(day=TEXT, colors=listed(name=TEXT)), v2=fields(colors=listed(name=TEXT, day=TEXT)))
    there = ("v1", "v2", [{"field": "spec.day", "destination": "spec.colors[].day"}])
    back = ("v2", "v1", [{"field": "spec.colors[].day", "destination": "spec.day"}])
    old, new = {"day": "Monday", "colors": [{"name": "x"}]}, {"colors": [{"name": "x", "day": "Monday"}]}
    check_round_trip(definition, rules(there, back), old, new)


def test_a_default_must_be_one_of_the_enum() -> None:
    enum = {"type": "string", "enum": ["A", "B"]}
    definition = crd(v1=fields(), v2=fields(a=enum))
    kept: tuple[str, str, list[Json]] = ("v2", "v1", [])
    for value, expected in (("A", []), ("C", [("conversion-value", "spec/conversions/0/rules/0")])):
        conversion = rules(("v1", "v2", [{"destination": "spec.a", "default": value}]), kept)
        conversion["spec"]["conversions"][1]["preserve"] = ["spec.a"]
        assert list_findings(definition, conversion) == expected


REFS: Json = {"type": "array", "items": {"type": "object", "properties": {"n": TEXT}}}
SPACED: Json = {"type": "array", "items": {"type": "object", "properties": {"n": TEXT, "in": TEXT}}}
OF_NAMES: list[tuple[Json, Json, str, Json, Json]] = [
    (fields(a=TEXT), {"field": "metadata.name"}, "spec.title", {"a": "x"}, {"a": "x", "title": "n"}),
    (fields(a=TEXT), {"field": "spec", "transformation": "root.metadata.name"}, "spec.title", {"a": "x"},
     {"a": "x", "title": "n"}),
    (fields(a=TEXT), {"field": "metadata.name", "transformation": "self + '!'"}, "spec.title", {"a": "x"},
     {"a": "x", "title": "n!"}),
    (fields(refs=REFS), {"field": "metadata.namespace"}, "spec.refs[].in", {"refs": [{"n": "a"}]},
     {"refs": [{"n": "a", "in": "s"}]}),
]  # fmt: skip


@pytest.mark.parametrize("away", ["preserve", "drop"])
@pytest.mark.parametrize(("known", "rule", "into", "old", "new"), OF_NAMES)
def test_the_name_and_namespace_of_an_object_may_be_read(
    known: Json, rule: Json, into: str, old: Json, new: Json, away: str
) -> None:
    later = fields(refs=SPACED) if "refs" in old else fields(a=TEXT, title=TEXT)
    conversion = rules(("v1", "v2", [{**rule, "destination": into}]), ("v2", "v1", []))
    conversion["spec"]["conversions"][1][away] = [into]
    definition = crd(v1=known, v2=later)
    wrong = [
        finding for finding in check_rules(definition, conversion).findings if finding.severity is not Severity.WARNING
    ]
    assert {item.rule for item in wrong} <= {LIST_KEYS}
    convert = Converter(definition, conversion)
    metadata = {"name": "n", "namespace": "s"}
    first, other = ({"apiVersion": f"acme.example/{name}", "kind": "Thing", "metadata": metadata, "spec": spec}
                  for name, spec in (("v1", old), ("v2", new)))  # fmt: skip
    assert convert.convert(first, "v2") == other
    assert convert.convert(convert.convert(first, "v2"), "v1") == {**first, "metadata": metadata}
    for proof in Prover(100, 1).prove(convert.plan, convert.convert):
        assert proof.violations == ()


@pytest.mark.parametrize(
    ("way", "path", "expected"),
    [
        (0, "metadata.name", '"metadata.name" is read-only'),
        (1, "metadata.namespace", '"metadata.namespace" is read-only'),
        (0, "metadata.uid", '"metadata.uid" cannot be converted: only labels, annotations and fields of versions can'),
    ],
)
def test_the_name_of_an_object_is_never_written(way: int, path: str, expected: str) -> None:
    written = {"field": "spec.b" if way else "spec.a", "destination": path}
    conversion = rules(("v1", "v2", [written] if not way else []), ("v2", "v1", [written] if way else []))
    messages = [
        finding.message for finding in check_rules(crd(v1=fields(a=TEXT), v2=fields(b=TEXT)), conversion).findings
    ]
    assert any(message == expected for message in messages)


def _list(**properties: Json) -> Json:
    return {"type": "array", "items": {"type": "object", "properties": properties}}


def _map(**properties: Json) -> Json:
    return {"type": "object", "additionalProperties": {"type": "object", "properties": properties}}


DEEP: list[tuple[Json, Json, str, str, Json, Json]] = [
    (fields(a=_list(b=_list(x=TEXT))), fields(d=_list(e=_list(w=TEXT))), "spec.a[i].b[j].x", "spec.d[i].e[j].w",
     {"a": [{"b": [{"x": "1"}, {}]}, {}]}, {"d": [{"e": [{"w": "1"}, {}]}, {}]}),
    (fields(m=_map(a=_list(x=TEXT))), fields(n=_map(b=_list(y=TEXT))), "spec.m[key].a[i].x", "spec.n[key].b[i].y",
     {"m": {"k": {"a": [{"x": "1"}]}}}, {"n": {"k": {"b": [{"y": "1"}]}}}),
    (fields(a=_list(b=_list(c=_list(x=TEXT)))), fields(d=_list(e=_list(f=_list(w=TEXT)))), "spec.a[i].b[j].c[k].x",
     "spec.d[i].e[j].f[k].w", {"a": [{"b": [{"c": [{"x": "1"}]}]}]}, {"d": [{"e": [{"f": [{"w": "1"}]}]}]}),
]  # fmt: skip


@pytest.mark.parametrize(("known", "later", "path", "other", "old", "new"), DEEP)
def test_lists_in_lists_need_no_rules_of_their_own(
    known: Json, later: Json, path: str, other: str, old: Json, new: Json
) -> None:
    first, two = (
        [{"field": ends[0], "destination": re.sub(r"\[[ijk]\]", "[]", ends[1])}]
        for ends in ((path, other), (other, path))
    )
    definition, conversion = crd(v1=known, v2=later), rules(("v1", "v2", first), ("v2", "v1", two))
    check_round_trip(definition, conversion, old, new)
    convert = Converter(definition, conversion)
    assert [proof.violations for proof in Prover(60, 1).prove(convert.plan, convert.convert)] == [(), ()]


@pytest.mark.parametrize(
    ("members", "value"),
    [
        ({"type": "array", "items": TEXT}, ["x", "y"]),
        ({"type": "object", "additionalProperties": TEXT}, {"x": "y"}),
        (_list(q=TEXT), [{"q": "x"}, {}]),
    ],
    ids=["list", "map", "list of objects"],
)
def test_lists_and_maps_in_a_map_are_values_of_objects(members: Json, value: object) -> None:
    items = {"type": "object", "properties": {"name": TEXT, "members": members}, "required": ["name", "members"]}
    keyed = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}
    definition = crd(
        v1=fields(admins={"type": "object", "additionalProperties": members}),
        v2=fields(groups={"type": "array", "items": items, **keyed}),
    )
    ends = {"field": "spec.admins[key]", "destination": "spec.groups[]"}
    conversion = rules(
        ("v1", "v2", [{**ends, "transformation": {"name": "key", "members": "self"}}]),
        ("v2", "v1", [{"field": ends["destination"], "destination": ends["field"], "key": "self.name",
                       "transformation": "self.members"}]),
    )  # fmt: skip
    check_round_trip(definition, conversion, {"admins": {"a": value}}, {"groups": [{"name": "a", "members": value}]})
    convert = Converter(definition, conversion)
    assert [proof.violations for proof in Prover(60, 1).prove(convert.plan, convert.convert)] == [(), ()]
