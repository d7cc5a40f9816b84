"""The arithmetic of quantities: exact numbers in one of two forms, as in Kubernetes. It does not depend on CEL.

The form is observable: only the small one converts to an integer, and results of large operands stay large. Source:
k8s.io/apimachinery pkg/api/resource quantity.go, amount.go, suffix.go; gopkg.in/inf.v0.
"""

from __future__ import annotations

import re
from decimal import Decimal

from protoc_gen_crd.base.record import Record

from .inf_decimal import FARTHEST, InfDecimal, shift_decimal

DECIMAL_EXPONENT, BINARY, DECIMAL = "DecimalExponent", "BinarySI", "DecimalSI"

_WRONG = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_BAD_SUFFIX, _BAD_NUMBER = "unable to parse quantity's suffix", "unable to parse numeric part of quantity"
_TEXT = re.compile(r"([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)")
_DECIMALS = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_BINARIES = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}
_DECIMAL_SUFFIXES = {power: suffix for suffix, power in _DECIMALS.items()}
_BINARY_SUFFIXES = {power: suffix for suffix, power in _BINARIES.items()}
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1
_NANO = -9
_OVERFLOWING = 309  # power of ten that is no float64
_DIGITS = 18  # so many digits always fit into an int64
_LEAST_ZERO = -1000  # scale of zero; a sum with it overflows float64 as with any lower one
_READ_AT_ONCE = 4000


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


class QuantityAmount:
    """A number and its print format. `large` is None while the number is `value` times ten to `scale`."""

    __slots__ = ("form", "large", "scale", "value", "written")

    def __init__(self, value: int, scale: int, form: str, written: str = "", large: InfDecimal | None = None) -> None:
        self.value, self.scale, self.form, self.written, self.large = value, scale, form, written, large

    def copy(self, *, deep: bool) -> QuantityAmount:
        """Copy the amount; without `deep`, a large number is shared."""
        large = self.large.copy() if deep and self.large is not None else self.large
        return QuantityAmount(self.value, self.scale, self.form, "", large)

    def get_parts(self) -> tuple[int, int]:
        """Return the digits and the power of ten."""
        return (self.value, self.scale) if self.large is None else (self.large.unscaled, self.large.scale)

    def convert_to_large(self) -> InfDecimal:
        """Convert to the large form and return it."""
        if self.large is None:
            self.large = InfDecimal(self.value, self.scale)
            self.value = self.scale = 0
        return self.large

    def get_sign(self) -> int:
        """Return -1, 0, or 1."""
        number = self.get_parts()[0]
        return (number > 0) - (number < 0)

    def add(self, other: QuantityAmount, *, negated: bool = False) -> None:
        """Add or subtract in place."""
        self.written = ""
        if not self.get_sign():
            self.form = other.form
        if self.large is None and other.large is None:
            value = _wrap_int64(-other.value) if negated else other.value
            if self._add_small(value, other.scale):
                return
        unscaled, scale = other.get_parts()
        total = self.convert_to_large()
        total.add(-unscaled if negated else unscaled, scale)
        total.keep_lowest(None if other.large is None else other.large.lowest)

    def _add_small(self, value: int, scale: int) -> bool:
        if not value:
            return True
        if not self.value:
            self.value, self.scale = value, scale
            return True
        least = min(self.scale, scale)
        left, right = _scale_int64(self.value, self.scale - least), _scale_int64(value, scale - least)
        if left is None or right is None or not _LEAST <= left + right <= _MOST:
            return False
        self.value, self.scale = left + right, least
        return True

    def compare(self, other: QuantityAmount) -> int:
        """Return -1, 0, or 1."""
        (left, power), (right, other_power) = self.get_parts(), other.get_parts()
        signs = ((left > 0) - (left < 0), (right > 0) - (right < 0))
        if signs[0] != signs[1] or not signs[0]:
            return (signs[0] > signs[1]) - (signs[0] < signs[1])
        if abs(power - other_power) > (left.bit_length() + right.bit_length()) // 3 + 2:
            return signs[0] if power > other_power else -signs[0]
        least = min(power, other_power)
        left, right = shift_decimal(left, power - least), shift_decimal(right, other_power - least)
        return (left > right) - (left < right)

    def to_int64(self) -> int | None:
        """Return the number as an int64; None for a fraction, an overflow, or the large form."""
        if self.large is not None or self.scale < 0:
            return None
        return _scale_int64(self.value, self.scale)

    def to_float(self) -> float:
        """Return the number as a float, with the server's rounding."""
        value, power = self.get_parts()
        lowest = power if self.large is None or self.large.lowest is None else self.large.lowest
        try:
            base = float(value) if lowest >= power else float(self.get_sign() * 10**_OVERFLOWING)
        except OverflowError:
            base = float("inf") if value > 0 else float("-inf")
        power = min(power, lowest)
        return base if not power else base * _compute_power_of_ten(power)

    def format(self) -> str:
        """Return the original string if it was canonical, else the canonical form."""
        if self.written:
            return self.written
        value, power = self.get_parts()
        if not value:
            return "0"
        if (
            self.form == BINARY
            and power <= FARTHEST
            and self.compare(QuantityAmount(1024, 0, "")) * self.compare(QuantityAmount(-1024, 0, "")) >= 0
        ):
            rounded = InfDecimal(value, power)
            if power < 0:
                rounded.round_up(0)
            if power >= 0 or not value % 10**-power:
                return _format_binary(shift_decimal(rounded.unscaled, rounded.scale))
        return _format_decimal(value, power, DECIMAL if self.form == BINARY else self.form)


def parse_quantity(string: str) -> QuantityAmount:
    """Parse a quantity. Raises QuantityError."""
    if string == "0":
        return QuantityAmount(0, 0, DECIMAL, string)
    parts = _split_text(string)
    return _parse_int64_amount(string, parts) or _parse_large_amount(parts)


def _split_text(string: str) -> QuantityParts:
    match = _TEXT.fullmatch(string)
    if match is None or not string:
        raise QuantityError(_WRONG)
    sign, whole, fraction, suffix = match.groups(default="")
    power, form = _parse_suffix(suffix)
    return QuantityParts(string[: len(string) - len(suffix)], sign != "-", whole or "0", fraction, power, form)


def _parse_suffix(suffix: str) -> tuple[int, str]:
    """Return the power and the form of a suffix. Raises QuantityError."""
    if suffix in _DECIMALS:
        return _DECIMALS[suffix], DECIMAL
    if suffix in _BINARIES:
        return _BINARIES[suffix], BINARY
    power = re.fullmatch("[eE]([-+]?)0*([0-9]{1,19})", suffix)
    if power and _LEAST <= int(power[1] + power[2]) <= _MOST:
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
    if value > _MOST:
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
    number = InfDecimal(_parse_digits(parts.whole + parts.fraction), -len(parts.fraction))
    if parts.form == BINARY:
        number.unscaled <<= parts.power
    else:
        number.scale = _wrap_int32(number.scale + parts.power)
    form = parts.form
    if number.unscaled:
        number.round_up(_NANO)
    else:
        number.scale = max(number.scale, _LEAST_ZERO)
    if form == BINARY and number.unscaled > _MOST * 10**-number.scale:
        number = InfDecimal(_MOST, 0)
    if form == BINARY and 0 < number.unscaled < 10**-number.scale:
        form = DECIMAL
    if not parts.positive:
        number.unscaled = -number.unscaled
    return QuantityAmount(0, 0, form, large=number)


def _format_decimal(value: int, power: int, form: str) -> str:
    while not value % 10:
        value, power = value // 10, power + 1
    string, power = f"{Decimal(value * 10 ** (power % 3)):f}", power - power % 3
    if form == DECIMAL:
        return string + _DECIMAL_SUFFIXES.get(power, "")
    return f"{string}e{power}" if power else string


def _format_binary(value: int) -> str:
    power = 0
    while not value % 1024:
        value, power = value // 1024, power + 10
    return f"{value}{_BINARY_SUFFIXES.get(power, '')}"


def _parse_digits(digits: str) -> int:
    """Parse many digits by halves, since Python limits the conversion."""
    if len(digits) <= _READ_AT_ONCE:
        return int(digits)
    half = len(digits) // 2
    return _parse_digits(digits[:half]) * int(10 ** (len(digits) - half)) + _parse_digits(digits[half:])


def _scale_int64(value: int, power: int) -> int | None:
    """Multiply an int64 by a power of ten, or return None if it overflows."""
    if not value or not power:
        return value
    product = value * 10 ** min(power, 20)
    return product if _LEAST <= product <= _MOST and value != _LEAST else None


def _compute_power_of_ten(power: int) -> float:
    """Return ten to a power as Go's math.Pow10, which is not always the nearest float."""
    if power < -323 or power > 308:
        return 0.0 if power < 0 else float("inf")
    high, low = divmod(abs(power), 32)
    if power >= 0:
        return float(f"1e{32 * high}") * float(f"1e{low}")
    return float(f"1e-{32 * high}") / float(f"1e{low}")


def _wrap_int64(value: int) -> int:
    return (value - _LEAST) % (1 << 64) + _LEAST


def _wrap_int32(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)
