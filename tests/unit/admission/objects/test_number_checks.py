from __future__ import annotations

import math

import pytest

from protoc_gen_crd.admission.objects.number_checks import NumberValidator, as_int64, is_out_of_range, is_whole
from protoc_gen_crd.kubernetes.shared_results import Switches

NEW = Switches.from_minor(37)


@pytest.mark.parametrize(
    ("value", "new", "old"),
    [
        (1.0, True, True), (0.5, False, False), (2.0**60, False, False), (math.inf, False, False),
        (math.nan, False, False), (0.9999999999, True, False), (1.0000000001, True, True), (3.000001, False, False),
        (1e-10, False, False),
    ],
)  # fmt: skip
def test_whole_numbers(value: float, new: bool, old: bool) -> None:
    assert is_whole(value, NEW) is new
    assert is_whole(value, Switches.from_minor(36)) is old


@pytest.mark.parametrize(("value", "cut"), [(1.9, 1), (-1.9, -1), (1e39, -(1 << 63)), (math.nan, -(1 << 63))])
def test_floats_cut_to_integers(value: float, cut: int) -> None:
    assert as_int64(value) == cut


@pytest.mark.parametrize(
    ("value", "kind", "name", "out"),
    [
        (1 << 31, "integer", "int32", True), (-(1 << 31), "integer", "int32", False), (1 << 31, "integer", "", False),
        (1.5, "integer", "int64", True), (2.0, "integer", "int64", False), (1e39, "number", "float", True),
        (1e39, "number", "double", False), (1e39, "", "", False),
    ],
)  # fmt: skip
def test_ranges(value: float, kind: str, name: str, out: bool) -> None:
    assert is_out_of_range(value, kind, name) is out


@pytest.mark.parametrize("value", [10**39, 10**400])
def test_integers_that_are_no_floats(value: int) -> None:
    assert is_out_of_range(value, "number", "float")


def list_errors(value: float, **keywords: object) -> list[str]:
    return [words for words, _, _ in NumberValidator(keywords, "", "", NEW).find_errors(value, "x")]


@pytest.mark.parametrize(
    ("value", "keywords", "words"),
    [
        (1, {"minimum": 1, "maximum": 1}, []),
        (0, {"minimum": 1}, ["x in body should be greater than or equal to 1"]),
        (1, {"minimum": 1, "exclusiveMinimum": True}, ["x in body should be greater than 1"]),
        (2.5, {"maximum": 2.25}, ["x in body should be less than or equal to 2.25"]),
        (3, {"maximum": 2.25}, ["x in body should be less than or equal to 2"]),
        (2, {"maximum": 2.25, "exclusiveMaximum": True}, ["x in body should be less than 2"]),
        (3, {"multipleOf": 2}, ["x in body should be a multiple of 2"]),
        (0.3, {"multipleOf": 0.1}, []),
        (0.35, {"multipleOf": 0.1}, ["x in body should be a multiple of 0.1"]),
        (1, {"multipleOf": 0.5}, ["factor MultipleOf declared for x must be positive: 0"]),
        (1.5, {"multipleOf": -0.5}, ["factor MultipleOf declared for x must be positive: -0.5"]),
    ],
)
def test_limits(value: float, keywords: dict[str, object], words: list[str]) -> None:
    assert list_errors(value, **keywords) == words


def test_formats_are_limits_too() -> None:
    limits = NumberValidator({"maximum": 1 << 40}, "integer", "int32", NEW)
    assert [words for words, _, _ in limits.find_errors(1, "x")] == [
        "Maximum boundary value must be of type integer with format int32 in x"
    ]
