"""Calls: the choice of the overload, its cost, and the behavior if an argument fails.

Operators accept values of any types, other functions only those of an overload. A call is charged if all its arguments
were evaluated, even if they failed. Source: cel-go v0.29 `interpreter/planner.go`, `interpreter/interpretable.go`,
`common/decls/decls.go`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.overloads import Overload
from protoc_gen_crd.cel.checker.overloads import OverloadBinding as Body
from protoc_gen_crd.cel.checker.types import (
    ANY,
    DURATION,
    DYN,
    LIST,
    MAP,
    PARAMETER,
    TIMESTAMP,
    Type,
    format_for_author,
)
from protoc_gen_crd.cel.cost.cost_formulas import CostFormula
from protoc_gen_crd.cel.cost.intervals import wrap_uint64
from protoc_gen_crd.cel.library.functions.operators import make_missing_operator_error
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.runtime_values import (
    CelError,
    Duration,
    Optional,
    Panic,
    Timestamp,
    Value,
    get_type,
    list_parts,
)
from protoc_gen_crd.cel.version_differences import DECLARED_CONVERSIONS, OPTIONAL_TYPE
from protoc_gen_crd.kubernetes.shared_results import RequestSwitches, Switches

from .evaluation_frame import COST, LIMIT, CostLimitExceeded, Evaluation, Frame, Interpretable

Charge = Callable[[Sequence[Value], Value], int]
UNGUARDED = frozenset((
    "!_", "_+_", "_-_", "_*_", "_/_", "_%_", "-_", "_<_", "_<=_", "_>_", "_>=_", "@in", "size", "type",
    "dyn", "contains", "startsWith", "endsWith", "matches", "sort", "@sortByAssociatedKeys", "flatten",
))  # fmt: skip
_OF_LISTS = frozenset(("sort", "@sortByAssociatedKeys", "flatten"))
_CONVERSIONS = {
    **{name: name for name in ("int", "uint", "double", "string", "bytes", "bool")},
    "duration": DURATION.name, "timestamp": TIMESTAMP.name,
}  # fmt: skip
_CLASSES: dict[str, type] = {
    "bool": bool, "int": int, "uint": Uint, "double": float, "string": str, "bytes": bytes,
    DURATION.name: Duration, TIMESTAMP.name: Timestamp,
}  # fmt: skip
_ANYTHING = frozenset((DYN.kind, ANY.kind, PARAMETER))


class ResolvedCall(Record):
    """A call after overload resolution: all overloads of the function, or the only possible one."""

    name: str
    overloads: tuple[Overload, ...]
    args: tuple[Interpretable, ...]
    charge: Charge | None  # None for a cost of 1


def matches_type(kind: Type, value: Value) -> bool:
    """Check whether a value matches the type of an argument; of lists and maps, only the first item is checked."""
    if kind.kind in _ANYTHING:
        return True
    if get_type(value).name != kind.name:
        return False
    if kind.kind == LIST:
        return not value or matches_type(kind.params[0], list_parts(value)[0])
    if kind.kind == MAP and len(value):
        key = value.keys()[0]
        return matches_type(kind.params[0], key) and matches_type(kind.params[1], value.get_entry_value(key))
    return True


def make_body(call: ResolvedCall, switches: Switches) -> Body:
    """Return the function to run on the arguments, on these servers."""
    loaded = [(overload, overload.load_binding()) for overload in call.overloads]
    bodies = [(overload, body) for overload, body in loaded if body is not None]
    if call.name in UNGUARDED:
        overload, body = bodies[0]
        return _record_errors(overload, body, switches) if overload.uniform else body
    if call.name in _OF_LISTS:
        return _make_list_function(
            call.name, next(body for overload, body in bodies if len(overload.args) == len(call.args))
        )
    if call.name in _CONVERSIONS and switches.lasting.lacks(DECLARED_CONVERSIONS):
        return _make_conversion(call.name, bodies, switches)
    if len(bodies) == 1:
        return _make_guarded(call.name, *bodies[0], switches)
    return _make_dispatcher(call.name, bodies, switches)


def _record_errors(overload: Overload, body: Body, switches: Switches) -> Body:
    """Return the function of an overload that other versions have with other errors."""

    def call(*args: Value) -> Value:
        try:
            return body(*args)
        except CelError:
            switches.narrow(overload.since, overload.until)
            raise

    return call


def _get_type_name(value: Value, switches: Switches) -> str:
    """Return the name of a value's type, which for optionals depends on the version."""
    return "optional" if isinstance(value, Optional) and OPTIONAL_TYPE not in switches else get_type(value).name


def _make_conversion(name: str, bodies: Sequence[tuple[Overload, Body]], switches: Switches) -> Body:
    """Return a conversion of values of any type; null and types convert to strings, too."""

    def convert(arg: Value) -> Value:
        for overload, body in bodies:
            if matches_type(overload.args[0], arg):
                return body(arg)
        if name == "string" and (arg is None or isinstance(arg, Type)):
            return "null" if arg is None else arg.name
        raise CelError(f"type conversion error from '{_get_type_name(arg, switches)}' to '{_CONVERSIONS[name]}'")

    return convert


def _make_list_function(name: str, body: Body) -> Body:
    def call(*args: Value) -> Value:
        if isinstance(args[0], list):
            return body(*args)
        if name != "flatten":
            raise make_missing_operator_error(args[0], name)
        first, *others = [format_for_author(get_type(arg)) for arg in args]
        raise CelError(f"no such overload: {first}.{name}({', '.join(others)})")

    return call


def _make_guarded(name: str, overload: Overload, body: Body, switches: Switches) -> Body:
    """Return the function with a check of its arguments' types, which may be null where the checker allows it.

    Shortcut guarded-calls: an argument of the exact class of its parameter passes the dispatcher, which else decides.
    """
    kinds = [_CLASSES.get(kind.name) for kind in overload.args]
    dispatch = _make_dispatcher(name, [(overload, body)], switches)
    if len(kinds) == 1 and kinds[0] is not None:
        return lambda arg: body(arg) if type(arg) is kinds[0] else dispatch(arg)
    if len(kinds) == 2 and None not in kinds:
        first, second = kinds
        return lambda left, right: (
            body(left, right) if type(left) is first and type(right) is second else dispatch(left, right)
        )
    return dispatch


def _make_dispatcher(name: str, bodies: Sequence[tuple[Overload, Body]], switches: Switches) -> Body:
    def dispatch(*args: Value) -> Value:
        for overload, body in bodies:
            if len(overload.args) == len(args) and all(map(matches_type, overload.args, args)):
                return body(*args)
        if name in _CONVERSIONS:
            switches.record(DECLARED_CONVERSIONS)
        raise CelError(f"no such overload: {name}({', '.join([_get_type_name(arg, switches) for arg in args])})")

    return dispatch


def plan_call(call: ResolvedCall, body: Body, *, lazy: bool) -> Evaluation:
    """Plan a call; with `lazy`, arguments after a failing one are not evaluated."""
    runs = [arg.run for arg in call.args]
    if len(runs) == 1:
        return _plan_unary_of_cost_1(runs[0], body) if call.charge is None else _plan_unary(runs[0], body, call.charge)
    if len(runs) == 2 and not lazy:
        return plan_binary(runs[0], runs[1], body, call.charge)
    return _plan_varargs(runs, body, call.charge)


def make_compared_charge(
    charge: Charge, others: Iterable[tuple[CostFormula, int]], switches: RequestSwitches
) -> Charge:
    """Return the charge, which is compared with the formulas of other versions; these have sets of their versions."""

    def get_charge(args: Sequence[Value], result: Value) -> int:
        cost = charge(args, result)
        for formula, minors in others:
            try:
                difference = formula.charge(args, result) - cost
            except (TypeError, AttributeError):  # a panic of the server
                switches.exclude(minors)
                continue
            if difference:
                switches.record_cost(difference, minors)
        return cost

    return get_charge


def plan_binary(left_run: Evaluation, right_run: Evaluation, body: Body, charge: Charge | None) -> Evaluation:
    """Plan a call with two arguments, both of which are evaluated."""
    if charge is None:
        return _plan_binary_of_cost_1(left_run, right_run, body)
    return _plan_binary(left_run, right_run, body, charge)


def _plan_unary_of_cost_1(run: Evaluation, body: Body) -> Evaluation:
    """Plan a call that costs 1, even if it fails.

    Shortcut unit-costs: a charge that is always 1 needs neither the values nor the result of the call.
    """

    def evaluate(frame: Frame) -> Value:
        try:
            result = body(run(frame))
        except CelError:
            frame[COST] += 1
            raise
        frame[COST] += 1
        return result

    return evaluate


def _plan_binary_of_cost_1(left_run: Evaluation, right_run: Evaluation, body: Body) -> Evaluation:
    def evaluate(frame: Frame) -> Value:
        try:
            left = left_run(frame)
        except CelError:
            evaluate_or_error(right_run, frame)
            frame[COST] += 1
            raise
        try:
            result = body(left, right_run(frame))
        except CelError:
            frame[COST] += 1
            raise
        frame[COST] += 1
        return result

    return evaluate


def add_cost(charge: Charge | None, frame: Frame, args: Sequence[Value], result: Value) -> None:
    """Add the cost of a call, which wraps around at 64 bits: flattening to a negative depth has a negative cost.

    Raises CostLimitExceeded if the limit was exceeded before, since wrapping may hide that.
    """
    if frame[COST] > frame[LIMIT]:
        raise CostLimitExceeded
    try:
        frame[COST] = wrap_uint64(frame[COST] + (1 if charge is None else charge(args, result)))
    except (TypeError, AttributeError):
        raise Panic("interface conversion") from None


def _plan_unary(run: Evaluation, body: Body, charge: Charge) -> Evaluation:
    def evaluate(frame: Frame) -> Value:
        try:
            arg = run(frame)
        except CelError as error:
            add_cost(charge, frame, (error,), error)
            raise
        try:
            result = body(arg)
        except CelError as error:
            add_cost(charge, frame, (arg,), error)
            raise
        frame[COST] += charge((arg,), result)
        return result

    return evaluate


def _plan_binary(left_run: Evaluation, right_run: Evaluation, body: Body, charge: Charge) -> Evaluation:
    def evaluate(frame: Frame) -> Value:
        try:
            left = left_run(frame)
        except CelError as error:
            add_cost(charge, frame, (error, evaluate_or_error(right_run, frame)), error)
            raise
        try:
            right = right_run(frame)
        except CelError as error:
            add_cost(charge, frame, (left, error), error)
            raise
        try:
            result = body(left, right)
        except CelError as error:
            add_cost(charge, frame, (left, right), error)
            raise
        frame[COST] += charge((left, right), result)
        return result

    return evaluate


def evaluate_or_error(run: Evaluation, frame: Frame) -> Value:
    """Return the value, or the error in its place."""
    try:
        return run(frame)
    except CelError as error:
        return error


def _plan_varargs(runs: Sequence[Evaluation], body: Body, charge: Charge | None) -> Evaluation:
    last = len(runs) - 1

    def evaluate(frame: Frame) -> Value:
        args = []
        for place, run in enumerate(runs):
            try:
                args.append(run(frame))
            except CelError as error:
                if place == last:
                    add_cost(charge, frame, (*args, error), error)
                raise
        try:
            result = body(*args)
        except CelError as error:
            add_cost(charge, frame, args, error)
            raise
        add_cost(charge, frame, args, result)
        return result

    return evaluate
