from __future__ import annotations

from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.schema.schema import Schema, ValidationRule

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
