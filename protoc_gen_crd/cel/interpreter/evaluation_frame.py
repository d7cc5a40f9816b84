"""What programs are made of: functions of a frame, which holds the cost so far, the limit and the variables' values.

A frame is a plain list, since nothing else is as fast. Values in it may be a `CelError`, which is raised when they are
looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.values.values import MISSING, CelError, Value

Frame = list[Any]
Evaluation = Callable[[Frame], Value]

COST, LIMIT, VARIABLES = 0, 1, 2  # places in a frame; variables follow


class CostLimitExceeded(Exception):  # noqa: N818 - no error of the program
    """The evaluation costs more than it may."""


class PlanningError(Exception):
    """No program can be made of an expression; the text is the server's."""


class Interpretable(Record):
    """How a node is evaluated; `make_constant` is its value where that is known beforehand, and then costs nothing."""

    run: Evaluation
    constant: Value = MISSING


def make_constant(value: Value) -> Interpretable:
    """The plan of a value that is known."""
    return Interpretable(lambda _: value, value)


def make_failing(text: str) -> Evaluation:
    """An evaluation that fails."""

    def run(_: Frame) -> Value:
        raise CelError(text)

    return run
