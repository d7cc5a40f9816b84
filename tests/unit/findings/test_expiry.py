"""Suppressions that end, and suppressions of the same change in another command."""

from __future__ import annotations

import pytest

from protoc_gen_crd.findings.expiry import is_expired, is_limit, mark_expired
from protoc_gen_crd.findings.finding import Finding, Severity
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.findings.severity_policy import PolicyEntry, apply_policy

PATH = "acme.example/Widget.v1.spec.color"


@pytest.mark.parametrize("value", ["2026-01-31", "1.4", "0.0"])
def test_a_limit_is_a_day_or_a_release(value: str) -> None:
    assert is_limit(value)


@pytest.mark.parametrize("value", ["", "2026-1-31", "2026-02-30", "v1", "1", "tomorrow", "20260131"])
def test_nothing_else_is_a_limit(value: str) -> None:
    assert not is_limit(value)


@pytest.mark.parametrize(
    ("until", "release", "today", "expected"),
    [
        ("2026-01-31", "", "2026-01-31", False),
        ("2026-01-31", "", "2026-02-01", True),
        ("1.9", "1.9", "2026-02-01", False),
        ("1.9", "1.10", "2026-02-01", True),
        ("1.9", "", "2026-02-01", False),
        ("", "1.9", "2026-02-01", False),
    ],
)
def test_the_last_day_and_the_last_release_are_included(until: str, release: str, today: str, expected: bool) -> None:
    assert is_expired(until, release, today) == expected


def test_an_expired_suppression_has_no_effect_and_is_a_finding() -> None:
    entry = PolicyEntry("change-bound-tightened", Severity.OFF, PATH, "unused", until="1.4")
    entries = mark_expired([entry], "1.5", "2026-01-01")
    result = apply_policy([Finding("change-bound-tightened", "m", path=PATH)], entries, load_rules(), command="changes")
    assert [(item.rule, item.severity) for item in result] == [
        ("change-bound-tightened", Severity.ERROR),
        ("policy-expired", Severity.WARNING),
    ]
