"""Quantities as values. Source: k8s.io/apiserver pkg/cel/library/quantity.go, pkg/cel/quantity.go."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from protoc_gen_crd.cel.identity import Itself
from protoc_gen_crd.cel.library.quantity import QUANTITY
from protoc_gen_crd.cel.types import Type
from protoc_gen_crd.cel.values import CelError, Opaque, Value, no_such_overload

from .amounts import DECIMAL_EXPONENT, Amount, QuantityError, parse


class Quantity(Opaque):
    """A quantity; `computed` tells that it came of a sum, which no other quantity can be compared with by ==."""

    amount: Amount
    computed: bool = False
    cel_type: ClassVar[Type] = QUANTITY
    native_type: ClassVar[str] = "*resource.Quantity"

    @property
    def go_type(self) -> str:
        """What errors call it."""
        return "*cel.Quantity" if self.computed else "cel.Quantity"

    def key(self) -> Hashable:
        """Itself."""
        return Itself(self)

    def equals(self, other: Value) -> bool:
        """Whether both are the same number."""
        if not isinstance(other, Quantity) or other.computed:
            raise no_such_overload()
        return self.amount.compare(other.amount) == 0

    def __str__(self) -> str:
        return self.amount.text()


def quantity(text: str) -> Quantity:
    """Raises CelError."""
    try:
        return Quantity(parse(text))
    except QuantityError as fault:
        raise CelError(str(fault)) from None


def is_quantity(text: str) -> bool:
    """Whether a text is one."""
    try:
        parse(text)
    except QuantityError:
        return False
    return True


def sign(value: Quantity) -> int:
    """-1, 0 or 1."""
    return value.amount.sign()


def compare(value: Quantity, other: Quantity) -> int:
    """-1, 0 or 1; a small number that meets a large one is large from then on."""
    if other.amount.large is not None:
        value.amount.enlarge()
    return value.amount.compare(other.amount)


def is_greater(value: Quantity, other: Quantity) -> bool:
    """As `compare`."""
    return compare(value, other) > 0


def is_less(value: Quantity, other: Quantity) -> bool:
    """As `compare`."""
    return compare(value, other) < 0


def as_float(value: Quantity) -> float:
    """Near the number."""
    return value.amount.approximate()


def as_integer(value: Quantity) -> int:
    """Raises CelError."""
    found = value.amount.integer()
    if found is None:
        raise CelError("cannot convert value to integer")
    return found


def is_integer(value: Quantity) -> bool:
    """Whether `as_integer` gives one."""
    return value.amount.integer() is not None


def add(value: Quantity, other: Quantity | int) -> Quantity:
    """The sum."""
    return _sum(value, other, deep=True)


def subtract(value: Quantity, other: Quantity | int) -> Quantity:
    """The difference."""
    return _sum(value, other, deep=True, negated=True)


def old_add(value: Quantity, other: Quantity | int) -> Quantity:
    """The sum; a large number on the left becomes it, too."""
    return _sum(value, other, deep=False)


def old_subtract(value: Quantity, other: Quantity | int) -> Quantity:
    """The difference; a large number on the left becomes it, too."""
    return _sum(value, other, deep=False, negated=True)


def _sum(value: Quantity, other: Quantity | int, *, deep: bool, negated: bool = False) -> Quantity:
    total = value.amount.copy(deep=deep)
    total.add(Amount(other, 0, DECIMAL_EXPONENT) if isinstance(other, int) else other.amount, negated=negated)
    return Quantity(total, computed=True)
