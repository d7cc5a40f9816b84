"""Rows of google.protobuf's Duration, Timestamp, FieldMask, and Any in the rules of other vocabularies.

Values of options are messages as plain data, such as `{"seconds": 5, "nanos": 0}`. In JSON they are strings.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.markers.vocabularies.number_rules import find_bounds, make_inverted_range
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import (
    Row,
    RuleConstraint,
    Target,
    Translate,
    Translation,
    format_list,
    format_string,
    make_example_row,
    make_unsupported_row,
)
from protoc_gen_crd.proto.json_names import make_json_name
from protoc_gen_crd.regex.quoting import quote_regex

_NANOS = 10**9
_FIRST, _LAST = -62_135_596_800, 253_402_300_799  # the years 1 and 9999, the range of timestamp.proto
_COMPARISONS = {"lt": ("<", "less than"), "lte": ("<=", "at most"), "gt": (">", "more than"), "gte": (">=", "at least")}
_NOW = "CEL of API servers does not know the current time"


def _count_nanos(value: Mapping[str, int]) -> int:
    return value.get("seconds", 0) * _NANOS + value.get("nanos", 0)


def _format_fraction(nanos: int) -> str:
    return f".{nanos:09d}".rstrip("0") if nanos else ""


def _format_duration(value: Mapping[str, int]) -> str:
    """Format a duration as in JSON, which is also a Go duration."""
    total = _count_nanos(value)
    seconds, nanos = divmod(abs(total), _NANOS)
    return f"{'-' if total < 0 else ''}{seconds}{_format_fraction(nanos)}s"


def _format_timestamp(value: Mapping[str, int]) -> str:
    """Format a timestamp as in JSON, and one that is invalid for protobuf as its seconds, which CEL rejects."""
    seconds, nanos = divmod(_count_nanos(value), _NANOS)
    if not _FIRST <= seconds <= _LAST:
        return str(seconds)
    year, month, day, hour, minute, second, *_ = time.gmtime(seconds)
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}{_format_fraction(nanos)}Z"


class _TimeType:
    """The CEL of values of a message type: literals, and the expression of the value of a field."""

    def __init__(self, show: Callable[[Mapping[str, int]], str], function: str, value: str) -> None:
        self.show = show
        self._function = function
        self._value = value

    def format_literal(self, value: Mapping[str, int]) -> str:
        return f"{self._function}({format_string(self.show(value))})"

    def get_expression(self, target: Target) -> str:
        return self._value.format(x=target.x)

    def make_bound_row(self, name: str) -> Translate:
        """Make the row of a bound. The upper bound of an inverted range adds nothing."""

        def make(value: Mapping[str, int], target: Target, rules: Mapping[str, Any]) -> Translation:
            lower, upper = find_bounds(rules)
            if lower and upper and _count_nanos(rules[lower]) > _count_nanos(rules[upper]):
                low, high = self.format_literal(rules[lower]), self.format_literal(rules[upper])
                return (
                    () if name == upper else make_inverted_range(lower, upper, low, high, self.get_expression(target))
                )
            comparison, description = _COMPARISONS[name]
            rule = f"{self.get_expression(target)} {comparison} {self.format_literal(value)}"
            return RuleConstraint(rule, f"must be {description} {self.show(value)}")

        return make

    def make_const(self, value: Mapping[str, int], target: Target, _: Mapping[str, Any]) -> Translation:
        """Translate the only accepted value."""
        return RuleConstraint(
            f"{self.get_expression(target)} == {self.format_literal(value)}", f"must be {self.show(value)}"
        )

    def make_in(self, value: list[Mapping[str, int]], target: Target, _: Mapping[str, Any]) -> Translation:
        """Translate a list of accepted values."""
        rule = f"{self.get_expression(target)} in {format_list(list(map(self.format_literal, value)))}"
        return RuleConstraint(rule, f"must be one of {', '.join(map(self.show, value))}")

    def make_not_in(self, value: list[Mapping[str, int]], target: Target, _: Mapping[str, Any]) -> Translation:
        """Translate a list of rejected values."""
        rule = f"!({self.get_expression(target)} in {format_list(list(map(self.format_literal, value)))})"
        return RuleConstraint(rule, f"must be none of {', '.join(map(self.show, value))}")

    def make_rows(self) -> Mapping[str, Row]:
        """Make the rows that durations and timestamps have in common."""
        bounds = {name: Row("a rule", self.make_bound_row(name)) for name in _COMPARISONS}
        return {"const": Row("a rule", self.make_const), **bounds, "example": make_example_row(self.show)}


def _format_paths(value: Mapping[str, Any]) -> str:
    return ",".join(_to_camel(path) for path in value.get("paths", ()))


def _to_camel(path: str) -> str:
    return ".".join(make_json_name(part) for part in path.split("."))


def _make_mask_const(value: Mapping[str, Any], target: Target, _: Mapping[str, Any]) -> Translation:
    paths = _format_paths(value)
    return RuleConstraint(
        f"{target.x} == {format_string(paths)}", f"must be {format_string(paths)}", (("enum", [paths]),), not paths
    )


def _make_mask_in(value: list[str], target: Target, _: Mapping[str, Any]) -> Translation:
    path = rf"({_join_paths(value)})(\.[^,]*)?"
    pattern = f"^({path}(,{path})*)?$"
    message = f"must hold only paths in {', '.join(map(_to_camel, value))}"
    return RuleConstraint(f"{target.x}.matches({format_string(pattern)})", message, (("pattern", pattern),), zero=True)


def _make_mask_not_in(value: list[str], target: Target, _: Mapping[str, Any]) -> Translation:
    pattern, message = (
        rf"(^|,)({_join_paths(value)})([.,]|$)",
        f"must hold no paths in {', '.join(map(_to_camel, value))}",
    )
    rule = f"!{target.x}.matches({format_string(pattern)})"
    return RuleConstraint(rule, message, (("not", {"pattern": pattern}),), zero=True)


def _join_paths(paths: list[str]) -> str:
    return "|".join(quote_regex(_to_camel(path)) for path in paths)


_DURATION = _TimeType(_format_duration, "duration", "duration({x})")
_TIMESTAMP = _TimeType(_format_timestamp, "timestamp", "{x}")
_URLS = make_unsupported_row("the fields of an Any are not in the schema, and CEL cannot see them")

ROWS: Mapping[str, Mapping[str, Row]] = {
    "any": {"in": _URLS, "not_in": _URLS},
    "duration": {
        **_DURATION.make_rows(),
        "in": Row("a rule", _DURATION.make_in),
        "not_in": Row("a rule", _DURATION.make_not_in),
    },
    "field_mask": {
        "const": Row("`enum`", _make_mask_const),
        "in": Row("`pattern`", _make_mask_in),
        "not_in": Row("`not` with `pattern`", _make_mask_not_in),
        "example": make_example_row(_format_paths),
    },
    "timestamp": {
        **_TIMESTAMP.make_rows(),
        "lt_now": make_unsupported_row(_NOW),
        "gt_now": make_unsupported_row(_NOW),
        "within": make_unsupported_row(_NOW),
    },
}
