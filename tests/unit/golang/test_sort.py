"""Sorting by Go's choices; which of equal items comes first is held by `testdata/cel/functions.jsonl` (sortBy)."""

from __future__ import annotations

from operator import lt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protoc_gen_crd.golang.sort import sort


@given(st.lists(st.integers(-9, 9), max_size=200))
def test_items_are_sorted(items: list[int]) -> None:
    wanted = sorted(items)
    sort(items, lt)
    assert items == wanted


@pytest.mark.parametrize("count", [0, 1, 12, 13, 49, 50, 1000])
def test_patterns_are_sorted(count: int) -> None:
    for pattern in (range(count), range(count, 0, -1), [at * 7919 % 101 for at in range(count)], [1] * count):
        items = list(pattern)
        sort(items, lt)
        assert items == sorted(pattern)


def test_few_equal_items_stay_in_order() -> None:
    items = [(at % 2, at) for at in range(12)]
    sort(items, lambda one, other: one[0] < other[0])
    assert items == sorted(items)


def test_nothing_hangs_where_order_is_none() -> None:
    items = list(range(100))
    sort(items, lambda one, other: (one * other) % 3 == 1)
    assert sorted(items) == list(range(100))
