"""The formulas of functions over texts that have a syntax or are taken apart.

Source: k8s.io/apiserver pkg/cel/library/cost.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from protoc_gen_crd.cel.library.formats import FORMAT
from protoc_gen_crd.cel.library.net import IP_ADDRESS, IP_RANGE
from protoc_gen_crd.cel.library.urls import URL
from protoc_gen_crd.cel.types import OBJECT, Type
from protoc_gen_crd.cel.values import Value

from .formulas import Estimate, Formula, Operands, Shorter, ShorterWithin, actual, text_cost
from .intervals import (
    MOST,
    ONE,
    PATTERN_FACTOR,
    TEXT_FACTOR,
    Interval,
    exactly,
    plus,
    scaled,
    scaled_number,
    times,
    whole,
    wrapped,
)

_ADDRESS: Interval = (4, 16)  # bytes
_LONGEST_FORMAT, _LONGEST_PATTERN = 64, 128
_REQUIREMENT, _SELECTOR = 50, 10


class Split(Formula):
    """A text becomes a list of texts."""

    def estimate(self, operands: Operands) -> Estimate:
        """A part of the text, twice; at most its characters, or as many texts as a literal says."""
        size = operands.size(0)
        limit = operands.literal(2) if len(operands) > 2 else None
        most = wrapped(limit) if type(limit) is int else size[1]
        return scaled(size, 2 * TEXT_FACTOR), (0, most)

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """A part of the text, twice."""
        return ceil(actual(args[0]) * 2 * TEXT_FACTOR)


class Replace(Split):
    """Parts of a text are replaced."""

    def estimate(self, operands: Operands) -> Estimate:
        """A part of the text, twice."""
        text, old, new = operands.size(0), operands.size(1), operands.size(2)
        longest = _replaced(text[1], old[0], new[1] <= old[0])
        shortest = _replaced(text[0], old[1], old[1] <= new[0])
        size = plus(times((shortest[0], longest[0]), new), (shortest[1], longest[1]))
        return scaled(text, 2 * TEXT_FACTOR), size


def _replaced(text: int, old: int, kept: bool) -> tuple[int, int]:  # noqa: FBT001
    """How often at the extreme a text of a size is put in, and how much of the old text counts beside that."""
    if not old:
        return min(text + 1, MOST), text
    return (0, text) if kept else (whole(float(ceil(float(text) / float(old)))), 0)


class Contains(Formula):
    """A range holds an address or a range. `parsed` tells that this is still a text, `masked` that it is a range."""

    def __init__(self, *, parsed: bool = False, masked: bool = False) -> None:
        self.parsed, self.masked = parsed, masked

    def estimate(self, operands: Operands) -> Estimate:
        """The bytes of two addresses, and what it takes to read a text."""
        cost = scaled(plus(_ADDRESS, _ADDRESS), TEXT_FACTOR)
        if self.masked:
            cost = plus(plus(cost, scaled(_ADDRESS, TEXT_FACTOR)), ONE)
        if self.parsed:
            cost = plus(cost, scaled(operands.size(1), TEXT_FACTOR))
        return cost, None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The bytes of the range's prefix, and what it takes to read a text."""
        size = actual(args[0])
        cost = text_cost(size + size)
        if self.masked:
            cost += text_cost(size) + 1
        return cost + text_cost(actual(args[1])) if self.parsed else cost


class Validate(Formula):
    """A text is matched with the pattern of a format."""

    def estimate(self, operands: Operands) -> Estimate:
        """A long pattern is assumed."""
        return scaled(scaled(operands.size(1), TEXT_FACTOR), _LONGEST_PATTERN * PATTERN_FACTOR), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """The pattern's length is the format's."""
        pattern = getattr(args[0], "regex_size", None)
        return 1 if pattern is None else text_cost(actual(args[1]) + 1) * ceil(pattern * PATTERN_FACTOR)


class Select(Formula):
    """A text becomes requirements."""

    def estimate(self, operands: Operands) -> Estimate:
        """A requirement for each two characters."""
        return _selected(operands.size(1)), None

    def charge(self, args: Sequence[Value], result: Value) -> int:  # noqa: ARG002
        """A requirement for each two characters."""
        return _selected(exactly(actual(args[1])))[1]


def _selected(size: Interval) -> Interval:
    requirements = scaled(scaled(size, 0.5), _REQUIREMENT)
    return plus(plus(exactly(_SELECTOR), scaled(size, TEXT_FACTOR)), requirements)


class Equality(Shorter):
    """Two values are equal, which for a library's own takes one step."""

    def estimate(self, operands: Operands) -> Estimate:
        """A part of the smaller size, or what a type of a library takes."""
        kind = operands.type(0)
        if kind == operands.type(1):
            if kind in (IP_ADDRESS, IP_RANGE):
                return ONE, None
            if kind.kind == OBJECT and kind.fields is None:
                return _of_library(kind, operands), None
        return super().estimate(operands)

    def charge(self, args: Sequence[Value], result: Value) -> int:
        """A part of the smaller size, one for addresses."""
        return 1 if hasattr(args[0], "cost_size") else super().charge(args, result)


def _of_library(kind: Type, operands: Operands) -> Interval:
    if kind == FORMAT:
        return 1, scaled_number(_LONGEST_FORMAT, TEXT_FACTOR)
    if kind == URL:
        return 1, scaled_number((operands.computed(1) or ONE)[1], TEXT_FACTOR)
    return ONE


class EqualityWithin(Equality, ShorterWithin):
    """The same, optionals measured by what they hold."""
