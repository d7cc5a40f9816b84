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

from protoc_gen_crd.cel.types import Type
from protoc_gen_crd.cel.values import MISSING, Map, Optional, Value

from .intervals import (
    MOST,
    ONE,
    PATTERN_FACTOR,
    TEXT_FACTOR,
    Interval,
    exactly,
    plus,
    scaled,
    times,
    wrapped,
)

Estimate = tuple[Interval, Interval | None]  # cost, and size of the result if it has one


class Operands(Protocol):
    """What an estimate is made of."""

    def size(self, operand: int) -> Interval:
        """How large an operand can be."""

    def item_size(self, operand: int) -> Interval:
        """How large an item of an operand can be."""

    def type(self, operand: int) -> Type:
        """The type of an operand."""

    def literal(self, operand: int) -> Any:
        """The value of an operand that is a literal, else None."""

    def computed(self, operand: int) -> Interval | None:
        """The size of an operand, if it is known otherwise than by its place in the schema."""

    def __len__(self) -> int:
        """Their number."""


class Formula:
    """What calls of a function cost."""

    def estimate(self, operands: Operands) -> Estimate:
        """The cost of a call of operands about which little is known."""
        raise NotImplementedError

    def charge(self, args: Sequence[Value], result: Value) -> int:
        """The cost of a call that has been made."""
        raise NotImplementedError


class Unsized(Formula):
    """A formula whose results' sizes are not looked at."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.charge = formula.charge  # type: ignore[method-assign]

    def estimate(self, operands: Operands) -> Estimate:
        """The cost alone."""
        return self.formula.estimate(operands)[0], None


def actual(value: Value) -> int:
    """The size of a value: of most 1."""
    if isinstance(value, str | bytes | list | tuple | Map):
        return len(value)
    return int(getattr(value, "cost_size", 1))


def within(value: Value) -> int:
    """The size of a value or of what an optional holds."""
    while isinstance(value, Optional) and value.value is not MISSING:
        value = value.value
    return actual(value)


def text_cost(size: int) -> int:
    """What it takes to read a text of this size."""
    return ceil(size * TEXT_FACTOR)


def same(size: Interval) -> Interval:
    """The result is as large as the operand."""
    return size


class Fixed(Formula):
    """Always the same."""

    def __init__(self, cost: int) -> None:
        self._estimate: Estimate = (exactly(cost), None)
        self._cost = cost

    def estimate(self, operands: Operands) -> Estimate:  # noqa: ARG002
        """The one cost."""
        return self._estimate

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The one cost."""
        return self._cost


class Scan(Formula):
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

    def estimate(self, operands: Operands) -> Estimate:
        """A part of the text's size."""
        size = operands.size(self.operand)
        return scaled(size, self.times * TEXT_FACTOR), self.result and self.result(size)

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """A part of the text's size."""
        return ceil(actual(args[self.charged]) * self.times * TEXT_FACTOR)


def to_bytes(size: Interval) -> Interval:
    """A character is up to four bytes."""
    return size[0], wrapped(size[1] * 4)


def to_text(size: Interval) -> Interval:
    """Four bytes may be one character."""
    return size[0] // 4, size[1]


def quoted(size: Interval) -> Interval:
    """Two quotes, and a backslash before any character."""
    return wrapped(size[0] + 2), wrapped(size[1] * 2 + 2)


class Items(Formula):
    """Each item of the second operand is looked at. `overflow` is what too many items for 64 bits come to."""

    def __init__(self, overflow: int = MOST) -> None:
        self.overflow = overflow

    def estimate(self, operands: Operands) -> Estimate:
        """As many as there are."""
        least, most = scaled(operands.size(1), 1)
        return (least, self.overflow if most == MOST else most), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """As many as there are."""
        return actual(args[1])


class Shorter(Formula):
    """Two values are compared to the end of the shorter. `size` is how values are measured."""

    size = staticmethod(actual)

    def estimate(self, operands: Operands) -> Estimate:
        """A part of the smaller size."""
        most = min(operands.size(0)[1], operands.size(1)[1])
        return scaled((1 if most else 0, most), TEXT_FACTOR), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """A part of the smaller size."""
        return text_cost(min(self.size(args[0]), self.size(args[1])))


class ShorterWithin(Shorter):
    """The same, optionals measured by what they hold."""

    size = staticmethod(within)


class Concatenation(Formula):
    """Two texts become one."""

    def estimate(self, operands: Operands) -> Estimate:
        """A part of both sizes."""
        size = plus(operands.size(0), operands.size(1))
        return scaled(size, TEXT_FACTOR), size

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """A part of both sizes."""
        return text_cost(actual(args[0]) + actual(args[1]))


class Joined(Formula):
    """Two lists become one, which costs nothing more than a call."""

    def estimate(self, operands: Operands) -> Estimate:
        """One."""
        return ONE, plus(operands.size(0), operands.size(1))

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """One."""
        return 1


class Search(Formula):
    """A text is sought in another."""

    def estimate(self, operands: Operands) -> Estimate:
        """The product of their costs."""
        return times(scaled(operands.size(0), TEXT_FACTOR), scaled(operands.size(1), TEXT_FACTOR)), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The product of their costs."""
        return text_cost(actual(args[0])) * text_cost(actual(args[1]))


class Match(Formula):
    """A text is matched with a pattern. With `found`, the result is a part of it or its parts."""

    def __init__(self, *, found: bool = False) -> None:
        self.found = found

    def estimate(self, operands: Operands) -> Estimate:
        """The product of their costs; an empty text counts as one character."""
        size = operands.size(0)
        cost = times(scaled(plus(size, ONE), TEXT_FACTOR), scaled(operands.size(1), PATTERN_FACTOR))
        return cost, (0, size[1]) if self.found else None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The product of their costs."""
        return text_cost(actual(args[0]) + 1) * ceil(actual(args[1]) * PATTERN_FACTOR)
