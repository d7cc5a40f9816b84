"""Conversion between integers and decimal digits, in less than quadratic time.

Python's own conversion is quadratic, and limited to 4,300 digits.
"""

from __future__ import annotations

import decimal
from decimal import Decimal
from functools import cache

_READ_AT_ONCE = 4000  # digits
_WRITTEN_AT_ONCE = 4096  # bits
_EXACT = decimal.Context(decimal.MAX_PREC, Emin=decimal.MIN_EMIN, Emax=decimal.MAX_EMAX, traps=[decimal.Inexact])


def parse_digits(digits: str) -> int:
    """Return the integer of decimal digits."""
    if len(digits) <= _READ_AT_ONCE:
        return int(digits)
    half = len(digits) // 2
    return parse_digits(digits[:half]) * int(10 ** (len(digits) - half)) + parse_digits(digits[half:])


def format_digits(value: int) -> str:
    """Return the decimal digits of an integer, with its sign."""

    @cache
    def compute_power(bits: int) -> Decimal:
        return (
            Decimal(1 << bits) if bits <= _WRITTEN_AT_ONCE else compute_power(bits // 2) * compute_power(-(-bits // 2))
        )

    def convert(number: int, bits: int) -> Decimal:
        if bits <= _WRITTEN_AT_ONCE:
            return Decimal(number)
        half = bits // 2
        return convert(number >> half, bits - half) * compute_power(half) + convert(number & ((1 << half) - 1), half)

    with decimal.localcontext(_EXACT):
        return f"{convert(value, value.bit_length()):f}"
