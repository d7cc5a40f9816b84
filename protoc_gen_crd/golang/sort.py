"""Sorting with the results of Go's sort.Slice, which does not keep the order of equal items but is deterministic.

Pattern-defeating quicksort (O. Peters) with Go's pivots and its pseudorandom swaps. Source: Go 1.26 sort zsortfunc.go,
sort.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

_T = TypeVar("_T")
_FEW, _MANY = 12, 50  # up to so many items: insertion sort; from so many items on: a better pivot
_SHIFTS, _MOST_SWAPS = 5, 12
_WORD = (1 << 64) - 1


def sort(items: list[_T], less: Callable[[_T, _T], bool]) -> None:
    """Sort a list in place."""
    _Sorter(items, less).sort(0, len(items), len(items).bit_length())


class _Sorter(Generic[_T]):
    """A sort of a list; ranges of indexes exclude their end."""

    def __init__(self, items: list[_T], less: Callable[[_T, _T], bool]) -> None:
        self.items, self._less = items, less

    def is_less(self, left: int, right: int) -> bool:
        return self._less(self.items[left], self.items[right])

    def swap(self, left: int, right: int) -> None:
        items = self.items
        items[left], items[right] = items[right], items[left]

    def sort(self, start: int, end: int, limit: int) -> None:
        balanced = partitioned = True
        while end - start > _FEW:
            if not limit:
                self._sort_by_heap(start, end)
                return
            if not balanced:
                self._break_patterns(start, end)
                limit -= 1
            pivot, swaps = self._choose_pivot(start, end)
            if swaps == _MOST_SWAPS:
                self.items[start:end] = self.items[start:end][::-1]
                pivot, swaps = end - 1 - (pivot - start), 0
            if balanced and partitioned and not swaps and self._sort_nearly_sorted(start, end):
                return
            if start > 0 and not self.is_less(start - 1, pivot):
                start = self._skip_equal(start, end, pivot)
                continue
            middle, partitioned = self._partition(start, end, pivot)
            balanced = min(middle - start, end - middle) >= (end - start) // 8
            if middle - start < end - middle:
                self.sort(start, middle, limit)
                start = middle + 1
            else:
                self.sort(middle + 1, end, limit)
                end = middle
        for at in range(start + 1, end):
            self._insert_down(at, start)

    def _insert_down(self, at: int, start: int) -> None:
        """Insert an item into the sorted items before it."""
        while at > start and self.is_less(at, at - 1):
            self.swap(at, at - 1)
            at -= 1

    def _sort_by_heap(self, start: int, end: int) -> None:
        size = end - start
        for root in range((size - 1) // 2, -1, -1):
            self._sift_down(root, size, start)
        for last in range(size - 1, -1, -1):
            self.swap(start, start + last)
            self._sift_down(0, last, start)

    def _sift_down(self, root: int, size: int, start: int) -> None:
        while (child := 2 * root + 1) < size:
            if child + 1 < size and self.is_less(start + child, start + child + 1):
                child += 1
            if not self.is_less(start + root, start + child):
                return
            self.swap(start + root, start + child)
            root = child

    def _partition_around(
        self, start: int, end: int, is_left: Callable[[int], bool], is_right: Callable[[int], bool]
    ) -> tuple[int, int]:
        """Return the first and the last item on the wrong side; the first is after the last if there is none."""
        while start <= end and is_left(start):
            start += 1
        while start <= end and is_right(end):
            end -= 1
        return start, end

    def _partition(self, start: int, end: int, pivot: int) -> tuple[int, bool]:
        """Move items less than the pivot before it. Return its index, and whether nothing was moved."""
        self.swap(start, pivot)
        low, high = start + 1, end - 1
        partitioned = True
        while True:
            low, high = self._partition_around(
                low, high, lambda at: self.is_less(at, start), lambda at: not self.is_less(at, start)
            )
            if low > high:
                self.swap(high, start)
                return high, partitioned
            self.swap(low, high)
            low, high, partitioned = low + 1, high - 1, False

    def _skip_equal(self, start: int, end: int, pivot: int) -> int:
        """Move items equal to the pivot, the least item, to the front. Return the index after them."""
        self.swap(start, pivot)
        low, high = start + 1, end - 1
        while True:
            low, high = self._partition_around(
                low, high, lambda at: not self.is_less(start, at), lambda at: self.is_less(start, at)
            )
            if low > high:
                return low
            self.swap(low, high)
            low, high = low + 1, high - 1

    def _sort_nearly_sorted(self, start: int, end: int) -> bool:
        """Sort a list with a few misplaced items. Return whether it is sorted then."""
        at = start + 1
        for _ in range(_SHIFTS):
            while at < end and not self.is_less(at, at - 1):
                at += 1
            if at == end:
                return True
            if end - start < _MANY:
                return False
            self.swap(at, at - 1)
            if at - start >= 2:
                self._insert_down(at - 1, 0)
            if end - at >= 2:
                self._insert_up(at + 1, end)
        return False

    def _insert_up(self, at: int, end: int) -> None:
        while at < end and self.is_less(at, at - 1):
            self.swap(at, at - 1)
            at += 1

    def _break_patterns(self, start: int, end: int) -> None:
        length = end - start
        random, mask = length, (1 << length.bit_length()) - 1
        middle = start + length // 4 * 2
        for index in (middle - 1, middle, middle + 1):
            random ^= random << 13 & _WORD
            random ^= random >> 7
            random ^= random << 17 & _WORD
            other = random & mask
            self.swap(index, start + (other - length if other >= length else other))

    def _choose_pivot(self, start: int, end: int) -> tuple[int, int]:
        """Return the index of a pivot, and the number of swaps that were needed to find it."""
        quarter = (end - start) // 4
        candidates, swaps = [start + quarter, start + 2 * quarter, start + 3 * quarter], 0
        if end - start >= _MANY:
            for index, candidate in enumerate(candidates):
                candidates[index], more = self._find_median(candidate - 1, candidate, candidate + 1)
                swaps += more
        pivot, more = self._find_median(*candidates)
        return pivot, swaps + more

    def _find_median(self, first: int, second: int, third: int) -> tuple[int, int]:
        swaps = 0
        if self.is_less(second, first):
            first, second, swaps = second, first, 1
        if self.is_less(third, second):
            second, third, swaps = third, second, swaps + 1
        if self.is_less(second, first):
            first, second, swaps = second, first, swaps + 1
        return second, swaps
