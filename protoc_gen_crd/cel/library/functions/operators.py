"""The operators on values of any types: cel-go dispatches on the left operand, not on the declared overload.

Source: cel-go v0.29 `common/stdlib/standard.go`, `common/types` (the methods of each type), `common/types/overflow.go`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import copysign, inf, isnan, nan

from protoc_gen_crd.cel.library.time_parser import EARLIEST, LATEST
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.values.runtime_values import (
    LEAST_INT,
    MISSING,
    MOST_INT,
    MOST_UINT,
    CelError,
    Duration,
    List,
    Map,
    Timestamp,
    Value,
    contains_value,
    make_no_such_overload,
)

from .ordering import compare

SECOND = 10**9
_RECEIVERS = (str, Timestamp, Duration)  # types with member functions, whose operators have a shorter error message


def make_missing_operator_error(value: Value, name: str) -> CelError:
    """Return the error of a value whose type has no such operator."""
    return make_no_such_overload() if isinstance(value, _RECEIVERS) else CelError(f"no such overload: {name}")


def check_int(number: int) -> int:
    """Return the int. Raises CelError if it overflows."""
    if LEAST_INT <= number <= MOST_INT:
        return number
    raise CelError("integer overflow")


def check_uint(number: int) -> Uint:
    """Return the uint. Raises CelError if it overflows."""
    if 0 <= number <= MOST_UINT:
        return Uint(number)
    raise CelError("unsigned integer overflow")


def make_timestamp(nanoseconds: int, offset: int | None) -> Timestamp:
    """Return the timestamp. Raises CelError if it overflows."""
    if EARLIEST <= nanoseconds // SECOND <= LATEST:
        return Timestamp(nanoseconds, offset)
    raise CelError("timestamp overflow")


def _check_same_type(left: Value, right: Value) -> None:
    if type(left) is not type(right):
        raise make_no_such_overload()


def add(left: Value, right: Value) -> Value:
    """Evaluate `_+_`."""
    if type(left) is int and type(right) is int:
        return check_int(left + right)
    if isinstance(left, list):
        return _add_lists(left, right)
    if isinstance(left, Duration | Timestamp):
        return _add_time(left, right)
    if type(left) in (str, bytes, float):
        _check_same_type(left, right)
        return left + right
    return _apply_arithmetic("_+_", operator.add, left, right)


def _apply_arithmetic(name: str, run: Callable[[int, int], int], left: Value, right: Value) -> Value:
    if type(left) is int or type(left) is Uint:
        _check_same_type(left, right)
        result = run(int(left), int(right))
        return check_int(result) if type(left) is int else check_uint(result)
    raise make_missing_operator_error(left, name)


def _add_lists(left: list[Value], right: Value) -> list[Value]:
    if not isinstance(right, list):
        raise make_no_such_overload()
    if isinstance(left, List):
        return left.add(right)
    return right.add_to(left) if isinstance(right, List) else [*left, *right]


def _add_time(left: Duration | Timestamp, right: Value) -> Value:
    if isinstance(left, Timestamp) and isinstance(right, Duration):
        return make_timestamp(left.nanoseconds + right.nanoseconds, left.offset)
    if isinstance(left, Duration) and isinstance(right, Timestamp):
        return make_timestamp(left.nanoseconds + right.nanoseconds, right.offset)
    if isinstance(left, Duration) and isinstance(right, Duration):
        return Duration(check_int(left.nanoseconds + right.nanoseconds))
    raise make_no_such_overload()


def subtract(left: Value, right: Value) -> Value:
    """Evaluate `_-_`."""
    if type(left) is float:
        _check_same_type(left, right)
        return left - right
    if not isinstance(left, Duration | Timestamp):
        return _apply_arithmetic("_-_", operator.sub, left, right)
    if isinstance(left, Timestamp) and isinstance(right, Duration):
        check_int(-right.nanoseconds)
        return make_timestamp(left.nanoseconds - right.nanoseconds, left.offset)
    _check_same_type(left, right)
    return Duration(check_int(left.nanoseconds - right.nanoseconds))


def multiply(left: Value, right: Value) -> Value:
    """Evaluate `_*_`."""
    if type(left) is float:
        _check_same_type(left, right)
        return left * right
    return _apply_arithmetic("_*_", operator.mul, left, right)


def divide(left: Value, right: Value) -> Value:
    """Evaluate `_/_`, which rounds toward zero."""
    if type(left) is float:
        _check_same_type(left, right)
        return _divide_floats(left, right)
    return _apply_arithmetic("_/_", _divide_ints, left, right)


def _divide_floats(left: float, right: float) -> float:
    if right:
        return left / right
    if not left or isnan(left):
        return nan
    return copysign(inf, left) * copysign(1.0, right)


def _divide_ints(left: int, right: int) -> int:
    if not right:
        raise CelError("division by zero")
    magnitude = abs(left) // abs(right)
    return magnitude if (left < 0) is (right < 0) else -magnitude


def modulo(left: Value, right: Value) -> Value:
    """Evaluate `_%_`; the result has the sign of the dividend."""
    return _apply_arithmetic("_%_", _compute_remainder, left, right)


def _compute_remainder(left: int, right: int) -> int:
    if not right:
        raise CelError("modulus by zero")
    if left == LEAST_INT and right == -1:
        raise CelError("integer overflow")
    magnitude = abs(left) % abs(right)
    return -magnitude if left < 0 else magnitude


def negate(value: Value) -> Value:
    """Evaluate `-_`."""
    if type(value) is int:
        return check_int(-value)
    if type(value) is float:
        return -value
    if isinstance(value, Duration):
        return Duration(check_int(-value.nanoseconds))
    if type(value) is bool:
        raise make_no_such_overload()
    raise make_missing_operator_error(value, "-_")


def invert(value: Value) -> bool:
    """Evaluate `!_`."""
    if value is True:
        return False
    if value is False:
        return True
    raise make_no_such_overload()


def old_invert(value: Value) -> bool:
    """Evaluate `!_` before 1.29, where the error for other types names the operator."""
    if isinstance(value, Uint) or not isinstance(value, int | float):
        raise make_missing_operator_error(value, "!_")
    return invert(value)


_ORDERED = (bool, int, Uint, float, str, bytes, Duration, Timestamp)


def _compare_ordered(name: str, left: Value, right: Value) -> int:
    if type(left) not in _ORDERED:
        raise make_missing_operator_error(left, name)
    return compare(left, right)


def less(left: Value, right: Value) -> bool:
    """Evaluate `_<_`.

    Shortcut compared-ints: two ints are ordered as `compare` orders them, which decides for all other types.
    """
    return left < right if type(left) is type(right) is int else _compare_ordered("_<_", left, right) < 0


def less_equals(left: Value, right: Value) -> bool:
    """Evaluate `_<=_`."""
    return left <= right if type(left) is type(right) is int else _compare_ordered("_<=_", left, right) <= 0


def greater(left: Value, right: Value) -> bool:
    """Evaluate `_>_`."""
    return left > right if type(left) is type(right) is int else _compare_ordered("_>_", left, right) > 0


def greater_equals(left: Value, right: Value) -> bool:
    """Evaluate `_>=_`."""
    return left >= right if type(left) is type(right) is int else _compare_ordered("_>=_", left, right) >= 0


def is_in(item: Value, collection: Value) -> bool:
    """Evaluate `@in`: check whether an item or key is in a list or map."""
    if isinstance(collection, List):
        return collection.contains(item)
    if isinstance(collection, list):
        return contains_value(collection, item)
    if isinstance(collection, Map):
        return collection.find(item) is not MISSING
    raise make_no_such_overload()


def get_size(value: Value) -> int:
    """Return the number of code points, bytes, items, or entries."""
    if isinstance(value, str | bytes | list | Map):
        return len(value)
    raise make_missing_operator_error(value, "size")


def contains(string: Value, part: Value) -> bool:
    """Check whether a string contains another."""
    return _require_string(part) in _require_string(string)


def starts_with(string: Value, part: Value) -> bool:
    """Check whether a string starts with another."""
    return _require_string(string).startswith(_require_string(part))


def ends_with(string: Value, part: Value) -> bool:
    """Check whether a string ends with another."""
    return _require_string(string).endswith(_require_string(part))


def contains_of_string(string: Value, part: Value) -> bool:
    """Evaluate `contains` on servers where only strings have the function."""
    return contains(_require_function(string, "contains"), part)


def starts_with_of_string(string: Value, part: Value) -> bool:
    """Evaluate `startsWith` on servers where only strings have the function."""
    return starts_with(_require_function(string, "startsWith"), part)


def ends_with_of_string(string: Value, part: Value) -> bool:
    """Evaluate `endsWith` on servers where only strings have the function."""
    return ends_with(_require_function(string, "endsWith"), part)


def _require_function(value: Value, name: str) -> Value:
    if isinstance(value, CelError) or type(value) is str or isinstance(value, _RECEIVERS):
        return value
    raise CelError(f"no such overload: {name}")


def _require_string(value: Value) -> str:
    if type(value) is str:
        return value
    raise make_no_such_overload()


def matches(string: Value, pattern: Value) -> bool:
    """Check whether a pattern matches anywhere in a string."""
    if type(string) is not str:
        raise make_missing_operator_error(string, "matches")
    return compile_matcher(_require_string(pattern))(string)


def compile_matcher(pattern: str) -> Callable[[str], bool]:
    """Return `matches` for one pattern. Raises CelError if it does not compile."""
    from protoc_gen_crd.regex.matcher import compile  # noqa: A004, PLC0415 - importing RE2 is slow
    from protoc_gen_crd.regex.syntax_check import check  # noqa: PLC0415

    fault = check(pattern)
    if fault is not None:
        raise CelError(fault)
    return compile(pattern).search
