"""Mapping keys other than strings: equality, conversion to JSON, and Go syntax for errors.

In Go, 1, 1.0, true and "1" are different keys of a mapping, which are converted to strings only for JSON.

Source: go.yaml.in/yaml/v2 v2.4.4, decode.go; sigs.k8s.io/yaml v1.6.0, yaml.go; Go 1.26, fmt and strconv.
"""

from __future__ import annotations

from math import copysign, inf, isfinite, isnan
from struct import pack, unpack
from typing import Final, TypeAlias

from protoc_gen_crd.golang.fmt import format_digits, format_number, quote
from protoc_gen_crd.yaml.go_yaml.scalar_resolver import INT64_MAX, Scalar

_NIL: Final = "<nil>"
_NIL_INSIDE: Final = "interface {}(nil)"
_FLOAT32_DIGITS = 9
_NOT_FINITE = {"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}


class NonStringKey:
    """A key other than a string; keys are equal only if both type and value are."""

    __slots__ = ("mark", "value")

    def __init__(self, value: Scalar, mark: int) -> None:
        self.value = value
        self.mark = mark

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NonStringKey) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash(self.value)

    @property
    def text(self) -> str:
        """The key in JSON; an approximation for keys that are invalid in JSON."""
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return _format_float32(self.value) if isinstance(self.value, float) else str(self.value)

    def rejected_type(self) -> str | None:
        """Return the Go type of a key that is invalid in JSON, otherwise None."""
        return "%!s(<nil>)" if self.value is None else "uint64" if _is_unsigned(self.value) else None


Key: TypeAlias = str | NonStringKey
Value: TypeAlias = "Scalar | list[Value] | dict[Key, Value]"


class _Piece(str):
    """A formatted part of the result, among values that are not formatted yet."""

    __slots__ = ()


def format_go_syntax(value: Value | NonStringKey) -> str:
    """Format a value like Go's %#v. Collections may nest deeper than Python's stack allows."""
    if isinstance(value, NonStringKey):
        value = value.value
    if value is None:
        return _NIL
    parts: list[str] = []
    pending: list[Value] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending += reversed(_split_mapping(item))
        elif isinstance(item, list):
            pending += reversed(_split_list(item))
        else:
            parts.append(item if isinstance(item, _Piece) else _format_scalar(item))
    return "".join(parts)


def _split_mapping(mapping: dict[Key, Value]) -> list[Value]:
    pieces: list[Value] = []
    members = [(key.value if isinstance(key, NonStringKey) else key, item) for key, item in mapping.items()]
    for key, item in sorted(members, key=lambda member: _get_sort_key(member[0])):
        pieces += _Piece(f"{', ' if pieces else ''}{_format_scalar(key)}:"), item
    return [_Piece("map[interface {}]interface {}{"), *pieces, _Piece("}")]


def _split_list(items: list[Value]) -> list[Value]:
    pieces: list[Value] = []
    for item in items:
        pieces += _Piece(", " if pieces else ""), item
    return [_Piece("[]interface {}{"), *pieces, _Piece("}")]


def _get_sort_key(key: Scalar) -> tuple[int, str, bool, float]:
    """Return the sort key of Go's fmt: null first, then by type and value, NaN before other floats."""
    if key is None:
        return 0, "", False, 0
    if isinstance(key, str):
        return 1, key, False, 0
    kind = 5 if isinstance(key, bool) else 4 if isinstance(key, float) else 2 if _is_unsigned(key) else 3
    is_number = not isnan(key)
    return kind, "", is_number, key if is_number else 0


def _is_unsigned(value: Scalar) -> bool:
    """Return whether a number is a uint64 in Go, since it exceeds an int64."""
    return type(value) is int and value > INT64_MAX


def _format_scalar(value: Scalar) -> str:
    if value is None:
        return _NIL_INSIDE
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return format_number(value)
    return hex(value) if _is_unsigned(value) else str(value)


def _format_float32(value: float) -> str:
    """Format a float as a key of JSON: the shortest digits of the same single-precision number."""
    single = _round_to_float32(value)
    if not isfinite(single):
        return _NOT_FINITE[str(single)]
    candidates = (f"{single:.{digits}e}" for digits in range(_FLOAT32_DIGITS))
    return format_digits(next(candidate for candidate in candidates if _round_to_float32(float(candidate)) == single))


def _round_to_float32(value: float) -> float:
    try:
        rounded: float = unpack("f", pack("f", value))[0]
    except OverflowError:
        return copysign(inf, value)
    return rounded
