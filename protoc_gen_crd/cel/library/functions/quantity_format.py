"""Canonical strings of quantities. Source: k8s.io/apimachinery pkg/api/resource quantity.go, suffix.go."""

from __future__ import annotations

from .digits import format_digits
from .inf_decimal import FARTHEST, InfDecimal, shift_decimal
from .quantity_arithmetic import BINARY, DECIMAL, QuantityAmount
from .quantity_parser import BINARY_SUFFIXES, DECIMAL_SUFFIXES

_DECIMAL_NAMES = {power: suffix for suffix, power in DECIMAL_SUFFIXES.items()}
_BINARY_NAMES = {power: suffix for suffix, power in BINARY_SUFFIXES.items()}


def format_quantity(amount: QuantityAmount) -> str:
    """Return the original string if it was canonical, else the canonical form."""
    if amount.written:
        return amount.written
    value, power = amount.get_parts()
    if not value:
        return "0"
    if (
        amount.form == BINARY
        and power <= FARTHEST
        and amount.compare(QuantityAmount(1024, 0, "")) * amount.compare(QuantityAmount(-1024, 0, "")) >= 0
    ):
        rounded = InfDecimal(value, power)
        if power < 0:
            rounded.round_up(0)
        if power >= 0 or not value % 10**-power:
            return _format_binary(shift_decimal(rounded.unscaled, rounded.scale))
    return _format_decimal(value, power, DECIMAL if amount.form == BINARY else amount.form)


def _format_decimal(value: int, power: int, form: str) -> str:
    digits = format_digits(value)
    significant = digits.rstrip("0")
    power += len(digits) - len(significant)
    string, power = significant + "0" * (power % 3), power - power % 3
    if form == DECIMAL:
        return string + _DECIMAL_NAMES.get(power, "")
    return f"{string}e{power}" if power else string


def _format_binary(value: int) -> str:
    power = ((value & -value).bit_length() - 1) // 10 * 10
    return f"{format_digits(value >> power)}{_BINARY_NAMES.get(power, '')}"
