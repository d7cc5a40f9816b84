"""Descriptions of enum values that were added or removed."""

from __future__ import annotations

from protoc_gen_crd.comparison.enum_value_changes import describe_values


def test_the_empty_string_has_a_name() -> None:
    sides = {"enum": ["", "S"]}, {"enum": ["S", "M"]}
    assert list(describe_values(*sides, "1.1", "stable")) == ['"" removed since 1.1', "M since 1.1"]
