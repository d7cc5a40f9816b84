"""Programs: checked expressions that are evaluated, with the values, errors and costs of an API server.

`program(checked, environment, variables)` makes one, once; `Program.run(values, limit)` evaluates it, often. Source:
cel-go v0.29 `cel/program.go`, with the options of k8s.io/apiserver pkg/cel/environment base.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.ast import make_room
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.values import CelError, Panic, Value

from .frames import COST, VARIABLES, Frame, LimitExceeded, Run, Unfit
from .planning import Planner
from .words import worded

PER_CALL = 1_000_000
EXCEEDED = "operation cancelled: actual cost limit exceeded"


class Fault(Record):
    """Why there is no program: what the server says behind `program instantiation failed: `."""

    text: str


class Outcome(Record):
    """What came of an evaluation: a value or an error's text, and what it cost (more than the limit if that was it)."""

    value: Value
    error: str | None
    cost: int


class Program(Record):
    """An expression to evaluate. `variables` are the names that values are given for, with what else stands there."""

    run_on: Run
    variables: tuple[tuple[str, CelError], ...]
    places: int
    minor: int

    def run(self, values: Mapping[str, Value], limit: int = PER_CALL) -> Outcome:
        """Evaluates it. A value may be a `CelError`: what fails when it is looked at."""
        frame: Frame = [0, limit, *[values.get(name, lacking) for name, lacking in self.variables]]
        frame += [None] * self.places
        try:
            value, error = self.run_on(frame), None
        except CelError as found:
            value, error = None, worded(found.text, self.minor)
        except Panic as found:
            value, error = None, f"internal error: {found.text}"
        except LimitExceeded:
            return Outcome(None, EXCEEDED, frame[COST])
        return Outcome(None, EXCEEDED, frame[COST]) if frame[COST] > limit else Outcome(value, error, frame[COST])


def program(
    checked: Checked, environment: Environment, variables: Sequence[str] = ("self", "oldSelf")
) -> Program | Fault:
    """The program of an expression that was checked with these variables in this environment."""
    make_room(len(checked.types))
    planner = Planner(checked, environment, variables)
    try:
        plan = planner.plan(checked.ast.root)
    except Unfit as fault:
        return Fault(worded(str(fault), environment.minor))
    lacking = [(name, CelError(f"no such attribute(s): {name}")) for name in variables]
    return Program(plan.run, tuple(lacking), planner.size - VARIABLES - len(lacking), environment.minor)
