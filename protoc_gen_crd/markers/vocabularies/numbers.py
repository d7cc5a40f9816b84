"""Rows of numbers, flags, enums and bytes in the rules of protovalidate and protoc-gen-validate."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from math import isfinite
from typing import Any

from protoc_gen_crd.markers.vocabularies.rows import (
    Made,
    Make,
    Row,
    Said,
    Target,
    example,
    listed,
    refused,
    short_float,
    text,
    without_effect,
)
from protoc_gen_crd.markers.vocabularies.shapes import INTEGERS

_EXACT = 2**53  # bounds are doubles, which tell whole numbers apart up to here
_LEAST, _MOST = -(2**63), 2**63 - 1
_KEY = "int(key)"  # a key of a map of numbers, as rules see it
_FLOATS = ("double", "float")
# Name of a bound -> (its comparison, its words)
_BOUNDS = {"lt": ("<", "less than"), "lte": ("<=", "at most"), "gt": (">", "greater than"), "gte": (">=", "at least")}
_RANGE = "outside its ends where the lower bound is above the upper one"


def _plain(value: Any, target: Target) -> Any:
    return short_float(value) if target.kind == "float" else value


def literal(value: Any, target: Target) -> str:
    """A number as a CEL literal of the type that a server has for its kind."""
    return repr(float(_plain(value, target))) if target.kind in _FLOATS else str(value)


def pair(rules: Mapping[str, Any]) -> tuple[str, str]:
    """The names of the lower and of the upper bound, empty where there is none."""
    lower = next((name for name in ("gt", "gte") if name in rules), "")
    return lower, next((name for name in ("lt", "lte") if name in rules), "")


def turned(lower: str, upper: str, low: str, high: str, x: str) -> Said:
    """A range whose lower bound is above its upper one: what lies between them is refused."""
    (above, over), (below, under) = _BOUNDS[lower], _BOUNDS[upper]
    return Said(f"{x} {above} {low} || {x} {below} {high}", f"must be {over} {low} or {under} {high}")


def _bound(name: str) -> Make:
    def make(value: Any, target: Target, rules: Mapping[str, Any]) -> Made:
        lower, upper = pair(rules)
        if lower and upper and rules[lower] > rules[upper]:
            if name == upper:
                return ()
            low, high = literal(rules[lower], target), literal(rules[upper], target)
            zero = _keeps(lower, rules[lower]) or _keeps(upper, rules[upper])
            return turned(lower, upper, low, high, target.x).replace(zero=zero)
        return _single(name, value, target)

    return make


def _single(name: str, value: Any, target: Target) -> Made:
    if not isfinite(value):
        return f"a bound must be a finite number, found {value}"
    comparison, words = _BOUNDS[name]
    if target.kind not in _FLOATS and not _LEAST <= value <= _MOST:
        if target.x == _KEY:
            return Said(f"u{_KEY} {comparison} {value}u", f"must be {words} {value}", zero=_keeps(name, value))
        if name in ("lt", "lte"):
            return ()  # holds of every number that a server takes
        return f"API servers take integers up to {_MOST}"
    shown = literal(value, target)
    rule, message = f"{target.x} {comparison} {shown}", f"must be {words} {shown}"
    return Said(rule, message, _keywords(name, _plain(value, target), target), _keeps(name, value))


def _keywords(name: str, value: Any, target: Target) -> tuple[tuple[str, Any], ...]:
    option = "maximum" if name in ("lt", "lte") else "minimum"
    if abs(value) >= _EXACT and target.kind not in _FLOATS:
        return ()
    if name in ("lte", "gte"):
        return ((option, value),)
    if target.kind in _FLOATS:
        return ((option, value), (f"exclusive_{option}", True))
    return ((option, value - 1 if name == "lt" else value + 1),)


def _keeps(name: str, bound: float) -> bool:
    return {"lt": bound > 0, "lte": bound >= 0, "gt": bound < 0, "gte": bound <= 0}[name]


def _listing(values: list[Any], target: Target) -> tuple[str, str, str]:
    """The expression for a value, and values as a list of literals and in words.

    Keys are texts, of which CEL makes unsigned numbers too; as values API servers take none that are so large.
    """
    beyond = target.kind not in _FLOATS and not all(_LEAST <= value <= _MOST for value in values)
    shown = [literal(value, target) for value in values]
    if not beyond:
        return target.x, listed(shown), listed(shown)
    if target.x == _KEY:
        return f"u{_KEY}", listed([f"{one}u" for one in shown]), listed(shown)
    held = [literal(value, target) for value in values if _LEAST <= value <= _MOST]
    return target.x, listed(held), listed(shown)


def _const(value: Any, target: Target, _: Mapping[str, Any]) -> Made:
    x, shown, words = _listing([value], target)
    rule = f"{x} == {shown[1:-1]}" if shown != "[]" else "false"
    return Said(rule, f"must be {words[1:-1]}", (("enum", [_plain(value, target)]),), bool(value == 0))


def _in(value: list[Any], target: Target, _: Mapping[str, Any]) -> Made:
    x, shown, words = _listing(value, target)
    plain = [_plain(one, target) for one in value]
    return Said(f"{x} in {shown}", f"must be one of {words}", (("enum", plain),), 0 in value)


def _not_in(value: list[Any], target: Target, _: Mapping[str, Any]) -> Made:
    x, shown, words = _listing(value, target)
    return Said(f"!({x} in {shown})", f"must be none of {words}", zero=0 not in value)


def _names(numbers: list[int], target: Target) -> list[str]:
    return [value.name for value in target.enum.values if value.number in numbers] if target.enum else []


def _spelled(names: list[str], target: Target) -> list[Any]:
    """Names, and their numbers where objects may have those."""
    values = target.enum.values if target.enum and target.numbered else ()
    return [*names, *dict.fromkeys(value.number for value in values if value.name in names)]


def _among(names: list[str], target: Target) -> tuple[str, str]:
    """The rule that a value is one of these, of which lists hold one type each, and the names as they are shown."""
    shown, numbers = listed([text(name) for name in names]), _spelled(names, target)[len(names) :]
    rule = f"{target.x} in {shown}"
    return f"{rule} || {target.x} in {listed(list(map(str, numbers)))}" if numbers else rule, shown


def _enum_in(value: list[int], target: Target, _: Mapping[str, Any]) -> Made:
    names = _names(value, target)
    if not names:
        return f"none of the numbers {', '.join(map(str, value))} is a value of the enum, which are names to a server"
    rule, shown = _among(names, target)
    return Said(rule, f"must be one of {shown}", (("enum", _spelled(names, target)),), 0 in value)


def _enum_not_in(value: list[int], target: Target, _: Mapping[str, Any]) -> Made:
    names = _names(value, target)
    others = [one.name for one in target.enum.values if one.number not in value] if target.enum else []
    if not others:
        return "no value of the enum is left"
    rule, shown = _among(names, target)
    said = Said(f"!({rule})", f"must be none of {shown}", (("enum", _spelled(others, target)),), 0 not in value)
    return said if names else ()


def _enum_example(value: list[int], target: Target, _: Mapping[str, Any]) -> Made:
    names = _names(value[:1], target)
    return Said("", "", (("example", names[0]),), zero=True) if names else ()


def _flag(value: bool, target: Target, _: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
    rule = target.x if value else f"!{target.x}"
    return Said(rule, f"must be {str(value).lower()}", (("enum", [value]),), not value)


_NUMBER: Mapping[str, Row] = {
    "const": Row("`enum`", _const),
    "lt": Row(f"`maximum`, of floating point numbers with `exclusiveMaximum`; {_RANGE}", _bound("lt")),
    "lte": Row(f"`maximum`; {_RANGE}", _bound("lte")),
    "gt": Row(f"`minimum`, of floating point numbers with `exclusiveMinimum`; {_RANGE}", _bound("gt")),
    "gte": Row(f"`minimum`; {_RANGE}", _bound("gte")),
    "in": Row("`enum`", _in),
    "not_in": Row("a rule", _not_in),
    "example": example(lambda value: value),
}
_FLOAT: Mapping[str, Row] = {**_NUMBER, "finite": without_effect("JSON has no other numbers")}


def _sized(comparison: str, words: str) -> Make:
    def make(value: int, target: Target, _: Mapping[str, Any]) -> Made:
        zero = {"==": value == 0, ">=": value == 0, "<=": True}[comparison]
        return Said(f"size({target.x}) {comparison} {value}", f"must have {words} {value} bytes", zero=zero)

    return make


def _bytes_const(value: bytes, target: Target, _: Mapping[str, Any]) -> Made:
    return Said(f"{target.x} == {text(value)}", f"must be the bytes {value.hex()}", zero=not value)


def _bytes_in(value: list[bytes], target: Target, _: Mapping[str, Any]) -> Made:
    shown = ", ".join(one.hex() for one in value)
    return Said(
        f"{target.x} in {listed(list(map(text, value)))}", f"must be one of the bytes {shown}", zero=b"" in value
    )


def _bytes_not_in(value: list[bytes], target: Target, _: Mapping[str, Any]) -> Made:
    shown = ", ".join(one.hex() for one in value)
    rule = f"!({target.x} in {listed(list(map(text, value)))})"
    return Said(rule, f"must be none of the bytes {shown}", zero=b"" not in value)


def _bytes_pattern(value: str, target: Target, _: Mapping[str, Any]) -> Made:
    return Said(f"string({target.x}).matches({text(value)})", f"must be text that matches {value}")


def _bytes_of_sizes(words: str, *sizes: int) -> Make:
    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Made:  # noqa: FBT001 - a value of the vocabulary
        rule = " || ".join(f"size({target.x}) == {size}" for size in sizes)
        return Said(rule, f"must be {words}") if value else ()

    return make


_NO_FUNCTION = refused("CEL of API servers has no such function for bytes")
_BYTES: Mapping[str, Row] = {
    "const": Row("a rule", _bytes_const),
    "len": Row("a rule on the bytes, not on the base64 text", _sized("==", "exactly")),
    "min_len": Row("a rule on the bytes, not on the base64 text", _sized(">=", "at least")),
    "max_len": Row("a rule on the bytes, not on the base64 text", _sized("<=", "at most")),
    "pattern": Row("a rule", _bytes_pattern),
    "prefix": _NO_FUNCTION,
    "suffix": _NO_FUNCTION,
    "contains": _NO_FUNCTION,
    "in": Row("a rule", _bytes_in),
    "not_in": Row("a rule", _bytes_not_in),
    "ip": Row("a rule: 4 or 16 bytes", _bytes_of_sizes("an IP address of 4 or 16 bytes", 4, 16)),
    "ipv4": Row("a rule: 4 bytes", _bytes_of_sizes("an IPv4 address of 4 bytes", 4)),
    "ipv6": Row("a rule: 16 bytes", _bytes_of_sizes("an IPv6 address of 16 bytes", 16)),
    "uuid": Row("a rule: 16 bytes", _bytes_of_sizes("a UUID of 16 bytes", 16)),
    "example": example(lambda value: base64.b64encode(value).decode()),
}
_ENUM: Mapping[str, Row] = {
    "const": Row("`enum`: the names of the number", lambda value, *rest: _enum_in([value], *rest)),
    "defined_only": without_effect("values are names, of which the schema lists those that exist"),
    "in": Row("`enum`: the names of the numbers", _enum_in),
    "not_in": Row("`enum`: the names of the other numbers", _enum_not_in),
    "example": Row("`example`: the name of the first one", _enum_example),
}
ROWS: Mapping[str, Mapping[str, Row]] = {
    "bool": {"const": Row("`enum`", _flag), "example": example(lambda value: value)},
    "bytes": _BYTES,
    "double": _FLOAT,
    "enum": _ENUM,
    "float": {**_FLOAT, "example": example(short_float)},
    **dict.fromkeys(INTEGERS, _NUMBER),
}
