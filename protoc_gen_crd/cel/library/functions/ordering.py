"""The order of values. Source: cel-go v0.29 `common/types` (`Compare` of each type)."""

from __future__ import annotations

from math import isnan

from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.runtime_values import CelError, Duration, Timestamp, Value, make_no_such_overload

_NUMBERS = (int, Uint, float)
_ORDERED = (bool, str, bytes, Duration, Timestamp)


def compare(left: Value, right: Value) -> int:
    """Return -1, 0, or 1 for two ordered values. Raises CelError for others."""
    one, other = type(left), type(right)
    if one in _NUMBERS:
        if one is float and isnan(left):
            raise CelError("NaN values cannot be ordered")
        if other not in _NUMBERS:
            raise make_no_such_overload()
        return _compare_numbers(left, right)
    if one is not other or one not in _ORDERED:
        raise make_no_such_overload()
    if isinstance(left, Duration | Timestamp):
        left, right = left.nanoseconds, right.nanoseconds
    return int(left > right) - int(left < right)


def _compare_numbers(left: float, right: float) -> int:
    if type(left) is float or type(right) is float:
        left, right = float(left), float(right)  # servers round, too
        if isnan(left) or isnan(right):
            raise CelError("NaN values cannot be ordered")
    return (left > right) - (left < right)
