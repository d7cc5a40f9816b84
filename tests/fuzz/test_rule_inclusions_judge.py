"""The judge of inclusions of rules itself: wrong claims are found."""

from __future__ import annotations

from typing import Any

from tests.fuzz.harness import attempt
from tests.fuzz.surfaces.rule_inclusions import RuleInclusions

SEED, COUNT = 1, 5


def _claim_always(*_: Any) -> list[Any]:
    return []


def test_a_wrong_claim_is_found() -> None:
    fuzzer = RuleInclusions(_claim_always)
    failures = (attempt(fuzzer, fuzzer.input(SEED, index)) for index in range(COUNT))
    assert any(failed is not None and "does not imply" in failed[0] for failed in failures)


def test_inclusions_are_claimed() -> None:
    fuzzer = RuleInclusions()
    assert all(fuzzer.run(fuzzer.input(SEED, index)) != "[]" for index in range(COUNT))
