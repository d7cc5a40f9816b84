"""Canonical strings of quantities. Source: k8s.io/apimachinery pkg/api/resource quantity.go, suffix.go."""

from __future__ import annotations

from decimal import Decimal

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
    while not value % 10:
        value, power = value // 10, power + 1
    string, power = f"{Decimal(value * 10 ** (power % 3)):f}", power - power % 3
    if form == DECIMAL:
        return string + _DECIMAL_NAMES.get(power, "")
    return f"{string}e{power}" if power else string


def _format_binary(value: int) -> str:
    power = 0
    while not value % 1024:
        value, power = value // 1024, power + 10
    return f"{value}{_BINARY_NAMES.get(power, '')}"
