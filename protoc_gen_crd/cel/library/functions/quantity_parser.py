"""The parser of quantities such as `1.5Gi`: sign, digits, and suffix.

Source: k8s.io/apimachinery pkg/api/resource quantity.go, amount.go, suffix.go; gopkg.in/inf.v0.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record

from .digits import parse_digits
from .inf_decimal import InfDecimal
from .quantity_arithmetic import BINARY, DECIMAL, DECIMAL_EXPONENT, MAX_INT64, MIN_INT64, QuantityAmount

DECIMAL_SUFFIXES = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
BINARY_SUFFIXES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}

_WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_BAD_SUFFIX, _BAD_NUMBER = "unable to parse quantity's suffix", "unable to parse numeric part of quantity"
# Possessive quantifiers: no digit can belong to another part, and backtracking would be cubic.
_QUANTITY = re.compile(r"([+-]?)0*+([0-9]*+)(?:\.([0-9]*+))?([eEinumkKMGTP]*+[-+]?[0-9]*+)")
_NANO = -9
_DIGITS = 18  # so many digits always fit into an int64
_LEAST_ZERO = -1000  # scale of zero; a sum with it overflows float64 as with any lower one


class QuantityError(Exception):
    """A string is not a quantity; the message is the server's."""


class QuantityParts(Record):
    """The parts of a quantity: number before the suffix, its digits, and the power and form of the suffix."""

    number: str
    positive: bool
    whole: str
    fraction: str
    power: int
    form: str


def parse_quantity(string: str) -> QuantityAmount:
    """Parse a quantity. Raises QuantityError."""
    if string == "0":
        return QuantityAmount(0, 0, DECIMAL, string)
    parts = _split_quantity(string)
    return _parse_int64_amount(string, parts) or _parse_large_amount(parts)


def _split_quantity(string: str) -> QuantityParts:
    match = _QUANTITY.fullmatch(string)
    if match is None or not string:
        raise QuantityError(_WRONG)
    sign, whole, fraction, suffix = match.groups(default="")
    power, form = _parse_suffix(suffix)
    return QuantityParts(string[: len(string) - len(suffix)], sign != "-", whole or "0", fraction, power, form)


def _parse_suffix(suffix: str) -> tuple[int, str]:
    """Return the power and the form of a suffix. Raises QuantityError."""
    if suffix in DECIMAL_SUFFIXES:
        return DECIMAL_SUFFIXES[suffix], DECIMAL
    if suffix in BINARY_SUFFIXES:
        return BINARY_SUFFIXES[suffix], BINARY
    power = re.fullmatch("[eE]([-+]?)0*([0-9]{1,19})", suffix)
    if power and MIN_INT64 <= int(power[1] + power[2]) <= MAX_INT64:
        return _wrap_int32(int(power[1] + power[2])), DECIMAL_EXPONENT
    raise QuantityError(_BAD_SUFFIX)


def _parse_int64_amount(string: str, parts: QuantityParts) -> QuantityAmount | None:
    """Return the small form, or None if the number does not fit."""
    scale, factor = parts.power, 1
    precision = _DIGITS - len(parts.whole) - len(parts.fraction)
    if parts.form == BINARY:
        scale, factor = 0, 1 << parts.power
        precision = -1 if parts.fraction else 14 - len(parts.whole) - parts.power * 3 // 10
    scale = _wrap_int32(scale - len(parts.fraction))
    if precision < 0 or scale < _NANO:
        return None
    digits = parts.whole + parts.fraction
    value = int(digits) * factor
    if value > MAX_INT64:
        return None
    if parts.form == BINARY:
        canonical = int(digits) & 7 != 0
    else:
        canonical = scale % 3 == 0 and not digits.endswith("000") and digits[0] != "0"
    return QuantityAmount(value if parts.positive else -value, scale, parts.form, string if canonical else "")


def _parse_large_amount(parts: QuantityParts) -> QuantityAmount:
    """Return the large form; no finer than a billionth, with binary suffixes no larger than an int64."""
    if not re.search("[0-9]", parts.number):
        raise QuantityError(_BAD_NUMBER)
    form, scale, lowest = parts.form, -len(parts.fraction), _NANO
    if form == BINARY:
        lowest -= parts.power  # a billionth of 2**power has so many more digits
    else:
        scale = _wrap_int32(scale + parts.power)
    digits, scale = _drop_digits(parts.whole + parts.fraction, scale, lowest)
    number = InfDecimal(parse_digits(digits) << (parts.power if form == BINARY else 0), scale)
    if number.unscaled:
        number.round_up(_NANO)
    else:
        number.scale = max(number.scale, _LEAST_ZERO)
    if form == BINARY and number.unscaled > MAX_INT64 * 10**-number.scale:
        number = InfDecimal(MAX_INT64, 0)
    if form == BINARY and 0 < number.unscaled < 10**-number.scale:
        form = DECIMAL
    if not parts.positive:
        number.unscaled = -number.unscaled
    return QuantityAmount(0, 0, form, large=number)


def _drop_digits(digits: str, scale: int, lowest: int) -> tuple[str, int]:
    """Replace the digits below the scale `lowest` with one digit, which rounds up as they do, and return the scale."""
    if scale >= lowest or not digits.strip("0"):
        return digits, scale
    kept = max(len(digits) - (lowest - scale), 0)
    return digits[:kept] + ("1" if digits[kept:].strip("0") else "0"), lowest - 1


def _wrap_int32(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)
