"""Operators that do not need all operands, take errors for an answer, or know neither type nor overload.

Source: cel-go v0.29 `interpreter/interpretable.go`, `cel/library.go` (or, orValue).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from protoc_gen_crd.cel.library.functions.native import Message
from protoc_gen_crd.cel.library.functions.operators import contained
from protoc_gen_crd.cel.library.functions.optionals import value_of as held
from protoc_gen_crd.cel.values import MISSING, CelError, Map, Optional, Value, equal, no_such_overload

from .calls import Charge, attempted, binary
from .frames import COST, Frame, LimitExceeded, Run

Charges = Callable[[str, str], Charge | None]


def failing(text: str) -> Run:
    """What has no value."""

    def evaluate(_: Frame) -> Value:
        raise CelError(text)

    return evaluate


def refunded(run: Run) -> Run:
    """A question whether a field is there of what starts with a choice: servers take off what they never put on."""

    def evaluate(frame: Frame) -> Value:
        try:
            return run(frame)
        finally:
            frame[COST] -= 1
            if frame[COST] < 0:
                raise LimitExceeded

    return evaluate


def holding(run: Run, field: str) -> Run:
    """A question whether a field is there, as the oldest servers answer it: what contains a text, for nothing."""

    def evaluate(frame: Frame) -> Value:
        value = run(frame)
        if isinstance(value, Message):
            return value.find(field) is not MISSING
        if not isinstance(value, Map | list):
            raise CelError("invalid type for field selection.")
        return contained(field, value)

    return evaluate


def present(run: Run) -> Run:
    """The answer to `has()`: whether a way leads anywhere."""

    def has(frame: Frame) -> Value:
        found = run(frame)
        return found.value is not MISSING if type(found) is Optional else found

    return has


def _both(left_run: Run, right_run: Run, _: Charges) -> Run:
    return _connected(left_run, right_run, decisive=False)


def _either(left_run: Run, right_run: Run, _: Charges) -> Run:
    return _connected(left_run, right_run, decisive=True)


def _connected(left_run: Run, right_run: Run, *, decisive: bool) -> Run:
    """`&&` or `||`: decided by a value that is `decisive`, whatever the other is."""
    other = not decisive

    def connected(frame: Frame) -> Value:
        fault = None
        try:
            left = left_run(frame)
            if left is decisive:
                return decisive
            if left is not other:
                fault = no_such_overload()
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
            raise no_such_overload()
        return other

    return connected


def _equals(left_run: Run, right_run: Run, charges: Charges) -> Run:
    return binary(left_run, right_run, equal, charges("equals", "_==_"))


def _differs(left_run: Run, right_run: Run, charges: Charges) -> Run:
    return binary(left_run, right_run, _different, charges("not_equals", "_!=_"))


def _different(left: Value, right: Value) -> bool:
    """Values that cannot be compared differ."""
    try:
        return not equal(left, right)
    except CelError:
        return True


def _not_strictly_false(run: Run, _: Run, __: Charges) -> Run:
    def not_strictly_false(frame: Frame) -> bool:
        frame[COST] += 1
        return attempted(run, frame) is not False

    return not_strictly_false


def _or(left_run: Run, right_run: Run, *, strict: bool) -> Run:
    def either(frame: Frame) -> Value:
        left = left_run(frame)
        if type(left) is not Optional:
            return _otherwise(left, strict=strict)
        return right_run(frame) if left.value is MISSING else left

    return either


def _or_value(left_run: Run, right_run: Run, *, strict: bool) -> Run:
    def value(frame: Frame) -> Value:
        left = left_run(frame)
        if type(left) is not Optional:
            return _otherwise(left, strict=strict)
        return right_run(frame) if left.value is MISSING else held(left)

    return value


def _otherwise(value: Value, *, strict: bool) -> Value:
    if strict:
        raise no_such_overload()
    return value


class Otherwise(Protocol):
    """`or` or `orValue`: the left operand unless it is none; with `strict` it must be an optional."""

    def __call__(self, left_run: Run, right_run: Run, *, strict: bool) -> Run:
        """The evaluation."""


OPERATORS: dict[str, Callable[[Run, Run, Charges], Run]] = {
    "_&&_": _both,
    "_||_": _either,
    "_==_": _equals,
    "_!=_": _differs,
    "@not_strictly_false": _not_strictly_false,
}
OTHERWISE: dict[str, Otherwise] = {"or": _or, "orValue": _or_value}
