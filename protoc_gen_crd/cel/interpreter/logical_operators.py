"""Operators that may skip operands, absorb errors, or do not depend on types and overloads.

Source: cel-go v0.29 `interpreter/interpretable.go`, `cel/library.go` (or, orValue).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from protoc_gen_crd.cel.library.functions.native_conversion import MessageValue
from protoc_gen_crd.cel.library.functions.operators import is_in
from protoc_gen_crd.cel.library.functions.optionals import get_value
from protoc_gen_crd.cel.values.runtime_values import (
    MISSING,
    CelError,
    Map,
    Optional,
    Value,
    is_equal,
    make_no_such_overload,
)
from protoc_gen_crd.cel.version_differences import PRESENCE_ATTRIBUTES
from protoc_gen_crd.kubernetes.shared_results import Switches

from .evaluation_frame import COST, CostLimitExceeded, Evaluation, Frame
from .function_calls import Charge, evaluate_or_error, plan_binary

Charges = Callable[[str, str], Charge | None]


def make_failing(message: str) -> Evaluation:
    """Plan an evaluation that fails."""

    def evaluate(_: Frame) -> Value:
        raise CelError(message)

    return evaluate


def plan_refunded(run: Evaluation) -> Evaluation:
    """Plan a presence test on a conditional: servers subtract a cost of 1 that they did not add."""

    def evaluate(frame: Frame) -> Value:
        try:
            return run(frame)
        finally:
            frame[COST] -= 1
            if frame[COST] < 0:
                raise CostLimitExceeded

    return evaluate


def plan_legacy_has(run: Evaluation, field: str) -> Evaluation:
    """Plan a presence test on the oldest servers: containment of a string, at no cost."""

    def evaluate(frame: Frame) -> Value:
        value = run(frame)
        if isinstance(value, MessageValue):
            return value.find(field) is not MISSING
        if not isinstance(value, Map | list):
            raise CelError("invalid type for field selection.")
        return is_in(field, value)

    return evaluate


def plan_plain_has(run: Evaluation, switches: Switches) -> Evaluation:
    """Plan a presence test on fields of a variable, which costs the same on the oldest servers unless it fails."""

    def evaluate(frame: Frame) -> Value:
        try:
            return run(frame)
        except CelError:
            switches.record(PRESENCE_ATTRIBUTES)
            raise

    return evaluate


def plan_has(run: Evaluation) -> Evaluation:
    """Plan a presence test: convert an optional result to a bool."""

    def evaluate(frame: Frame) -> Value:
        result = run(frame)
        return result.value is not MISSING if type(result) is Optional else result

    return evaluate


def _plan_and(left_run: Evaluation, right_run: Evaluation, _: Charges) -> Evaluation:
    return _plan_logical(left_run, right_run, decisive=False)


def _plan_or(left_run: Evaluation, right_run: Evaluation, _: Charges) -> Evaluation:
    return _plan_logical(left_run, right_run, decisive=True)


def _plan_logical(left_run: Evaluation, right_run: Evaluation, *, decisive: bool) -> Evaluation:
    """Plan `&&` or `||`: the value `decisive` decides, whatever the other operand is."""
    other = not decisive

    def evaluate(frame: Frame) -> Value:
        fault = None
        try:
            left = left_run(frame)
            if left is decisive:
                return decisive
            if left is not other:
                fault = make_no_such_overload()
        except CelError as error:
            fault = error
        try:
            right = right_run(frame)
        except CelError as error:
            raise fault or error from None
        if right is decisive:
            return decisive
        if fault is not None:
            raise fault
        if right is not other:
            raise make_no_such_overload()
        return other

    return evaluate


def _plan_equals(left_run: Evaluation, right_run: Evaluation, charges: Charges) -> Evaluation:
    return plan_binary(left_run, right_run, is_equal, charges("equals", "_==_"))


def _plan_not_equals(left_run: Evaluation, right_run: Evaluation, charges: Charges) -> Evaluation:
    return plan_binary(left_run, right_run, _is_different, charges("not_equals", "_!=_"))


def _is_different(left: Value, right: Value) -> bool:
    """Check for inequality; values that cannot be compared differ."""
    try:
        return not is_equal(left, right)
    except CelError:
        return True


def _plan_not_strictly_false(run: Evaluation, _: Evaluation, __: Charges) -> Evaluation:
    def evaluate(frame: Frame) -> bool:
        frame[COST] += 1
        return evaluate_or_error(run, frame) is not False

    return evaluate


def _plan_optional_or(left_run: Evaluation, right_run: Evaluation, *, strict: bool) -> Evaluation:
    def evaluate(frame: Frame) -> Value:
        left = left_run(frame)
        if type(left) is not Optional:
            return _get_optional_value(left, strict=strict)
        return right_run(frame) if left.value is MISSING else left

    return evaluate


def _plan_optional_or_value(left_run: Evaluation, right_run: Evaluation, *, strict: bool) -> Evaluation:
    def evaluate(frame: Frame) -> Value:
        left = left_run(frame)
        if type(left) is not Optional:
            return _get_optional_value(left, strict=strict)
        return right_run(frame) if left.value is MISSING else get_value(left)

    return evaluate


def _get_optional_value(value: Value, *, strict: bool) -> Value:
    if strict:
        raise make_no_such_overload()
    return value


class OptionalOperator(Protocol):
    """`or` or `orValue`: the left operand unless it is none; with `strict`, it must be an optional."""

    def __call__(self, left_run: Evaluation, right_run: Evaluation, *, strict: bool) -> Evaluation:
        """Plan the operator."""


OPERATORS: dict[str, Callable[[Evaluation, Evaluation, Charges], Evaluation]] = {
    "_&&_": _plan_and,
    "_||_": _plan_or,
    "_==_": _plan_equals,
    "_!=_": _plan_not_equals,
    "@not_strictly_false": _plan_not_strictly_false,
}
OPTIONAL_OPERATORS: dict[str, OptionalOperator] = {"or": _plan_optional_or, "orValue": _plan_optional_or_value}
