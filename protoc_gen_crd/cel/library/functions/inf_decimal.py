"""Numbers of any size with a power of ten. Source: gopkg.in/inf.v0."""

from __future__ import annotations

FARTHEST = 1 << 20  # digits between two numbers that are written out; a server takes seconds, then minutes


class InfDecimal:
    """`unscaled` times ten to the power `scale`; shared between quantities and changed in place, as on a server."""

    __slots__ = ("scale", "unscaled")

    def __init__(self, unscaled: int, scale: int) -> None:
        self.unscaled, self.scale = unscaled, scale

    def copy(self) -> InfDecimal:
        """One of its own."""
        return InfDecimal(self.unscaled, self.scale)

    def add(self, unscaled: int, scale: int) -> None:
        """Add a number; of numbers too far apart to be written out, the larger one remains, and zero never does."""
        if (unscaled or self.unscaled) and abs(self.scale - scale) > FARTHEST:
            if not self.unscaled or (unscaled and scale > self.scale):
                self.unscaled, self.scale = unscaled, scale
            return
        least = min(self.scale, scale)
        self.unscaled = shift_decimal(self.unscaled, self.scale - least) + shift_decimal(unscaled, scale - least)
        self.scale = least

    def round_up(self, scale: int) -> None:
        """Round away from zero, or write out zeros, so that the scale is this one."""
        if self.scale > scale + FARTHEST:
            return
        if self.scale >= scale:
            self.unscaled = shift_decimal(self.unscaled, self.scale - scale)
        else:
            self.unscaled = _divide_away_from_zero(self.unscaled, 10 ** min(scale - self.scale, FARTHEST))
        self.scale = scale


def shift_decimal(value: int, power: int) -> int:
    """A number times a power of ten."""
    return value * int(10**power) if value else 0


def _divide_away_from_zero(value: int, divisor: int) -> int:
    """The quotient, rounded away from zero."""
    return -(-value // divisor) if value >= 0 else value // divisor
