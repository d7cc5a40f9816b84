"""Sorting as in Go; `testdata/cel/functions.jsonl` (sortBy) has cases for the order of equal items."""

from __future__ import annotations

from operator import lt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protoc_gen_crd.golang.sort import sort


@given(st.lists(st.integers(-9, 9), max_size=200))
def test_items_are_sorted(items: list[int]) -> None:
    expected = sorted(items)
    sort(items, lt)
    assert items == expected


@pytest.mark.parametrize("count", [0, 1, 12, 13, 49, 50, 1000])
def test_patterns_are_sorted(count: int) -> None:
    for pattern in (range(count), range(count, 0, -1), [at * 7919 % 101 for at in range(count)], [1] * count):
        items = list(pattern)
        sort(items, lt)
        assert items == sorted(pattern)


def test_few_equal_items_stay_in_order() -> None:
    items = [(at % 2, at) for at in range(12)]
    sort(items, lambda left, right: left[0] < right[0])
    assert items == sorted(items)


def test_inconsistent_order_does_not_hang() -> None:
    items = list(range(100))
    sort(items, lambda left, right: (left * right) % 3 == 1)
    assert sorted(items) == list(range(100))
