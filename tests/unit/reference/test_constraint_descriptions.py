"""Descriptions of constraints. Common ones are tested by the cases of testdata/docs, rare ones here."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.reference.constraint_descriptions import KEYWORD_FORMATTERS, format_constraints, format_type
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.schema import LIST_TYPE, MAP_TYPE, Schema

STRING = Schema({"type": "string"})


def test_every_keyword_has_a_row() -> None:
    assert sorted(KEYWORD_FORMATTERS) == sorted(KEYWORDS)


@pytest.mark.parametrize(
    ("keywords", "constraints"),
    [
        ({"minimum": 0, "maximum": 9}, ["0 to 9"]),
        ({"minimum": 0, "maximum": 9, "exclusiveMaximum": True}, ["at least 0", "less than 9"]),
        ({"minimum": -1.5}, ["at least -1.5"]),
        ({"minimum": 1, "exclusiveMinimum": True}, ["more than 1"]),
        ({"minimum": 0, "maximum": 4294967295}, ["not negative"]),
        ({"minimum": -2147483648, "maximum": 2147483647}, []),
        ({"minimum": 5, "maximum": 2147483647}, ["at least 5"]),
        ({"minLength": 0, "maxLength": 1}, ["at most 1 character"]),
        ({"minLength": 3, "maxLength": 3}, ["3 characters"]),
        ({"minItems": 1}, ["at least 1 item"]),
        ({"minProperties": 2}, ["at least 2 entries"]),
        ({"uniqueItems": True}, ["items are unique"]),
        ({LIST_TYPE: "atomic"}, ["server-side apply replaces the list as a whole"]),
        ({MAP_TYPE: "granular"}, []),
        ({"nullable": False}, []),
        ({"title": "A | B"}, ["title: `A | B`"]),
        ({"externalDocs": {"description": "the <docs>", "url": "https://a.example/b"}},
         [r"see the \<docs> <https://a.example/b>"]),
        ({"oneOf": (Schema({"required": ["a", "b"]}), Schema({"required": ["c"]}))},
         ["exactly one of `a` with `b`, `c`"]),
        ({"anyOf": (Schema({"minimum": 3}), Schema({"multipleOf": 2}))},
         ['at least one of these schemas must match: `[{"minimum": 3}, {"multipleOf": 2}]`']),
        ({"allOf": (Schema({"maximum": 3}), Schema({"pattern": "^a`"}))}, ["at most 3", "matches `` ^a` ``"]),
        ({"not": Schema({"required": ["a"]})}, ["not `a`"]),
        ({"not": Schema({"anyOf": (Schema({"required": ["a"]}), Schema({"required": ["b"]}))})}, ["not `a` nor `b`"]),
        ({"items": Schema({"maxLength": 2})}, ["each item: at most 2 characters"]),
        ({"additionalProperties": Schema({"items": Schema({"minimum": 2})})},
         ["each value: each item: at least 2"]),
    ],
)  # fmt: skip
def test_constraints_of_a_node(keywords: dict[str, Any], constraints: list[str]) -> None:
    assert format_constraints(Schema(keywords)) == constraints


def test_constraints_of_the_named_type_are_left_out() -> None:
    assert format_constraints(Schema({"maximum": 5, "nullable": True}), Schema({"maximum": 5})) == ["may be null"]


@pytest.mark.parametrize(
    ("schema", "type_name"),
    [
        (Schema({"type": "array", "items": STRING}), "list of string"),
        (Schema({"type": "array", LIST_TYPE: "set", "items": STRING}), "set of string"),
        (Schema({"type": "object", "additionalProperties": Schema({"type": "number", "format": "double"})}),
         "map of number (64 bits)"),
        (Schema({"type": "string", "format": "own_|"}), "string (own\\_\\|)"),
        (Schema({"type": "object", "properties": {"a": STRING}}), "object"),
        (Schema({"type": "object"}), "any object"),
        (Schema({"type": "array"}), "list of any values"),
        (Schema({}), "any value"),
    ],
)  # fmt: skip
def test_type_of_a_node(schema: Schema, type_name: str) -> None:
    assert format_type(schema, lambda _: "") == type_name
