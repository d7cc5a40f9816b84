"""Minimization of values, also against copies of whole values."""

from __future__ import annotations

import copy
from typing import Any

from protoc_gen_crd.samples.minimization import minimize_value
from protoc_gen_crd.samples.sample_validator import count_parts

KEPT = frozenset(("kind",))


def test_members_and_items_that_are_not_needed_are_removed() -> None:
    value = {"kind": "A", "a": [{"b": 1, "c": 2}, {"b": 3}], "d": {"e": {}}}

    def has_c(other: Any) -> bool:
        return any("c" in item for item in other.get("a", ()))

    smaller = minimize_value(value, has_c, KEPT)
    assert smaller == {"kind": "A", "a": [{"c": 2}]}
    assert value == {"kind": "A", "a": [{"b": 1, "c": 2}, {"b": 3}], "d": {"e": {}}}


def test_values_are_judged_until_their_parts_are_used_up() -> None:
    judged: list[Any] = []

    def reject(value: Any) -> bool:
        judged.append(value)
        return False

    value = {"a": [1, 2, 3], "b": {"c": 1}}
    assert minimize_value(value, reject, KEPT, 20) == value
    assert sum(count_parts(other) for other in judged) < 20 <= sum(count_parts(other) for other in judged) + 7


def test_no_judged_value_changes_later() -> None:
    for number in range(50):
        judged: list[tuple[Any, Any]] = []

        def judge(value: Any, judged: list[tuple[Any, Any]] = judged, number: int = number) -> bool:
            judged.append((value, copy.deepcopy(value)))
            return len(judged) % (2 + number % 5) == 1

        value = {f"k{at}": [{"a": at, "b": [at, {"c": {}}]}] * ((at + number) % 3) for at in range(4)}
        smaller = minimize_value(value, judge, KEPT)
        assert all(other == copied for other, copied in judged)
        assert smaller in [value, *(other for other, _ in judged)]
        assert judged
