"""Rows of numbers, booleans, enums, and bytes in the rules of protovalidate and protoc-gen-validate."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from math import isfinite
from typing import Any

from protoc_gen_crd.markers.vocabularies.field_shapes import INTEGERS
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import (
    Row,
    RuleConstraint,
    Target,
    Translate,
    Translation,
    format_list,
    format_string,
    make_example_row,
    make_ignored_row,
    make_unsupported_row,
    shorten_float,
)

_EXACT = 2**53  # bounds are doubles, which are exact for integers up to this value
_LEAST, _MOST = -(2**63), 2**63 - 1
_KEY = "int(key)"  # a key of a map of numbers in rules
_FLOATS = ("double", "float")
_LOGICAL_KEYWORDS = {"any_of": "anyOf"}
# Name of a bound -> (its comparison, its description in messages)
_BOUNDS = {"lt": ("<", "less than"), "lte": ("<=", "at most"), "gt": (">", "greater than"), "gte": (">=", "at least")}
_RANGE = "a value outside of both bounds if the lower bound is greater than the upper one"


def _to_plain_number(value: Any, target: Target) -> Any:
    return shorten_float(value) if target.kind == "float" else value


def format_literal(value: Any, target: Target) -> str:
    """Format a number as a CEL literal of the type that API servers use for its kind."""
    return repr(float(_to_plain_number(value, target))) if target.kind in _FLOATS else str(value)


def is_representable(value: Any, kind: str) -> bool:
    """Return whether API servers accept a number in objects."""
    return isfinite(value) if kind in _FLOATS else _LEAST <= value <= _MOST


def find_bounds(rules: Mapping[str, Any]) -> tuple[str, str]:
    """Return the names of the lower and the upper bound; empty if not set."""
    lower = next((name for name in ("gt", "gte") if name in rules), "")
    return lower, next((name for name in ("lt", "lte") if name in rules), "")


def make_inverted_range(lower: str, upper: str, low: str, high: str, x: str) -> RuleConstraint:
    """Make a range whose lower bound is greater than its upper bound: it rejects the values between them."""
    (above, over), (below, under) = _BOUNDS[lower], _BOUNDS[upper]
    return RuleConstraint(f"{x} {above} {low} || {x} {below} {high}", f"must be {over} {low} or {under} {high}")


def _make_bound_row(name: str) -> Translate:
    def make(value: Any, target: Target, rules: Mapping[str, Any]) -> Translation:
        lower, upper = find_bounds(rules)
        if lower and upper and rules[lower] > rules[upper] and all(isfinite(rules[end]) for end in (lower, upper)):
            if name == upper:
                return ()
            low, high = format_literal(rules[lower], target), format_literal(rules[upper], target)
            zero = _has_keyword(lower, rules[lower]) or _has_keyword(upper, rules[upper])
            return make_inverted_range(lower, upper, low, high, target.x).replace(zero=zero)
        return _make_single_bound(name, value, target)

    return make


def _describe_infinite(value: float) -> str:
    return f"{value} is not a finite number, and JSON has no others"


def _make_single_bound(name: str, value: Any, target: Target) -> Translation:
    if not isfinite(value):
        return _describe_infinite(value)
    comparison, description = _BOUNDS[name]
    if target.kind not in _FLOATS and not _LEAST <= value <= _MOST:
        if target.x == _KEY:
            return RuleConstraint(
                f"u{_KEY} {comparison} {value}u", f"must be {description} {value}", zero=_has_keyword(name, value)
            )
        if name in ("lt", "lte"):
            return ()  # satisfied by every number that API servers accept
        return f"API servers accept integers up to {_MOST}"
    literal = format_literal(value, target)
    rule, message = f"{target.x} {comparison} {literal}", f"must be {description} {literal}"
    return RuleConstraint(
        rule, message, _make_keywords(name, _to_plain_number(value, target), target), _has_keyword(name, value)
    )


def _make_keywords(name: str, value: Any, target: Target) -> tuple[tuple[str, Any], ...]:
    option = "maximum" if name in ("lt", "lte") else "minimum"
    if abs(value) >= _EXACT and target.kind not in _FLOATS:
        return ()
    if name in ("lte", "gte"):
        return ((option, value),)
    if target.kind in _FLOATS:
        return ((option, value), (f"exclusive_{option}", True))
    return ((option, value - 1 if name == "lt" else value + 1),)


def _has_keyword(name: str, bound: float) -> bool:
    return {"lt": bound > 0, "lte": bound >= 0, "gt": bound < 0, "gte": bound <= 0}[name]


def _format_listing(values: list[Any], target: Target) -> tuple[str, str, str]:
    """Return the expression of a value, and the list of values as CEL and for messages.

    CEL can convert keys to unsigned numbers. API servers do not accept such large numbers as values.
    """
    too_large = target.kind not in _FLOATS and not all(_LEAST <= value <= _MOST for value in values)
    literals = [format_literal(value, target) for value in values]
    if not too_large:
        return target.x, format_list(literals), format_list(literals)
    if target.x == _KEY:
        return f"u{_KEY}", format_list([f"{literal}u" for literal in literals]), format_list(literals)
    accepted = [format_literal(value, target) for value in values if _LEAST <= value <= _MOST]
    return target.x, format_list(accepted), format_list(literals)


def _make_const(value: Any, target: Target, _: Mapping[str, Any]) -> Translation:
    if not _find_possible([value], target):
        return f"API servers do not accept {value}"
    x, listed, description = _format_listing([value], target)
    message = f"must be {description[1:-1]}"
    return RuleConstraint(f"{x} == {listed[1:-1]}", message, _make_choice([value], target), bool(value == 0))


def _make_in(value: list[Any], target: Target, _: Mapping[str, Any]) -> Translation:
    possible = _find_possible(value, target)
    if not possible:
        return f"API servers accept none of {', '.join(map(str, value))}"
    x, listed, description = _format_listing(possible, target)
    choice = _make_choice(possible, target)
    return RuleConstraint(f"{x} in {listed}", f"must be one of {description}", choice, 0 in possible)


def _find_possible(values: list[Any], target: Target) -> list[Any]:
    """Return the values that objects can contain; keys of maps are strings, which can be any integer."""
    if target.x == _KEY:
        return values
    return [value for value in values if is_representable(value, target.kind)]


def _make_choice(values: list[Any], target: Target) -> tuple[tuple[str, Any], ...]:
    """Make the keywords that accept these values.

    API servers truncate a float to compare it with an integer of an enum, so integral floats get bounds instead.
    """
    plain = [_to_plain_number(value, target) for value in values]
    integral = [value for value in plain if isinstance(value, float) and value.is_integer()]
    if not integral:
        return (("enum", plain),)
    fractional = [value for value in plain if value not in integral]
    choices: list[dict[str, Any]] = [{"minimum": value, "maximum": value} for value in integral]
    choices += [{"enum": fractional}] if fractional else []
    return (("any_of", tuple(choices)),) if len(choices) > 1 else tuple(choices[0].items())


def _make_not_in(value: list[Any], target: Target, _: Mapping[str, Any]) -> Translation:
    x, listed, description = _format_listing(list(filter(isfinite, value)), target)
    if listed == "[]":
        return ()  # API servers accept no such number
    values = [number for number in value if is_representable(number, target.kind)]
    choice = _make_choice(values, target) if values else ()
    excluded = {_LOGICAL_KEYWORDS.get(name, name): value for name, value in choice}
    keywords = (("not", excluded),) if excluded else ()
    return RuleConstraint(f"!({x} in {listed})", f"must be none of {description}", keywords, 0 not in value)


def _list_enum_names(numbers: list[int], target: Target) -> list[str]:
    return [value.name for value in target.enum.values if value.number in numbers] if target.enum else []


def _list_spellings(names: list[str], target: Target) -> list[Any]:
    """Return names, and their numbers if objects can contain numbers."""
    values = target.enum.values if target.enum and target.numbered else ()
    return [*names, *dict.fromkeys(value.number for value in values if value.name in names)]


def _make_enum_membership(names: list[str], target: Target) -> tuple[str, str]:
    """Make the rule that a value is one of these names or their numbers, and the list of names for messages."""
    listed, numbers = format_list([format_string(name) for name in names]), _list_spellings(names, target)[len(names) :]
    rule = f"{target.x} in {listed}"
    return f"{rule} || {target.x} in {format_list(list(map(str, numbers)))}" if numbers else rule, listed


def _make_enum_in(value: list[int], target: Target, _: Mapping[str, Any]) -> Translation:
    names = _list_enum_names(value, target)
    if not names:
        return f"no value of the enum has one of the numbers {', '.join(map(str, value))}"
    rule, listed = _make_enum_membership(names, target)
    return RuleConstraint(rule, f"must be one of {listed}", (("enum", _list_spellings(names, target)),), 0 in value)


def _make_enum_not_in(value: list[int], target: Target, _: Mapping[str, Any]) -> Translation:
    names = _list_enum_names(value, target)
    allowed = [member.name for member in target.enum.values if member.number not in value] if target.enum else []
    if not allowed:
        return "no value of the enum is left"
    rule, listed = _make_enum_membership(names, target)
    constraint = RuleConstraint(
        f"!({rule})", f"must be none of {listed}", (("enum", _list_spellings(allowed, target)),), 0 not in value
    )
    return constraint if names else ()


def _make_enum_example(value: list[int], target: Target, _: Mapping[str, Any]) -> Translation:
    names = _list_enum_names(value[:1], target)
    return RuleConstraint("", "", (("example", names[0]),), zero=True) if names else ()


def _make_flag(value: bool, target: Target, _: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
    rule = target.x if value else f"!{target.x}"
    return RuleConstraint(rule, f"must be {str(value).lower()}", (("enum", [value]),), not value)


_NUMBER: Mapping[str, Row] = {
    "const": Row("`enum`, of whole floating point numbers `minimum` and `maximum`", _make_const),
    "lt": Row(f"`maximum`, of floating point numbers with `exclusiveMaximum`; {_RANGE}", _make_bound_row("lt")),
    "lte": Row(f"`maximum`; {_RANGE}", _make_bound_row("lte")),
    "gt": Row(f"`minimum`, of floating point numbers with `exclusiveMinimum`; {_RANGE}", _make_bound_row("gt")),
    "gte": Row(f"`minimum`; {_RANGE}", _make_bound_row("gte")),
    "in": Row("`enum`, of whole floating point numbers `anyOf`", _make_in),
    "not_in": Row("`not` with the keywords of `in`", _make_not_in),
    "example": make_example_row(lambda value: value),
}
_FLOAT: Mapping[str, Row] = {**_NUMBER, "finite": make_ignored_row("JSON has no other numbers")}


def _make_size_row(comparison: str, words: str) -> Translate:
    def make(value: int, target: Target, _: Mapping[str, Any]) -> Translation:
        zero = {"==": value == 0, ">=": value == 0, "<=": True}[comparison]
        rule, message = f"size({target.x}) {comparison} {value}", f"must have {words} {value} bytes"
        return RuleConstraint(rule, message, _make_base64_length(comparison, value), zero)

    return make


def _make_base64_length(comparison: str, size: int) -> tuple[tuple[str, Any], ...]:
    """Make the length limit of the base64 string, 4 characters for 1 to 3 bytes, if it is equivalent."""
    if comparison == ">=" and size % 3 == 1:
        return (("min_length", size // 3 * 4 + 4),)
    return (("max_length", size // 3 * 4),) if comparison == "<=" and size % 3 == 0 else ()


def _make_bytes_const(value: bytes, target: Target, _: Mapping[str, Any]) -> Translation:
    return RuleConstraint(f"{target.x} == {format_string(value)}", f"must be the bytes {value.hex()}", zero=not value)


def _make_bytes_in(value: list[bytes], target: Target, _: Mapping[str, Any]) -> Translation:
    hexadecimal = ", ".join(item.hex() for item in value)
    return RuleConstraint(
        f"{target.x} in {format_list(list(map(format_string, value)))}",
        f"must be one of the bytes {hexadecimal}",
        zero=b"" in value,
    )


def _make_bytes_not_in(value: list[bytes], target: Target, _: Mapping[str, Any]) -> Translation:
    hexadecimal = ", ".join(item.hex() for item in value)
    rule = f"!({target.x} in {format_list(list(map(format_string, value)))})"
    return RuleConstraint(rule, f"must be none of the bytes {hexadecimal}", zero=b"" not in value)


def _make_bytes_pattern(value: str, target: Target, _: Mapping[str, Any]) -> Translation:
    return RuleConstraint(f"string({target.x}).matches({format_string(value)})", f"must be text that matches {value}")


def _make_bytes_size_row(words: str, *sizes: int) -> Translate:
    def make(value: bool, target: Target, _: Mapping[str, Any]) -> Translation:  # noqa: FBT001 - a value of the vocabulary
        rule = " || ".join(f"size({target.x}) == {size}" for size in sizes)
        return RuleConstraint(rule, f"must be {words}") if value else ()

    return make


_NO_FUNCTION = make_unsupported_row("CEL of API servers has no such function for bytes")
_BYTES: Mapping[str, Row] = {
    "const": Row("a rule", _make_bytes_const),
    "len": Row("a rule on the bytes, not on the base64 string", _make_size_row("==", "exactly")),
    "min_len": Row(
        "`minLength` for 1, 4, 7 and so on; otherwise a rule on the bytes", _make_size_row(">=", "at least")
    ),
    "max_len": Row("`maxLength` for multiples of 3; otherwise a rule on the bytes", _make_size_row("<=", "at most")),
    "pattern": Row("a rule", _make_bytes_pattern),
    "prefix": _NO_FUNCTION,
    "suffix": _NO_FUNCTION,
    "contains": _NO_FUNCTION,
    "in": Row("a rule", _make_bytes_in),
    "not_in": Row("a rule", _make_bytes_not_in),
    "ip": Row("a rule: 4 or 16 bytes", _make_bytes_size_row("an IP address of 4 or 16 bytes", 4, 16)),
    "ipv4": Row("a rule: 4 bytes", _make_bytes_size_row("an IPv4 address of 4 bytes", 4)),
    "ipv6": Row("a rule: 16 bytes", _make_bytes_size_row("an IPv6 address of 16 bytes", 16)),
    "uuid": Row("a rule: 16 bytes", _make_bytes_size_row("a UUID of 16 bytes", 16)),
    "example": make_example_row(lambda value: base64.b64encode(value).decode()),
}
_ENUM: Mapping[str, Row] = {
    "const": Row("`enum`: the names of the number", lambda value, *rest: _make_enum_in([value], *rest)),
    "defined_only": make_ignored_row("values are names, and the schema lists them"),
    "in": Row("`enum`: the names of the numbers", _make_enum_in),
    "not_in": Row("`enum`: the names of the other numbers", _make_enum_not_in),
    "example": Row("`example`: the name of the first one", _make_enum_example),
}
ROWS: Mapping[str, Mapping[str, Row]] = {
    "bool": {"const": Row("`enum`", _make_flag), "example": make_example_row(lambda value: value)},
    "bytes": _BYTES,
    "double": _FLOAT,
    "enum": _ENUM,
    "float": {**_FLOAT, "example": make_example_row(shorten_float)},
    **dict.fromkeys(INTEGERS, _NUMBER),
}
