"""Descriptions of changed facts: values that are too long."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.fact_descriptions import describe_fact, format_value


@pytest.mark.parametrize(
    ("value", "end"),
    [("self.a " * 20, 'self.a se…"'), ('"' * 80, '\\"…"'), ("\\" * 80, '\\\\…"'), (list(range(40)), "16, 1…")],
)
def test_a_shortened_string_is_closed(value: object, end: str) -> None:
    assert format_value(value).endswith(end)
    assert len(format_value(value)) <= 61


def test_strings_are_shortened_to_their_difference() -> None:
    old, new = (f"{'has(self.a) && ' * 9}{end}{' || true' * 9}" for end in ("self.a == 1", "self.a == 2"))
    before, after = describe_fact("pattern", old, new).removeprefix("pattern ").split(" is now ")
    assert "self.a == 1" in before
    assert "self.a == 2" in after
    assert all(part.startswith('"…') and part.endswith('…"') for part in (before, after))
