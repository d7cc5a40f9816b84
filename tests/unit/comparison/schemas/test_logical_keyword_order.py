"""Keywords of a node that its other keywords imply, with numbers that YAML cannot distinguish."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.schemas.node_pair import NodePair
from protoc_gen_crd.comparison.schemas.schema_comparison import SchemaComparer
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.schema.schema import Schema

Keywords = dict[str, object]


def _compare(old: Keywords, new: Keywords) -> set[str]:
    pair = NodePair(Schema(old), Schema(new))
    return {row.difference.rule for row in SchemaComparer(Switches.from_minor(NEWEST)).compare(pair)}


@pytest.mark.parametrize("kind", ["integer", "number"])
@pytest.mark.parametrize(("keyword", "whole", "floats"), [("enum", [1, 2], [1.0, 2.0]), ("default", 1, 1.0)])
def test_whole_numbers_are_equal_to_floats(kind: str, keyword: str, whole: object, floats: object) -> None:
    sides: list[Keywords] = [{"type": kind, keyword: value} for value in (whole, floats)]
    assert _compare(*sides) == _compare(*reversed(sides)) == {"change-no-effect"}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("integer", "change-no-effect"),
        ("number", "change-bound-added"),  # servers accept 1.5 for the enum [1]
    ],
)
def test_an_enum_of_numbers_implies_no_bounds(kind: str, expected: str) -> None:
    assert _compare({"type": kind, "enum": [1]}, {"type": kind, "enum": [1], "maximum": 1}) == {expected}


def test_a_rejected_enum_value_does_not_count() -> None:
    old: Keywords = {"type": "string", "enum": ["a", "abc"], "maxLength": 2}
    assert _compare(old, {**old, "pattern": "^.$"}) == {"change-no-effect"}
    assert _compare(old, {**old, "pattern": "^..$"}) == {"change-pattern-added"}


_SHORT: Keywords = {"type": "string", "maxLength": 5}
_OBJECT: Keywords = {"type": "object", "properties": {"a": Schema(_SHORT)}}
_LIST: Keywords = {"type": "array", "items": Schema(_SHORT)}


def _repeat(node: Keywords, **children: object) -> Keywords:
    return {**node, "allOf": [Schema(children)]}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_OBJECT, _repeat(_OBJECT, properties={"a": Schema({"maxLength": 5})})),
        (_OBJECT, _repeat(_OBJECT, properties={"a": Schema({"maxLength": 9})})),
        (_LIST, _repeat(_LIST, items=Schema({"maxLength": 5}))),
        ({"type": "string", "not": Schema({"not": Schema({"pattern": "^a"})})}, {"type": "string", "pattern": "^a"}),
        ({"type": "string", "enum": ["a", "b.c"]}, {"type": "string", "pattern": r"^(a|b\.c)$"}),
    ],
)
def test_another_spelling_of_a_constraint_has_no_effect(old: Keywords, new: Keywords) -> None:
    for sides in ((old, new), (new, old)):
        assert _compare(*sides) == {"change-no-effect"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (_OBJECT, _repeat(_OBJECT, properties={"a": Schema({"maxLength": 4})}), "change-logic-added"),
        (_OBJECT, _repeat(_OBJECT, properties={"b": Schema({"maxLength": 5})}), "change-logic-added"),
        (_LIST, _repeat(_LIST, items=Schema({"maxLength": 4})), "change-logic-added"),
        ({"type": "string", "pattern": "^(a|b)$"}, {"type": "string", "enum": ["a"]}, "change-enum-added"),
        ({"type": "string", "pattern": "^b.c$"}, {"type": "string", "enum": ["b.c"]}, "change-enum-added"),
        ({"type": "string", "pattern": "^a$", "nullable": True}, {"type": "string", "enum": ["a"], "nullable": True},
         "change-enum-added"),
        ({"pattern": "^a$", "x-kubernetes-int-or-string": True},
         {"enum": ["a"], "x-kubernetes-int-or-string": True}, "change-enum-added"),
    ],
)  # fmt: skip
def test_a_constraint_that_resembles_another_one_has_an_effect(old: Keywords, new: Keywords, expected: str) -> None:
    assert expected in _compare(old, new)


@pytest.mark.parametrize(
    ("node", "keyword", "number"),
    [
        ({"type": "integer", "enum": [1]}, "maximum", 1.5),
        ({"type": "integer", "format": "int32", "enum": [0]}, "maximum", 2.0**40),
        ({"type": "integer", "format": "int32", "enum": [0]}, "multipleOf", 2.0**40),
        ({"type": "integer", "oneOf": [Schema({"maximum": 1})]}, "maximum", 1.5),
        ({"type": "integer", "allOf": [Schema({"minimum": 2})]}, "minimum", 1.5),
        ({"type": "integer", "allOf": [Schema({"multipleOf": 3})]}, "multipleOf", 1.5),
        ({"type": "number", "format": "float"}, "maximum", 1e300),
        ({"type": "number", "format": "float"}, "minimum", -1e300),
    ],
)
def test_a_number_outside_the_range_of_the_type_rejects_all_values(node: Keywords, keyword: str, number: float) -> None:
    """Source: k8s.io/kube-openapi pkg/validation/validate values.go (IsValueValidAgainstRange)."""
    assert _compare(node, {**node, keyword: number}) == {"change-bound-added"}
    assert _compare({**node, keyword: number}, node) == {"change-bound-removed"}


def test_a_whole_float_in_an_enum_of_integers_is_an_integer() -> None:
    node: Keywords = {"type": "integer", "enum": [2.0**53]}
    assert _compare(node, {**node, "maximum": 5}) == {"change-bound-added"}


@pytest.mark.parametrize("node", [{"type": "string"}, {"x-kubernetes-preserve-unknown-fields": True}])
def test_a_format_can_move_between_a_field_and_all_of(node: Keywords) -> None:
    sides: list[Keywords] = [{**node, "format": "date"}, {**node, "allOf": [Schema({"format": "date"})]}]
    assert _compare(*sides) == _compare(*reversed(sides)) == {"change-no-effect"}


@pytest.mark.parametrize("node", [{"type": "integer"}, {"x-kubernetes-int-or-string": True}])
def test_a_format_of_strings_rejects_integers_only_in_logical_keywords(node: Keywords) -> None:
    """Source: k8s.io/kube-openapi pkg/validation/validate formats.go, of schemas without a type."""
    sides: list[Keywords] = [{**node, "format": "date"}, {**node, "allOf": [Schema({"format": "date"})]}]
    assert "change-logic-added" in _compare(*sides)
    assert "change-logic-removed" in _compare(*reversed(sides))
