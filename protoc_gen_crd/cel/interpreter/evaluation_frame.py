"""The parts of programs: functions of a frame, which has the cost so far, the limit, and the values of variables.

A frame is a plain list for speed. Its values may include a `CelError`, which is raised on access.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.values.runtime_values import MISSING, CelError, Value

Frame = list[Any]
Evaluation = Callable[[Frame], Value]

COST, LIMIT, VARIABLES = 0, 1, 2  # indexes in a frame; variables follow


class CostLimitExceeded(Exception):  # noqa: N818 - not a bug of this program
    """The evaluation exceeds the cost limit."""


class PlanningError(Exception):
    """An expression cannot become a program; the message is the server's."""


class Interpretable(Record):
    """The plan of a node; `constant` is its value if that is known in advance, and then costs nothing."""

    run: Evaluation
    constant: Value = MISSING


def make_constant(value: Value) -> Interpretable:
    """Plan a constant."""
    return Interpretable(lambda _: value, value)


def make_failing(message: str) -> Evaluation:
    """Plan an evaluation that fails."""

    def run(_: Frame) -> Value:
        raise CelError(message)

    return run
