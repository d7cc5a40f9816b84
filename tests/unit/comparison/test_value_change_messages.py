"""Descriptions of changed facts: values that are too long."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.change import Difference
from protoc_gen_crd.comparison.change_rule_messages import describe_difference
from protoc_gen_crd.comparison.value_change_messages import describe_fact, format_value


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


@pytest.mark.parametrize(
    ("name", "old", "new", "description"),
    [
        ("nullable", None, True, "now nullable"),
        ("nullable", True, False, "no longer nullable"),
        ("storage", True, None, "no longer the storage version"),
        ("uniqueItems", None, True, "duplicate items are now rejected"),
        ("exclusiveMinimum", True, None, "minimum is no longer exclusive"),
        ("optionalOldSelf", None, True, "optionalOldSelf is now true"),
        ("optionalOldSelf", True, None, "optionalOldSelf is no longer true"),
        ("channel", "alpha", "stable", "moved from channel alpha to stable"),
        ("channel", None, "extended", "moved to channel extended"),
        ("channel", "extended", None, "no longer in channel extended"),
        ("default", None, True, "default true is new"),
        ("default", True, False, "default true is now false"),
        ("default", True, "yes", 'default true is now "yes"'),
    ],
)
def test_a_flag_is_described_by_its_effect(name: str, old: object, new: object, description: str) -> None:
    assert describe_fact(name, old, new) == description


@pytest.mark.parametrize(
    ("rule", "old", "new", "message"),
    [
        ("change-field-added", None, "string", "field of type string is added"),
        ("change-field-added", None, "any type", "field of any type is added"),
        ("change-field-removed", "any type", None, "field of any type is removed"),
        ("change-type", "any type", "string", "any type is now string"),
    ],
)
def test_types_of_fields(rule: str, old: object, new: object, message: str) -> None:
    assert describe_difference(Difference(rule, "", old, new)) == message
