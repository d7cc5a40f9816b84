"""Sums with a zero of any exponent, recorded from k8s.io/apimachinery 0.37.2 (Quantity.Add, AsApproximateFloat64)."""

from __future__ import annotations

from math import inf, isnan, nan

import pytest

from protoc_gen_crd.cel.library.functions.quantity import add, as_float, compare, get_sign, parse_cel_quantity, subtract

SUMS = (
    ("1", "0e-100", 0.9999999999999999), ("1", "0e-400", nan), ("1", "0e-1048577", nan), ("1", "0e-3000000", nan),
    ("0e-3000000", "1", nan), ("1.5Gi", "0e-2000000", nan), ("5", "0e4294867296", nan), ("1", "0e2000000", 1.0),
    ("1e2000000", "0e-100", inf), ("0e-2000000", "0e5", 0.0),
    ("1e2000000", "0e-1000", nan), ("0e-400", "1e2000000", nan),
)  # fmt: skip
ENDLESS = (("1", "0e-2147483648"), ("1n", "0e999999999900001"), ("1e2147483647", "0e-2147483648"))


@pytest.mark.parametrize(("one", "two", "expected"), SUMS)
def test_a_zero_lowers_the_scale(one: str, two: str, expected: float) -> None:
    total = add(parse_cel_quantity(one), parse_cel_quantity(two))
    assert as_float(total) == pytest.approx(expected, rel=0, abs=0, nan_ok=True)


def test_a_difference_has_the_lowest_scale() -> None:
    far, low = parse_cel_quantity("1e2000000"), parse_cel_quantity("0e-1000")
    assert as_float(subtract(add(low, far), far)) == 0
    assert isnan(as_float(subtract(far, far)))
    assert isnan(as_float(add(parse_cel_quantity("0"), add(low, far))))


@pytest.mark.parametrize(("one", "two"), ENDLESS)
def test_a_sum_that_servers_do_not_finish(one: str, two: str) -> None:
    total = add(parse_cel_quantity(one), parse_cel_quantity(two))
    assert get_sign(total) == 1
    assert compare(total, parse_cel_quantity(one)) == 0
