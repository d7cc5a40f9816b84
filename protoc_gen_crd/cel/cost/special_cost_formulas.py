"""Cost formulas of single functions: split, replace, contains, formats, label selectors, and equality.

Source: k8s.io/apiserver pkg/cel/library/cost.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from protoc_gen_crd.cel.checker.types import OBJECT, Type
from protoc_gen_crd.cel.library.declarations.formats import FORMAT
from protoc_gen_crd.cel.library.declarations.net import IP_ADDRESS, IP_RANGE
from protoc_gen_crd.cel.library.declarations.urls import URL
from protoc_gen_crd.cel.values.runtime_values import Value

from .cost_formulas import (
    CallEstimate,
    CostFormula,
    CostOperands,
    ShorterOperandCost,
    ShorterOptionalCost,
    compute_string_cost,
    measure_size,
)
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
    multiply_number,
    to_int64,
    wrap_uint64,
)

_ADDRESS: Interval = (4, 16)  # bytes
_LONGEST_FORMAT, _LONGEST_PATTERN = 64, 128
_REQUIREMENT, _SELECTOR = 50, 10


class SplitCost(CostFormula):
    """The cost of splitting a string into a list."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate a fraction of the string, twice; a literal count limits the size of the result."""
        size = operands.estimate_size(0)
        limit = operands.get_literal(2) if len(operands) > 2 else None
        most = wrap_uint64(limit) if type(limit) is int else size[1]
        return multiply_by_factor(size, 2 * TEXT_FACTOR), (0, most)

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge a fraction of the string, twice."""
        return ceil(measure_size(args[0]) * 2 * TEXT_FACTOR)


class ReplaceCost(SplitCost):
    """The cost of replacing parts of a string."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate a fraction of the string, twice."""
        text, old, new = operands.estimate_size(0), operands.estimate_size(1), operands.estimate_size(2)
        longest = _count_replacements(text[1], old[0], new[1] <= old[0])
        shortest = _count_replacements(text[0], old[1], old[1] <= new[0])
        size = add(multiply((shortest[0], longest[0]), new), (shortest[1], longest[1]))
        return multiply_by_factor(text, 2 * TEXT_FACTOR), size


def _count_replacements(size: int, old: int, kept: bool) -> tuple[int, int]:  # noqa: FBT001
    """Return the extreme number of replacements in a string of a size, and how much of the old string remains."""
    if not old:
        return min(size + 1, MAX_UINT64), size
    return (0, size) if kept else (to_int64(float(ceil(float(size) / float(old)))), 0)


class ContainsCost(CostFormula):
    """The cost of checking that a range contains an address or, with `masked`, a range; with `parsed`, a string."""

    def __init__(self, *, parsed: bool = False, masked: bool = False) -> None:
        self.parsed, self.masked = parsed, masked

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate the bytes of two addresses, and the cost of reading a string."""
        cost = multiply_by_factor(add(_ADDRESS, _ADDRESS), TEXT_FACTOR)
        if self.masked:
            cost = add(add(cost, multiply_by_factor(_ADDRESS, TEXT_FACTOR)), ONE)
        if self.parsed:
            cost = add(cost, multiply_by_factor(operands.estimate_size(1), TEXT_FACTOR))
        return cost, None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge the bytes of the range's prefix, and the cost of reading a string."""
        size = measure_size(args[0])
        cost = compute_string_cost(size + size)
        if self.masked:
            cost += compute_string_cost(size) + 1
        return cost + compute_string_cost(measure_size(args[1])) if self.parsed else cost


class ValidateCost(CostFormula):
    """The cost of matching a string with the pattern of a format."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate with a long pattern."""
        return multiply_by_factor(
            multiply_by_factor(operands.estimate_size(1), TEXT_FACTOR), _LONGEST_PATTERN * PATTERN_FACTOR
        ), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge with the length of the format's pattern."""
        pattern = getattr(args[0], "regex_size", None)
        return 1 if pattern is None else compute_string_cost(measure_size(args[1]) + 1) * ceil(pattern * PATTERN_FACTOR)


class SelectorCost(CostFormula):
    """The cost of parsing a string into selector requirements."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate one requirement per two characters."""
        return _estimate_requirements(operands.estimate_size(1)), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """Charge one requirement per two characters."""
        return _estimate_requirements(make_exact(measure_size(args[1])))[1]


def _estimate_requirements(size: Interval) -> Interval:
    requirements = multiply_by_factor(multiply_by_factor(size, 0.5), _REQUIREMENT)
    return add(add(make_exact(_SELECTOR), multiply_by_factor(size, TEXT_FACTOR)), requirements)


class EqualityCost(ShorterOperandCost):
    """The cost of comparing two values, which for abstract types is fixed."""

    def estimate(self, operands: CostOperands) -> CallEstimate:
        """Estimate a fraction of the smaller size, or the cost of an abstract type."""
        kind = operands.get_type(0)
        if kind == operands.get_type(1):
            if kind in (IP_ADDRESS, IP_RANGE):
                return ONE, None
            if kind.kind == OBJECT and kind.fields is None:
                return _estimate_library_value(kind, operands), None
        return super().estimate(operands)

    def charge(self, args: Sequence[Value], result: Value) -> int:
        """Charge a fraction of the smaller size, or one for addresses."""
        return 1 if hasattr(args[0], "cost_size") else super().charge(args, result)


def _estimate_library_value(kind: Type, operands: CostOperands) -> Interval:
    if kind == FORMAT:
        return 1, multiply_number(_LONGEST_FORMAT, TEXT_FACTOR)
    if kind == URL:
        return 1, multiply_number((operands.get_computed_size(1) or ONE)[1], TEXT_FACTOR)
    return ONE


class OptionalEqualityCost(EqualityCost, ShorterOptionalCost):
    """The same formula with optionals measured by their content."""
