"""Cost formulas: the estimate of a call from the sizes of its operands, and its charge from their values.

Operands of a formula include the target as the first one. An estimate is an interval, with the size of the result if
servers use it; a charge is a number. Each class has both, since the estimate should bound the charge, although servers
do not always ensure that. Source: cel-go v0.29 `checker/cost.go`, `interpreter/runtimecost.go`; k8s.io/apiserver
pkg/cel/library/cost.go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import Any, Protocol

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.values.runtime_values import MISSING, Map, Optional, Value

from .intervals import (
    MAX_UINT64,
    ONE,
    PATTERN_FACTOR,
    TEXT_FACTOR,
    Interval,
    add,
    make_exact,
    multiply,
    multiply_by_factor,
    wrap_uint64,
)

CallEstimate = tuple[Interval, Interval | None]  # cost, and size of the result if it is estimated


class CostOperands(Protocol):
    """The operands of a call, as estimates need them."""

    def estimate_size(self, operand: int) -> Interval:
        """Return the size of an operand."""

    def estimate_item_size(self, operand: int) -> Interval:
        """Return the size of the items of an operand."""

    def get_type(self, operand: int) -> Type:
        """Return the type of an operand."""

    def get_literal(self, operand: int) -> Any:
        """Return the value of a literal operand, else None."""

    def get_computed_size(self, operand: int) -> Interval | None:
        """Return the size of an operand if it was computed from the expression, not from the schema."""

    def __len__(self) -> int:
        """Return the number of operands."""


class CostFormula:
    """The cost of calls of a function."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate the cost of a call."""
        raise NotImplementedError

    def charge(self, args: Sequence[Value], result: Value) -> int:
        """Return the cost of a call after its evaluation."""
        raise NotImplementedError

    @property
    def charge_key(self) -> object:
        """A key that is equal for formulas with the same charges."""
        return type(self), tuple(vars(self).values())

    @property
    def plain_charge_key(self) -> object:
        """A key that is equal for formulas with the same charges of values without optionals and types of libraries."""
        return self.charge_key


class UnsizedCost(CostFormula):
    """A formula that estimates no size of the result."""

    def __init__(self, formula: CostFormula) -> None:
        self.formula = formula
        self.charge = formula.charge  # type: ignore[method-assign]

    @property
    def charge_key(self) -> object:
        """The key of the formula."""
        return self.formula.charge_key

    @property
    def plain_charge_key(self) -> object:
        """The key of the formula."""
        return self.formula.plain_charge_key

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate the cost alone."""
        return self.formula.estimate(operands)[0], None


def measure_size(value: Value) -> int:
    """Return the size of a value: 1 for most types."""
    if isinstance(value, str | bytes | list | tuple | Map):
        return len(value)
    return int(getattr(value, "cost_size", 1))


def measure_unwrapped_size(value: Value) -> int:
    """Return the size of a value, for an optional that of its content."""
    while isinstance(value, Optional) and value.value is not MISSING:
        value = value.value
    return measure_size(value)


def compute_string_cost(size: int) -> int:
    """Return the cost of reading a string of this size."""
    return ceil(size * TEXT_FACTOR)


def keep_size(size: Interval) -> Interval:
    """Return the size of the operand as that of the result."""
    return size


class FixedCost(CostFormula):
    """A constant cost."""

    def __init__(self, cost: int) -> None:
        self._estimate: CallEstimate = (make_exact(cost), None)
        self._cost = cost

    def estimate(self, operands: CostOperands) -> CallEstimate:  # noqa: ARG002
        """Estimate the constant cost."""
        return self._estimate

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge the constant cost."""
        return self._cost


class ScanCost(CostFormula):
    """The cost of reading a string `times` times. `charged` is the operand to charge, if it is another one."""

    def __init__(
        self,
        operand: int = 0,
        times: int = 1,
        result: Callable[[Interval], Interval] | None = None,
        charged: int | None = None,
    ) -> None:
        self.operand, self.times, self.result = operand, times, result
        self.charged = operand if charged is None else charged

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate a fraction of the string's size."""
        size = operands.estimate_size(self.operand)
        return multiply_by_factor(size, self.times * TEXT_FACTOR), self.result and self.result(size)

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge a fraction of the string's size."""
        return ceil(measure_size(args[self.charged]) * self.times * TEXT_FACTOR)


def estimate_bytes(size: Interval) -> Interval:
    """Return the size in bytes: a character has up to four."""
    return size[0], wrap_uint64(size[1] * 4)


def estimate_string(size: Interval) -> Interval:
    """Return the size in characters: four bytes may be one."""
    return size[0] // 4, size[1]


def estimate_quoted(size: Interval) -> Interval:
    """Return the size of a quoted string: two quotes, and perhaps a backslash before each character."""
    return wrap_uint64(size[0] + 2), wrap_uint64(size[1] * 2 + 2)


class ItemsCost(CostFormula):
    """The cost of comparing each item of the second operand. `overflow` is the cost of an unknown number of items."""

    def __init__(self, overflow: int = MAX_UINT64) -> None:
        self.overflow = overflow

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate one per item."""
        least, most = multiply_by_factor(operands.estimate_size(1), 1)
        return (least, self.overflow if most == MAX_UINT64 else most), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge one per item."""
        return measure_size(args[1])

    @property
    def charge_key(self) -> object:
        """A key that is equal for all, since only estimates overflow."""
        return ItemsCost


class ShorterOperandCost(CostFormula):
    """The cost of comparing two values up to the end of the shorter one. `size` measures values."""

    size = staticmethod(measure_size)

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate a fraction of the smaller size."""
        most = min(operands.estimate_size(0)[1], operands.estimate_size(1)[1])
        return multiply_by_factor((1 if most else 0, most), TEXT_FACTOR), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge a fraction of the smaller size."""
        return compute_string_cost(min(self.size(args[0]), self.size(args[1])))

    @property
    def plain_charge_key(self) -> object:
        """A key that is equal for all formulas of comparison, which measure other values alike."""
        return ShorterOperandCost


class ShorterOptionalCost(ShorterOperandCost):
    """The same formula with optionals measured by their content."""

    size = staticmethod(measure_unwrapped_size)


class ConcatenationCost(CostFormula):
    """The cost of concatenating two strings."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate a fraction of both sizes."""
        size = add(operands.estimate_size(0), operands.estimate_size(1))
        return multiply_by_factor(size, TEXT_FACTOR), size

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge a fraction of both sizes."""
        return compute_string_cost(measure_size(args[0]) + measure_size(args[1]))


class ListConcatenationCost(CostFormula):
    """The cost of concatenating two lists, which is that of any call."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate one."""
        return ONE, add(operands.estimate_size(0), operands.estimate_size(1))

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge one."""
        return 1


class SearchCost(CostFormula):
    """The cost of searching a string in another."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate the product of their costs."""
        return multiply(
            multiply_by_factor(operands.estimate_size(0), TEXT_FACTOR),
            multiply_by_factor(operands.estimate_size(1), TEXT_FACTOR),
        ), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge the product of their costs."""
        return compute_string_cost(measure_size(args[0])) * compute_string_cost(measure_size(args[1]))


class RegexMatchCost(CostFormula):
    """The cost of matching a string with a pattern. With `returns_match`, the result is the match or a list of them."""

    def __init__(self, *, returns_match: bool = False) -> None:
        self.returns_match = returns_match

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate the product of their costs; an empty string counts as one character."""
        size = operands.estimate_size(0)
        cost = multiply(
            multiply_by_factor(add(size, ONE), TEXT_FACTOR),
            multiply_by_factor(operands.estimate_size(1), PATTERN_FACTOR),
        )
        return cost, (0, size[1]) if self.returns_match else None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge the product of their costs."""
        return compute_string_cost(measure_size(args[0]) + 1) * ceil(measure_size(args[1]) * PATTERN_FACTOR)
