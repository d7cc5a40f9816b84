"""Mapping keys that are no text: how they differ, what JSON makes of them, how Go shows them in an error.

Go keeps 1, 1.0, true and "1" apart as keys of one mapping and only then turns them into JSON's texts.

Source: go.yaml.in/yaml/v2 v2.4.4, decode.go; sigs.k8s.io/yaml v1.6.0, yaml.go; Go 1.26, fmt and strconv.
"""

from __future__ import annotations

from math import copysign, inf, isfinite, isnan
from struct import pack, unpack
from typing import Final, TypeAlias

from protoc_gen_crd.golang.fmt import format_digits, format_number, quote
from protoc_gen_crd.yaml.go_yaml.resolver import INT64_MAX, Scalar

_NIL: Final = "<nil>"
_NIL_INSIDE: Final = "interface {}(nil)"
_FLOAT32_DIGITS = 9
_NOT_FINITE = {"nan": ".nan", "inf": ".inf", "-inf": "-.inf"}


class NonStringKey:
    """A key that is no text: equal to another of the same type and value only."""

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
        """The key in JSON; for a key that JSON refuses, what is nearest."""
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return _format_float32(self.value) if isinstance(self.value, float) else str(self.value)

    def rejected_type(self) -> str | None:
        """The Go type of a key that cannot be one in JSON, else None."""
        return "%!s(<nil>)" if self.value is None else "uint64" if _is_unsigned(self.value) else None


Key: TypeAlias = str | NonStringKey
Value: TypeAlias = "Scalar | list[Value] | dict[Key, Value]"


class _Piece(str):
    """A part of the result, among values that are yet to be shown."""

    __slots__ = ()


def format_go_syntax(value: Value | NonStringKey) -> str:
    """A value as Go's %#v prints it. Collections may nest deeper than Python recurses."""
    if isinstance(value, NonStringKey):
        value = value.value
    if value is None:
        return _NIL
    parts: list[str] = []
    waiting: list[Value] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += reversed(_split_mapping(item))
        elif isinstance(item, list):
            waiting += reversed(_split_list(item))
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
    """Where Go prints a key: null first, then by type and value, NaN before other floats."""
    if key is None:
        return 0, "", False, 0
    if isinstance(key, str):
        return 1, key, False, 0
    kind = 5 if isinstance(key, bool) else 4 if isinstance(key, float) else 2 if _is_unsigned(key) else 3
    is_number = not isnan(key)
    return kind, "", is_number, key if is_number else 0


def _is_unsigned(value: Scalar) -> bool:
    """Whether Go holds a number as uint64, since no int64 does."""
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
    """A float as a key of JSON: the shortest digits that mean the same single-precision number."""
    single = _round_to_float32(value)
    if not isfinite(single):
        return _NOT_FINITE[str(single)]
    texts = (f"{single:.{digits}e}" for digits in range(_FLOAT32_DIGITS))
    return format_digits(next(text for text in texts if _round_to_float32(float(text)) == single))


def _round_to_float32(value: float) -> float:
    try:
        rounded: float = unpack("f", pack("f", value))[0]
    except OverflowError:
        return copysign(inf, value)
    return rounded
