"""Programs: checked expressions that are evaluated with the values, errors, and costs of an API server.

`make_program(checked, environment, variables)` compiles an expression once; `Program.evaluate(values, limit)`
evaluates it any number of times. Source: cel-go v0.29 `cel/program.go`, with the options of k8s.io/apiserver
pkg/cel/environment base.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.parser.ast import ensure_recursion_depth
from protoc_gen_crd.cel.values.runtime_values import CelError, Panic, Value
from protoc_gen_crd.kubernetes.api_server_limits import CALL_COST
from protoc_gen_crd.kubernetes.shared_results import Switches

from .evaluation_frame import COST, VARIABLES, CostLimitExceeded, Evaluation, Frame, PlanningError
from .legacy_errors import translate_error
from .planner import Planner

BUDGET_EXCEEDED = "operation cancelled: actual cost limit exceeded"


class ProgramError(Record):
    """The server's error for an expression that cannot become a program, without `program instantiation failed: `."""

    message: str


class EvalResult(Record):
    """The result of an evaluation: a value or an error, and the cost (above the limit if that was exceeded)."""

    value: Value
    error: str | None
    cost: int


class Program(Record):
    """A compiled CEL program. `variables` are the names of its variables, with the errors for absent values."""

    run_on: Evaluation
    variables: tuple[tuple[str, CelError], ...]
    places: int
    switches: Switches

    def evaluate(self, values: Mapping[str, Value], limit: int = CALL_COST) -> EvalResult:
        """Evaluate the program. A value may be a `CelError`, which is raised on access."""
        frame: Frame = [0, limit, *[values.get(name, missing_error) for name, missing_error in self.variables]]
        frame += [None] * self.places
        try:
            value, error = self.run_on(frame), None
        except CelError as fault:
            value, error = None, translate_error(fault.message, self.switches)
        except Panic as fault:
            value, error = None, f"internal error: {fault.message}"
        except CostLimitExceeded:
            return EvalResult(None, BUDGET_EXCEEDED, frame[COST])
        return (
            EvalResult(None, BUDGET_EXCEEDED, frame[COST])
            if frame[COST] > limit
            else EvalResult(value, error, frame[COST])
        )


def make_program(
    checked: CheckedAst,
    environment: Environment,
    variables: Sequence[str] = ("self", "oldSelf"),
    switches: Switches | None = None,
) -> Program | ProgramError:
    """Compile a checked expression.

    Args:
        checked: The expression.
        environment: The environment that it was checked in.
        variables: The names of the variables that it was checked with.
        switches: The switches of the server, to record what the program and its evaluation depend on.

    Returns:
        The program, or the server's error for an expression that cannot become one.
    """
    ensure_recursion_depth(len(checked.types))
    switches = switches or Switches(environment.minor)
    planner = Planner(checked, environment, variables, switches)
    try:
        plan = planner.plan(checked.ast.root)
    except PlanningError as fault:
        return ProgramError(translate_error(str(fault), switches.lasting))
    missing_errors = [(name, CelError(f"no such attribute(s): {name}")) for name in variables]
    return Program(plan.run, tuple(missing_errors), planner.size - VARIABLES - len(missing_errors), switches)
