from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.types import (
    DURATION,
    DYN,
    NULL,
    STRING,
    Declarations,
    Declared,
    map_of,
    optional,
    parameter,
    shown,
    spelled,
)
from protoc_gen_crd.schema.decode import PROPS, decoder


def declared(schema: dict[str, Any], minor: int = 37, *, root: bool = False) -> Declared | None:
    return Declarations(environment.sizes(minor)).of(decoder().value(schema, PROPS, ()), root=root)


def name(schema: dict[str, Any]) -> str | None:
    found = declared(schema)
    return None if found is None else shown(found.typed("self"))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "byte"}, "bytes"),
        ({"type": "string", "format": "duration"}, "duration"),
        ({"type": "string", "format": "date"}, "timestamp"),
        ({"type": "string", "format": "date-time"}, "timestamp"),
        ({"type": "string", "format": "datetime"}, "string"),
        ({"type": "string", "format": "integer"}, "string"),
        ({"type": "integer"}, "int"),
        ({"type": "number"}, "double"),
        ({"type": "boolean"}, "bool"),
        ({"x-kubernetes-int-or-string": True}, "dyn"),
        ({}, None),
        ({"type": "array"}, None),
        ({"type": "array", "items": {}}, None),
        ({"type": "array", "items": {"type": "object"}}, "list(self.@idx)"),
        ({"type": "object", "additionalProperties": {"type": "object"}}, "map(string, self.@elem)"),
        ({"type": "object", "additionalProperties": {}}, None),
        ({"type": "object", "additionalProperties": True}, "self"),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, "self"),
    ],
)
def test_schemas_are_types(schema: dict[str, Any], expected: str | None) -> None:
    assert name(schema) == expected


def test_fields_are_escaped_or_invisible() -> None:
    names = ["a", "a-b", "a.b", "a__b", "namespace", "1a", "$ref", "type"]
    found = declared({"type": "object", "properties": {each: {"type": "string"} for each in names} | {"any": {}}})
    assert found is not None
    assert list(found.fields) == ["a", "a__dash__b", "a__dot__b", "a__underscores__b", "__namespace__", "type"]
    kind = found.typed("self")
    assert kind.field("namespace", keywords=True) is STRING
    assert kind.field("namespace", keywords=False) is None
    assert kind.field("b", keywords=True) is None


def test_a_resource_has_a_name_and_no_labels() -> None:
    labels = {"type": "object", "properties": {"labels": {"type": "object"}}}
    found = declared({"type": "object", "properties": {"metadata": labels}}, root=True)
    assert found is not None
    assert list(found.fields) == ["metadata", "kind", "apiVersion"]
    assert list(found.fields["metadata"].fields) == ["name", "generateName"]


def test_a_resource_that_declares_its_names_is_used_as_it_is() -> None:
    text = {"type": "string"}
    names = {"type": "object", "properties": {"name": text, "generateName": text, "uid": text}}
    found = declared({"type": "object", "properties": {"kind": text, "apiVersion": text, "metadata": names}}, root=True)
    assert found is not None
    assert "uid" in found.fields["metadata"].fields


@pytest.mark.parametrize(
    ("schema", "minor", "most", "least"),
    [
        ({"type": "string"}, 37, 3145726, 2),
        ({"type": "string", "maxLength": 10}, 37, 40, 2),
        ({"type": "string", "enum": ["a", "\u00e9\u00e9"]}, 37, 4, 2),
        ({"type": "string", "enum": ["a", "\u00e9\u00e9"]}, 28, 3145726, 2),
        ({"type": "string", "format": "byte", "maxLength": 10}, 37, 10, 2),
        ({"type": "string", "format": "date", "maxLength": 10}, 37, 12, 12),
        ({"x-kubernetes-int-or-string": True, "maxLength": 3}, 37, 12, 1),
        ({"x-kubernetes-int-or-string": True, "maxLength": 3}, 33, 3145726, 1),
        ({"type": "array", "items": {"type": "boolean"}}, 37, 3145726 // 5, 2),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, 37, 3145726 // 7, 2),
        ({"type": "object", "required": ["ab"], "properties": {"ab": {"type": "boolean"}}}, 37, 0, 12),
        ({"type": "object", "required": ["a"], "properties": {"a": {"type": "boolean", "default": True}}}, 37, 0, 2),
    ],
)
def test_sizes(schema: dict[str, Any], minor: int, most: int, least: int) -> None:
    found = declared(schema, minor)
    assert found is not None
    assert (found.most, found.least) == (most, least)


def test_names_are_capped_since_137() -> None:
    for minor, most in ((36, 3145726), (37, 253 * 4)):
        found = declared({"type": "object"}, minor, root=True)
        assert found is not None
        assert found.fields["metadata"].fields["name"].most == most


def test_two_spellings() -> None:
    kind = map_of(parameter("K"), optional(DURATION))
    assert (shown(kind), spelled(kind)) == (
        "map(K, optional_type(duration))",
        "map(<K>, optional_type(google.protobuf.Duration))",
    )
    assert (shown(NULL), spelled(NULL)) == ("null", "null_type")
    assert kind != map_of(parameter("K"), optional(DYN))
