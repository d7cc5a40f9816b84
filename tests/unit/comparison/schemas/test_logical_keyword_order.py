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
