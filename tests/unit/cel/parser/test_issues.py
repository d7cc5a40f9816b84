"""The format of issues."""

from __future__ import annotations

import pytest

from protoc_gen_crd.cel.parser.ast import NO_PLACE
from protoc_gen_crd.cel.parser.issues import Issue, Rejection


@pytest.mark.parametrize(
    ("text", "at", "shown"),
    [
        ("a + b", 2, "ERROR: <input>:1:3: m\n | a + b\n | ..^"),
        ("a +\n\tb", 5, "ERROR: <input>:2:2: m\n |  b\n | .^"),
        ("'é' + é", 6, "ERROR: <input>:1:7: m\n | 'é' + é\n | .\uff0e....\uff3e"),
        ("a", 1, "ERROR: <input>:1:2: m\n | a\n | .^"),
        ("a", NO_PLACE, "ERROR: <input>:-1:0: m"),
        ("", 0, "ERROR: <input>:1:1: m"),
        ("a" * 16_385, 0, "ERROR: <input>:1:1: m"),
        ("\ud800", 0, "ERROR: <input>:1:1: m\n | \ud800\n | \uff3e"),
    ],
)
def test_one(text: str, at: int, shown: str) -> None:
    assert str(Rejection(text, (Issue("m", at),))) == shown


def test_many_are_sorted_by_place_and_cut() -> None:
    issues = tuple([Issue(f"m{at}", at % 101) for at in reversed(range(103))])
    lines = str(Rejection("a" * 200, issues)).splitlines()
    assert lines[0].startswith("ERROR: <input>:1:1: m101")
    assert lines[-1] == "3 more errors were truncated"
    assert len(lines) == 301
