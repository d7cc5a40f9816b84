"""The arithmetic of quantities: exact numbers in one of two forms, as in Kubernetes. It does not depend on CEL.

The form is observable: only the small one converts to an integer, and results of large operands stay large. Source:
k8s.io/apimachinery pkg/api/resource quantity.go, amount.go; gopkg.in/inf.v0.
"""

from __future__ import annotations

from .inf_decimal import InfDecimal, shift_decimal

DECIMAL_EXPONENT, BINARY, DECIMAL = "DecimalExponent", "BinarySI", "DecimalSI"  # formats
MIN_INT64, MAX_INT64 = -(1 << 63), (1 << 63) - 1
_OVERFLOWING = 309  # power of ten that is no float64


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
        if left is None or right is None or not MIN_INT64 <= left + right <= MAX_INT64:
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


def _scale_int64(value: int, power: int) -> int | None:
    """Multiply an int64 by a power of ten, or return None if it overflows."""
    if not value or not power:
        return value
    product = value * 10 ** min(power, 20)
    return product if MIN_INT64 <= product <= MAX_INT64 and value != MIN_INT64 else None


def _compute_power_of_ten(power: int) -> float:
    """Return ten to a power as Go's math.Pow10, which is not always the nearest float."""
    if power < -323 or power > 308:
        return 0.0 if power < 0 else float("inf")
    high, low = divmod(abs(power), 32)
    if power >= 0:
        return float(f"1e{32 * high}") * float(f"1e{low}")
    return float(f"1e-{32 * high}") / float(f"1e{low}")


def _wrap_int64(value: int) -> int:
    return (value - MIN_INT64) % (1 << 64) + MIN_INT64
