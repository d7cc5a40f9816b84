"""Quantities as values. Source: k8s.io/apiserver pkg/cel/library/quantity.go, pkg/cel/quantity.go."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.library.declarations.quantity import QUANTITY
from protoc_gen_crd.cel.values.identity_key import IdentityKey
from protoc_gen_crd.cel.values.runtime_values import CelError, Opaque, Value, make_no_such_overload

from .quantity_arithmetic import DECIMAL_EXPONENT, QuantityAmount
from .quantity_format import format_quantity
from .quantity_parser import QuantityError, parse_quantity


class Quantity(Opaque):
    """A quantity; with `computed`, it is the result of a sum, and no other quantity equals it."""

    amount: QuantityAmount
    computed: bool = False
    cel_type: ClassVar[Type] = QUANTITY
    native_type: ClassVar[str] = "*resource.Quantity"

    @property
    def go_type(self) -> str:
        """The Go type in error messages."""
        return "*cel.Quantity" if self.computed else "cel.Quantity"

    def get_key(self) -> Hashable:
        """Return a key that equals only itself."""
        return IdentityKey(self)

    def equals(self, other: Value) -> bool:
        """Check whether both are the same number."""
        if not isinstance(other, Quantity) or other.computed:
            raise make_no_such_overload()
        return self.amount.compare(other.amount) == 0

    def __str__(self) -> str:
        return format_quantity(self.amount)


def parse_cel_quantity(string: str) -> Quantity:
    """Parse a quantity. Raises CelError."""
    try:
        return Quantity(parse_quantity(string))
    except QuantityError as fault:
        raise CelError(str(fault)) from None


def is_quantity(string: str) -> bool:
    """Check whether a string is a quantity."""
    try:
        parse_quantity(string)
    except QuantityError:
        return False
    return True


def get_sign(value: Quantity) -> int:
    """Return -1, 0, or 1."""
    return value.amount.get_sign()


def compare(value: Quantity, other: Quantity) -> int:
    """Return -1, 0, or 1. A small value that is compared with a large one is converted in place, as on servers."""
    if other.amount.large is not None:
        value.amount.convert_to_large()
    return value.amount.compare(other.amount)


def is_greater(value: Quantity, other: Quantity) -> bool:
    """Check whether the value is greater, as `compare`."""
    return compare(value, other) > 0


def is_less(value: Quantity, other: Quantity) -> bool:
    """Check whether the value is less, as `compare`."""
    return compare(value, other) < 0


def as_float(value: Quantity) -> float:
    """Return the number as a float, which may be approximate."""
    return value.amount.to_float()


def as_integer(value: Quantity) -> int:
    """Return the number as an int. Raises CelError if it is none."""
    number = value.amount.to_int64()
    if number is None:
        raise CelError("cannot convert value to integer")
    return number


def is_integer(value: Quantity) -> bool:
    """Check whether `as_integer` succeeds."""
    return value.amount.to_int64() is not None


def add(value: Quantity, other: Quantity | int) -> Quantity:
    """Return the sum."""
    return _add(value, other, deep=True)


def subtract(value: Quantity, other: Quantity | int) -> Quantity:
    """Return the difference."""
    return _add(value, other, deep=True, negated=True)


def old_add(value: Quantity, other: Quantity | int) -> Quantity:
    """Return the sum before 1.37: a large left operand is changed in place."""
    return _add(value, other, deep=False)


def old_subtract(value: Quantity, other: Quantity | int) -> Quantity:
    """Return the difference before 1.37: a large left operand is changed in place."""
    return _add(value, other, deep=False, negated=True)


def _add(value: Quantity, other: Quantity | int, *, deep: bool, negated: bool = False) -> Quantity:
    total = value.amount.copy(deep=deep)
    total.add(QuantityAmount(other, 0, DECIMAL_EXPONENT) if isinstance(other, int) else other.amount, negated=negated)
    return Quantity(total, computed=True)
