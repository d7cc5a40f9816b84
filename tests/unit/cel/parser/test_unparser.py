"""Line ends, numbers and strings in printed form; the recorded answers cover the rest."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cel.parser.ast import Ast
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.unparser import unparse


def printed(text: str) -> str:
    parsed = parse(text)
    assert isinstance(parsed, Ast), str(parsed)
    return unparse(parsed)


@pytest.mark.parametrize("operator", ["&&", "||"])
@pytest.mark.parametrize(("letters", "wraps"), [(73, False), (74, True)])
def test_a_line_ends_behind_the_operator_past_column_80(operator: str, letters: int, wraps: bool) -> None:
    """The quotes and the four letters of the operator's name count."""
    string = f'"{"x" * letters}"'
    assert printed(f"{string} {operator} b") == f"{string} {operator}{chr(10) if wraps else ' '}b"


def test_bytes_are_counted_from_the_last_line_end() -> None:
    long = f'"{"é" * 37}"'
    assert printed(f"{long} && b && {long} && c") == f"{long} &&\nb && {long} &&\nc"


def test_other_operators_do_not_end_lines() -> None:
    text = " + ".join(["a" * 30] * 4)
    assert printed(text) == text


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0.0, "0.0"),
        (0.0001, "0.0001"),
        (0.00001234, "1.234e-05"),
        (999999.5, "999999.5"),
        (1000000.0, "1e+06"),
        (1234567.25, "1.23456725e+06"),
        (1e16, "1e+16"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
    ],
)
def test_floating_point_numbers(number: float, shown: str) -> None:
    assert printed(f"{number!r}") == shown
    assert printed(f"-{number!r}") == f"-{shown}"


@pytest.mark.parametrize(
    ("char", "shown"),
    [
        ("\n", r"\n"),
        ("\x00", r"\x00"),
        ("\x7f", r"\x7f"),
        ("\x80", r"\u0080"),
        ("\u2028", r"\u2028"),
        ("é", "é"),
        ("\U0001f600", "\U0001f600"),
        ("\U000e0001", r"\U000e0001"),
        ('"', r"\""),
        ("\\", r"\\"),
        ("'", "'"),
    ],
)
def test_characters_of_strings(char: str, shown: str) -> None:
    assert printed(f"'\\U{ord(char):08x}'") == f'"{shown}"'
