"""The formulas of costs: how the sizes of operands make the estimate of a call, and its charge.

A formula is given operands with the target first. Its estimate is an interval, with the size of the result where
servers look for one; its charge is a number. Both stand together since the one should bound the other, though servers
do not always see to that. Source: cel-go v0.29 `checker/cost.go`, `interpreter/runtimecost.go`; k8s.io/apiserver
pkg/cel/library/cost.go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import Any, Protocol

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.values.values import MISSING, Map, Optional, Value

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

CallEstimate = tuple[Interval, Interval | None]  # cost, and size of the result if it has one


class CostOperands(Protocol):
    """What an estimate is made of."""

    def estimate_size(self, operand: int) -> Interval:
        """How large an operand can be."""

    def estimate_item_size(self, operand: int) -> Interval:
        """How large an item of an operand can be."""

    def get_type(self, operand: int) -> Type:
        """The type of an operand."""

    def get_literal(self, operand: int) -> Any:
        """The value of an operand that is a literal, else None."""

    def get_computed_size(self, operand: int) -> Interval | None:
        """The size of an operand, if it is known otherwise than by its place in the schema."""

    def __len__(self) -> int:
        """Their number."""


class CostFormula:
    """What calls of a function cost."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """The cost of a call of operands about which little is known."""
        raise NotImplementedError

    def charge(self, args: Sequence[Value], result: Value) -> int:
        """The cost of a call that has been made."""
        raise NotImplementedError


class UnsizedCost(CostFormula):
    """A formula whose results' sizes are not looked at."""

    def __init__(self, formula: CostFormula) -> None:
        self.formula = formula
        self.charge = formula.charge  # type: ignore[method-assign]

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """The cost alone."""
        return self.formula.estimate(operands)[0], None


def measure_size(value: Value) -> int:
    """The size of a value: of most 1."""
    if isinstance(value, str | bytes | list | tuple | Map):
        return len(value)
    return int(getattr(value, "cost_size", 1))


def measure_unwrapped_size(value: Value) -> int:
    """The size of a value or of what an optional holds."""
    while isinstance(value, Optional) and value.value is not MISSING:
        value = value.value
    return measure_size(value)


def compute_string_cost(size: int) -> int:
    """What it takes to read a text of this size."""
    return ceil(size * TEXT_FACTOR)


def keep_size(size: Interval) -> Interval:
    """The result is as large as the operand."""
    return size


class FixedCost(CostFormula):
    """Always the same."""

    def __init__(self, cost: int) -> None:
        self._estimate: CallEstimate = (make_exact(cost), None)
        self._cost = cost

    def estimate(self, operands: CostOperands) -> CallEstimate:  # noqa: ARG002
        """The one cost."""
        return self._estimate

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The one cost."""
        return self._cost


class ScanCost(CostFormula):
    """A text is read so many times. `charged` is the operand whose size is charged, where that is another one."""

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
        """A part of the text's size."""
        size = operands.estimate_size(self.operand)
        return multiply_by_factor(size, self.times * TEXT_FACTOR), self.result and self.result(size)

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """A part of the text's size."""
        return ceil(measure_size(args[self.charged]) * self.times * TEXT_FACTOR)


def estimate_bytes(size: Interval) -> Interval:
    """A character is up to four bytes."""
    return size[0], wrap_uint64(size[1] * 4)


def estimate_string(size: Interval) -> Interval:
    """Four bytes may be one character."""
    return size[0] // 4, size[1]


def estimate_quoted(size: Interval) -> Interval:
    """Two quotes, and a backslash before any character."""
    return wrap_uint64(size[0] + 2), wrap_uint64(size[1] * 2 + 2)


class ItemsCost(CostFormula):
    """Each item of the second operand is looked at. `overflow` is what too many items for 64 bits come to."""

    def __init__(self, overflow: int = MAX_UINT64) -> None:
        self.overflow = overflow

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """As many as there are."""
        least, most = multiply_by_factor(operands.estimate_size(1), 1)
        return (least, self.overflow if most == MAX_UINT64 else most), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """As many as there are."""
        return measure_size(args[1])


class ShorterOperandCost(CostFormula):
    """Two values are compared to the end of the shorter. `estimate_size` is how values are measured."""

    size = staticmethod(measure_size)

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """A part of the smaller size."""
        most = min(operands.estimate_size(0)[1], operands.estimate_size(1)[1])
        return multiply_by_factor((1 if most else 0, most), TEXT_FACTOR), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """A part of the smaller size."""
        return compute_string_cost(min(self.size(args[0]), self.size(args[1])))


class ShorterOptionalCost(ShorterOperandCost):
    """The same, optionals measured by what they hold."""

    size = staticmethod(measure_unwrapped_size)


class ConcatenationCost(CostFormula):
    """Two texts become one."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """A part of both sizes."""
        size = add(operands.estimate_size(0), operands.estimate_size(1))
        return multiply_by_factor(size, TEXT_FACTOR), size

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """A part of both sizes."""
        return compute_string_cost(measure_size(args[0]) + measure_size(args[1]))


class ListConcatenationCost(CostFormula):
    """Two lists become one, which costs nothing more than a call."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """One."""
        return ONE, add(operands.estimate_size(0), operands.estimate_size(1))

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """One."""
        return 1


class SearchCost(CostFormula):
    """A text is sought in another."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """The product of their costs."""
        return multiply(
            multiply_by_factor(operands.estimate_size(0), TEXT_FACTOR),
            multiply_by_factor(operands.estimate_size(1), TEXT_FACTOR),
        ), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The product of their costs."""
        return compute_string_cost(measure_size(args[0])) * compute_string_cost(measure_size(args[1]))


class RegexMatchCost(CostFormula):
    """A text is matched with a pattern. With `found`, the result is a part of it or its parts."""

    def __init__(self, *, found: bool = False) -> None:
        self.found = found

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """The product of their costs; an empty text counts as one character."""
        size = operands.estimate_size(0)
        cost = multiply(
            multiply_by_factor(add(size, ONE), TEXT_FACTOR),
            multiply_by_factor(operands.estimate_size(1), PATTERN_FACTOR),
        )
        return cost, (0, size[1]) if self.found else None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The product of their costs."""
        return compute_string_cost(measure_size(args[0]) + 1) * ceil(measure_size(args[1]) * PATTERN_FACTOR)
