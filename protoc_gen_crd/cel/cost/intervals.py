"""Unsigned 64-bit numbers for costs and sizes, which saturate at the maximum.

An interval is a minimum and a maximum. Source: cel-go v0.29 `checker/cost.go`.
"""

from __future__ import annotations

from math import ceil

Interval = tuple[int, int]

MAX_UINT64 = (1 << 64) - 1
UNKNOWN: Interval = (0, MAX_UINT64)
ZERO: Interval = (0, 0)
ONE: Interval = (1, 1)
TEXT_FACTOR, PATTERN_FACTOR = 0.1, 0.25  # cost per character of a string that is read, and of a pattern
_TWO_TO_63, _TWO_TO_64 = 1 << 63, float(1 << 64)


def make_exact(value: int) -> Interval:
    """Return the interval of one number."""
    return value, value


def add(first: Interval, second: Interval) -> Interval:
    """Return the sum."""
    return _saturate((first[0] + second[0], first[1] + second[1]))


def multiply(first: Interval, second: Interval) -> Interval:
    """Return the product."""
    return _saturate((first[0] * second[0], first[1] * second[1]))


def _saturate(interval: Interval) -> Interval:
    return (
        interval
        if interval[1] <= MAX_UINT64 and interval[0] <= MAX_UINT64
        else (min(interval[0], MAX_UINT64), min(interval[1], MAX_UINT64))
    )


def union(first: Interval, second: Interval) -> Interval:
    """Return the smallest interval that contains both."""
    return min(first[0], second[0]), max(first[1], second[1])


def multiply_by_factor(interval: Interval, factor: float) -> Interval:
    """Return the product with a factor, rounded up."""
    return multiply_number(interval[0], factor), multiply_number(interval[1], factor)


def multiply_number(value: int, factor: float) -> int:
    """Return the product of a number and a factor, rounded up."""
    product = float(value) * factor
    return MAX_UINT64 if product >= _TWO_TO_64 else ceil(product)


def wrap_uint64(value: int) -> int:
    """Return a number modulo 2^64."""
    return value & MAX_UINT64


def to_int64(value: float) -> int:
    """Convert a whole float as amd64 does: one that is out of range becomes 2^63."""
    return wrap_uint64(int(value)) if -_TWO_TO_63 <= value < _TWO_TO_64 else _TWO_TO_63
