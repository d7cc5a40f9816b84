"""Strings and numbers as Go formats them; results that are not obvious were taken from Go."""

from __future__ import annotations

import math

import pytest

from protoc_gen_crd.golang.fmt import format_number, quote


@pytest.mark.parametrize(
    ("string", "quoted"),
    [
        ("a", '"a"'),
        ('"\\', r'"\"\\"'),
        ("\a\b\f\n\r\t\v", r'"\a\b\f\n\r\t\v"'),
        ("\x00\x7f", r'"\x00\x7f"'),
        ("é☃", '"é☃"'),
        ("\u00a0\u200b", r'"\u00a0\u200b"'),
        ("\U000e0001", r'"\U000e0001"'),
    ],
)
def test_quoted_strings(string: str, quoted: str) -> None:
    assert quote(string) == quoted


@pytest.mark.parametrize(
    ("value", "formatted"),
    [
        (0.0, "0"), (-0.0, "-0"), (1.0, "1"), (1.5, "1.5"), (0.1, "0.1"), (100000.0, "100000"), (1e6, "1e+06"),
        (1234567.0, "1.234567e+06"), (0.0001, "0.0001"), (0.00001, "1e-05"), (-2.5e-7, "-2.5e-07"), (1e21, "1e+21"),
        (1e300, "1e+300"), (123456.5, "123456.5"),
    ],
)  # fmt: skip
def test_numbers(value: float, formatted: str) -> None:
    assert format_number(value) == formatted


def test_what_is_no_number() -> None:
    assert [format_number(value) for value in (math.inf, -math.inf, math.nan)] == ["+Inf", "-Inf", "NaN"]
