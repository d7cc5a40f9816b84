"""Decimal numbers of any size and scale. Source: gopkg.in/inf.v0."""

from __future__ import annotations

FARTHEST = 1 << 20  # maximum digits between two numbers; beyond this, a server takes seconds to minutes


class InfDecimal:
    """`unscaled` times ten to the power `scale`; shared between quantities and changed in place, as on a server.

    `lowest` is the scale on a server, which writes out all digits down to the lowest scale that was ever added.
    """

    __slots__ = ("lowest", "scale", "unscaled")

    def __init__(self, unscaled: int, scale: int, lowest: int | None = None) -> None:
        self.unscaled, self.scale, self.lowest = unscaled, scale, lowest

    def copy(self) -> InfDecimal:
        """Return an independent copy."""
        return InfDecimal(self.unscaled, self.scale, self.lowest)

    def add(self, unscaled: int, scale: int) -> None:
        """Add a number; of numbers too far apart to be written out, the larger one remains, and zero never does."""
        if (unscaled or self.unscaled) and abs(self.scale - scale) > FARTHEST:
            self.keep_lowest(min(self.scale, scale))
            if not self.unscaled or (unscaled and scale > self.scale):
                self.unscaled, self.scale = unscaled, scale
            return
        least = min(self.scale, scale)
        self.unscaled = shift_decimal(self.unscaled, self.scale - least) + shift_decimal(unscaled, scale - least)
        self.scale = least

    def keep_lowest(self, scale: int | None) -> None:
        """Keep the scale of a number that was added, if it is the lowest one."""
        if scale is not None:
            self.lowest = scale if self.lowest is None else min(self.lowest, scale)

    def round_up(self, scale: int) -> None:
        """Change the scale: round away from zero, or append zeros."""
        if self.scale > scale + FARTHEST:
            return
        if self.scale >= scale:
            self.unscaled = shift_decimal(self.unscaled, self.scale - scale)
        else:
            digits = min(scale - self.scale, self.unscaled.bit_length())  # more make a divisor that is larger anyway
            self.unscaled = _divide_away_from_zero(self.unscaled, 10**digits)
        self.scale = scale


def shift_decimal(value: int, power: int) -> int:
    """Multiply a number by a power of ten."""
    return value * int(10**power) if value else 0


def _divide_away_from_zero(value: int, divisor: int) -> int:
    """Divide and round away from zero."""
    return -(-value // divisor) if value >= 0 else value // divisor
