"""The functions of optional values. `or` and `orValue` are in the interpreter, since they may skip an operand.

Source: cel-go v0.29 `cel/library.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.values.runtime_values import (
    MISSING,
    NONE,
    CelError,
    Map,
    Optional,
    Timestamp,
    Value,
    list_parts,
)

from .native_conversion import MessageValue
from .type_conversions import format_for_error

_ZERO_MOMENT = -62135596800 * 10**9  # Go's zero time, in the year 1


def make_optional_of_non_zero(value: Value) -> Optional:
    """Return an optional of the value, or none if it is null, false, zero, or empty."""
    return NONE if _is_zero(value) else Optional(value)


def _is_zero(value: Value) -> bool:
    if isinstance(value, Timestamp):
        return value.nanoseconds == _ZERO_MOMENT
    if isinstance(value, list | Map):
        return type(value) in (list, Map) and len(value) == 0  # values read from data never count as empty
    if isinstance(value, str | bytes | bool | int | float):
        return not value
    if isinstance(value, Type):
        return False
    if isinstance(value, MessageValue):
        return not value.fields.entries
    return value is None or getattr(value, "nanoseconds", 1) == 0


def make_none() -> Optional:
    """Return optional.none()."""
    return NONE


def get_value(optional: Optional) -> Value:
    """Return the value. Raises CelError if there is none."""
    if optional.value is MISSING:
        raise CelError("optional.none() dereference")
    if isinstance(optional.value, CelError):
        raise optional.value
    return optional.value


def has_value(optional: Optional) -> bool:
    """Check whether there is a value."""
    return optional.value is not MISSING


def _get_item(items: list[Value], place: int) -> Value:
    return list_parts(items)[place]


def get_first(items: list[Value]) -> Optional:
    """Return the first item, if there is one."""
    return Optional(_get_item(items, 0)) if items else NONE


def get_last(items: list[Value]) -> Optional:
    """Return the last item, if there is one."""
    return Optional(_get_item(items, -1)) if items else NONE


def unwrap_optionals(items: list[Value]) -> list[Value]:
    """Return the values of all optionals that have one."""
    values = []
    for item in items:
        if not isinstance(item, Optional):
            raise CelError(f"value {format_for_error(item)} is not optional")
        if item.value is not MISSING:
            values.append(item.value)
    return values
