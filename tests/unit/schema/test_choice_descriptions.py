"""Descriptions of choices between fields: only of schemas that mean exactly this."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.schema.choice_descriptions import describe_choice

A, B = {"required": ["a"]}, {"required": ["b"]}


@pytest.mark.parametrize(
    ("keyword", "branches", "expected"),
    [
        ("oneOf", [A, B], "exactly one of a, b"),
        ("anyOf", [A, B], "at least one of a, b"),
        ("oneOf", [{"not": {"anyOf": [A, B]}}, A, B], "at most one of a, b"),
        ("oneOf", [{"not": A}, A], "at most one of a"),
        ("oneOf", [{"not": {"anyOf": [A]}}, A, B], ""),
        ("oneOf", [{"not": B}, A], ""),
        ("anyOf", [{"not": B}, A], ""),
        ("anyOf", [{"not": {"anyOf": [A, B]}}, A, B], ""),
        ("oneOf", [{"not": {"required": ["a", "b"]}}, A, B], ""),
    ],
)
def test_a_choice_is_described(keyword: str, branches: list[Any], expected: str) -> None:
    assert describe_choice(keyword, branches) == expected
