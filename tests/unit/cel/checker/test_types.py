from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.types import (
    DURATION,
    DYN,
    NULL,
    STRING,
    Declaration,
    DeclarationFactory,
    format_for_author,
    format_type,
    make_map_type,
    make_optional_type,
    make_type_parameter,
)
from protoc_gen_crd.schema.schema_decoder import PROPS, make_decoder


def declared(schema: dict[str, Any], minor: int = 37, *, root: bool = False) -> Declaration | None:
    return DeclarationFactory(environment.get_sizes(minor)).declare(
        make_decoder().decode_value(schema, PROPS, ()), root=root
    )


def name(schema: dict[str, Any]) -> str | None:
    declaration = declared(schema)
    return None if declaration is None else format_type(declaration.get_type("self"))


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
    declaration = declared({"type": "object", "properties": {name: {"type": "string"} for name in names} | {"any": {}}})
    assert declaration is not None
    assert list(declaration.fields) == ["a", "a__dash__b", "a__dot__b", "a__underscores__b", "__namespace__", "type"]
    kind = declaration.get_type("self")
    assert kind.get_field("namespace", keywords=True) is STRING
    assert kind.get_field("namespace", keywords=False) is None
    assert kind.get_field("b", keywords=True) is None


def test_a_resource_has_a_name_and_no_labels() -> None:
    labels = {"type": "object", "properties": {"labels": {"type": "object"}}}
    declaration = declared({"type": "object", "properties": {"metadata": labels}}, root=True)
    assert declaration is not None
    assert list(declaration.fields) == ["metadata", "kind", "apiVersion"]
    assert list(declaration.fields["metadata"].fields) == ["name", "generateName"]


def test_a_resource_that_declares_its_names_is_used_as_it_is() -> None:
    text = {"type": "string"}
    names = {"type": "object", "properties": {"name": text, "generateName": text, "uid": text}}
    declaration = declared(
        {"type": "object", "properties": {"kind": text, "apiVersion": text, "metadata": names}}, root=True
    )
    assert declaration is not None
    assert "uid" in declaration.fields["metadata"].fields


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
    declaration = declared(schema, minor)
    assert declaration is not None
    assert (declaration.max_size, declaration.min_size) == (most, least)


def test_names_are_capped_since_137() -> None:
    for minor, most in ((36, 3145726), (37, 253 * 4)):
        declaration = declared({"type": "object"}, minor, root=True)
        assert declaration is not None
        assert declaration.fields["metadata"].fields["name"].max_size == most


def test_two_spellings() -> None:
    kind = make_map_type(make_type_parameter("K"), make_optional_type(DURATION))
    assert (format_type(kind), format_for_author(kind)) == (
        "map(K, optional_type(duration))",
        "map(<K>, optional_type(google.protobuf.Duration))",
    )
    assert (format_type(NULL), format_for_author(NULL)) == ("null", "null_type")
    assert kind != make_map_type(make_type_parameter("K"), make_optional_type(DYN))
