"""The order of bounds, which servers convert to int64 to compare them with integers."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import ChangeClass
from protoc_gen_crd.comparison.schemas.keyword_order import Order, at_least, at_most
from tests.unit.admission import crd_factory

Keywords = dict[str, object]
NUMBER: Keywords = {"type": "number"}
FLOAT: Keywords = {"type": "number", "format": "float"}


def _compare(old: Keywords, new: Keywords) -> list[tuple[str, ChangeClass]]:
    sides = [crd_factory.crd(crd_factory.spec(a=side)) for side in (old, new)]
    return [(change.rule, change.change_class) for change in compare_apis(sides[:1], sides[1:])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"maximum": 5}, {"maximum": 1e300}),  # servers compare integers with the smallest int64
        ({"minimum": 1e300}, {"minimum": 5}),
        ({"minimum": 1.5}, {"minimum": 1.2, "exclusiveMinimum": True}),  # servers accept 1 for the old bound
        ({"maximum": 2.2}, {"maximum": 2.9, "exclusiveMaximum": True}),
    ],
)
def test_a_bound_that_accepts_more_floats_may_reject_integers(old: Keywords, new: Keywords) -> None:
    """Source: k8s.io/kube-openapi pkg/validation/validate values.go (MaximumNativeType, MinimumNativeType)."""
    assert _compare({**NUMBER, **old}, {**NUMBER, **new}) == [("change-bound", ChangeClass.TIGHTEN)]
    assert _compare(FLOAT, {**FLOAT, "allOf": [new]}) == [("change-logic-added", ChangeClass.TIGHTEN)]
    nested = [{**FLOAT, "allOf": [side]} for side in (old, new)]
    assert _compare(*nested) == [("change-logic", ChangeClass.TIGHTEN)]


@pytest.mark.parametrize("node", [NUMBER, FLOAT])
@pytest.mark.parametrize("bound", [{"maximum": 5}, {"minimum": 5}, {"maximum": 1e30}])
def test_the_range_of_a_format_is_compared_with_floats(node: Keywords, bound: Keywords) -> None:
    assert _compare({**node, **bound}, node) == [("change-bound-removed", ChangeClass.LOOSEN)]


def test_a_bound_that_rejects_all_numbers_is_the_narrowest() -> None:
    assert at_least((float("inf"), False), (5, False)) is Order.WIDER
    assert at_most((5, False), (-float("inf"), False)) is Order.NARROWER


def test_every_integer_of_an_int_or_string_is_a_multiple_of_1() -> None:
    node: Keywords = {"x-kubernetes-int-or-string": True}
    assert _compare(node, {**node, "multipleOf": 1}) == [("change-no-effect", ChangeClass.NONE)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({"multipleOf": 4}, {"multipleOf": 2}, ChangeClass.TIGHTEN),  # servers reject 2.7e16, since 1.35e16 > 2^53
        ({"multipleOf": 2.0**40}, {"multipleOf": 1}, ChangeClass.TIGHTEN),
        ({"multipleOf": 4, "allOf": [{"minimum": 1}]}, {"multipleOf": 2, "allOf": [{"minimum": 1}]},
         ChangeClass.TIGHTEN),
        ({"allOf": [{"multipleOf": 4}]}, {"allOf": [{"multipleOf": 2}]}, ChangeClass.TIGHTEN),
        ({"multipleOf": 4}, {"allOf": [{"multipleOf": 4}]}, ChangeClass.NONE),
        ({"multipleOf": 4, "minimum": 0, "maximum": 9}, {"multipleOf": 2, "minimum": 0, "maximum": 9},
         ChangeClass.LOOSEN),
    ],
)  # fmt: skip
def test_a_smaller_factor_rejects_large_floats(old: Keywords, new: Keywords, expected: ChangeClass) -> None:
    """Source: github.com/go-openapi/swag conv convert.go (IsFloat64AJSONInteger)."""
    changes = _compare({**NUMBER, **old}, {**NUMBER, **new})
    assert max(change_class for _, change_class in changes) is expected


def test_a_smaller_factor_of_integers_accepts_more() -> None:
    integer: Keywords = {"type": "integer"}
    assert _compare({**integer, "multipleOf": 2.0**40}, {**integer, "multipleOf": 2}) == [
        ("change-bound-loosened", ChangeClass.LOOSEN)
    ]


@pytest.mark.parametrize(
    ("narrow", "wide"), [("uuid4", "uuid"), ("isbn10", "isbn"), ("k8s-short-name", "k8s-long-name")]
)
def test_a_format_may_accept_all_strings_of_another_one(narrow: str, wide: str) -> None:
    """Source: k8s.io/kube-openapi pkg/validation/strfmt default.go, kubernetes-extensions.go."""
    sides: list[Keywords] = [{"type": "string", "format": form} for form in (narrow, wide)]
    assert _compare(*sides) == [("change-format-loosened", ChangeClass.LOOSEN)]
    assert _compare(*reversed(sides)) == [("change-format-tightened", ChangeClass.TIGHTEN)]
