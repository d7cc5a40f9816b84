from __future__ import annotations

from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.schema import Schema, ValidationRule, iterate_nodes

HERE, THERE = Location("a.proto", 1), Location("a.proto", 2)


def test_reading_keywords() -> None:
    child, rule = Schema({"type": "string"}), ValidationRule("true")
    node = Schema({"type": "object", "properties": {"a": child}, "x-kubernetes-validations": (rule,)})
    assert (node.type, node.properties, node.rules) == ("object", {"a": child}, (rule,))
    assert (node.items, node.additional, node.get("title")) == (None, None, None)
    assert "type" in node
    assert repr(child) == "Schema({'type': 'string'})"
    assert Schema({}).type == ""


def test_nodes_are_compared_by_identity() -> None:
    assert Schema({}) != Schema({})


def test_places() -> None:
    node = Schema({"type": "string", "title": "x"}, HERE, {"title": THERE})
    assert (node.get_place("title"), node.get_place("type"), Schema({}).get_place("type")) == (THERE, HERE, None)


def test_changes() -> None:
    node = Schema({"type": "string", "title": "x"}, HERE)
    changed = node.with_keywords({"title": None, "format": "date"}, THERE)
    assert changed.keywords == {"type": "string", "format": "date"}
    assert (changed.get_place("format"), changed.get_place("type")) == (THERE, HERE)
    assert node.keywords == {"type": "string", "title": "x"}


def test_children() -> None:
    a = Schema({})
    node = Schema({
        "properties": {"a": a}, "items": a, "additionalProperties": a, "not": a, "anyOf": [a, a], "required": ["a"],
        "patternProperties": {"b": a},
    })  # fmt: skip
    assert [step for step, child in node.iterate_children() if child is a] == [
        ".properties[a]", ".items", ".additionalProperties", ".not", ".anyOf[0]", ".anyOf[1]", ".patternProperties[b]",
    ]  # fmt: skip


def test_every_keyword_with_schemas_has_nodes() -> None:
    nested = Schema({})
    values: dict[str, object] = {"schema": nested, "schema-or-flag": nested, "schema-or-schemas": nested}
    values |= {"schemas": [nested], "schema-map": {"a": nested}}
    roots = [Schema({name: values[row.form]}) for name, row in KEYWORDS.items() if row.form in values]
    assert [list(iterate_nodes([root])) for root in roots] == [[root, nested] for root in roots]
    assert {row.form for row in KEYWORDS.values() if "schema" in row.form} == {*values}
