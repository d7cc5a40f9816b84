"""Quantities as values. Source: k8s.io/apiserver pkg/cel/library/quantity.go, pkg/cel/quantity.go."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.library.quantity import QUANTITY
from protoc_gen_crd.cel.values.identity_key import IdentityKey
from protoc_gen_crd.cel.values.values import CelError, Opaque, Value, make_no_such_overload

from .quantity_arithmetic import DECIMAL_EXPONENT, QuantityAmount, QuantityError, parse_quantity


class Quantity(Opaque):
    """A quantity; `computed` tells that it came of a sum, which no other quantity can be compared with by ==."""

    amount: QuantityAmount
    computed: bool = False
    cel_type: ClassVar[Type] = QUANTITY
    native_type: ClassVar[str] = "*resource.Quantity"

    @property
    def go_type(self) -> str:
        """What errors call it."""
        return "*cel.Quantity" if self.computed else "cel.Quantity"

    def get_key(self) -> Hashable:
        """Itself."""
        return IdentityKey(self)

    def equals(self, other: Value) -> bool:
        """Whether both are the same number."""
        if not isinstance(other, Quantity) or other.computed:
            raise make_no_such_overload()
        return self.amount.compare(other.amount) == 0

    def __str__(self) -> str:
        return self.amount.format()


def parse_cel_quantity(text: str) -> Quantity:
    """Raises CelError."""
    try:
        return Quantity(parse_quantity(text))
    except QuantityError as fault:
        raise CelError(str(fault)) from None


def is_quantity(text: str) -> bool:
    """Whether a text is one."""
    try:
        parse_quantity(text)
    except QuantityError:
        return False
    return True


def get_sign(value: Quantity) -> int:
    """-1, 0 or 1."""
    return value.amount.get_sign()


def compare(value: Quantity, other: Quantity) -> int:
    """-1, 0 or 1; a small number that meets a large one is large from then on."""
    if other.amount.large is not None:
        value.amount.convert_to_large()
    return value.amount.compare(other.amount)


def is_greater(value: Quantity, other: Quantity) -> bool:
    """As `compare`."""
    return compare(value, other) > 0


def is_less(value: Quantity, other: Quantity) -> bool:
    """As `compare`."""
    return compare(value, other) < 0


def as_float(value: Quantity) -> float:
    """Near the number."""
    return value.amount.to_float()


def as_integer(value: Quantity) -> int:
    """Raises CelError."""
    found = value.amount.to_int64()
    if found is None:
        raise CelError("cannot convert value to integer")
    return found


def is_integer(value: Quantity) -> bool:
    """Whether `as_integer` gives one."""
    return value.amount.to_int64() is not None


def add(value: Quantity, other: Quantity | int) -> Quantity:
    """The sum."""
    return _add(value, other, deep=True)


def subtract(value: Quantity, other: Quantity | int) -> Quantity:
    """The difference."""
    return _add(value, other, deep=True, negated=True)


def old_add(value: Quantity, other: Quantity | int) -> Quantity:
    """The sum; a large number on the left becomes it, too."""
    return _add(value, other, deep=False)


def old_subtract(value: Quantity, other: Quantity | int) -> Quantity:
    """The difference; a large number on the left becomes it, too."""
    return _add(value, other, deep=False, negated=True)


def _add(value: Quantity, other: Quantity | int, *, deep: bool, negated: bool = False) -> Quantity:
    total = value.amount.copy(deep=deep)
    total.add(QuantityAmount(other, 0, DECIMAL_EXPONENT) if isinstance(other, int) else other.amount, negated=negated)
    return Quantity(total, computed=True)
