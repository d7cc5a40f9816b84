"""Rows of google.protobuf's Duration, Timestamp, FieldMask and Any in the rules of other vocabularies.

Values of options are messages as plain data: `{"seconds": 5, "nanos": 0}`. JSON has a text for each.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.kubenames import json_name
from protoc_gen_crd.markers.vocabularies.numbers import pair, turned
from protoc_gen_crd.markers.vocabularies.rows import (
    Made,
    Make,
    Row,
    Said,
    Target,
    example,
    listed,
    quoted,
    refused,
    text,
)

_NANOS = 10**9
_COMPARISONS = {"lt": ("<", "less than"), "lte": ("<=", "at most"), "gt": (">", "more than"), "gte": (">=", "at least")}
_NOW = "API servers' CEL does not know what time it is"


def _nanos(value: Mapping[str, int]) -> int:
    return value.get("seconds", 0) * _NANOS + value.get("nanos", 0)


def _fraction(nanos: int) -> str:
    return f".{nanos:09d}".rstrip("0") if nanos else ""


def _duration(value: Mapping[str, int]) -> str:
    """A duration as in JSON, which Go reads as well."""
    total = _nanos(value)
    seconds, nanos = divmod(abs(total), _NANOS)
    return f"{'-' if total < 0 else ''}{seconds}{_fraction(nanos)}s"


def _timestamp(value: Mapping[str, int]) -> str:
    seconds, nanos = divmod(_nanos(value), _NANOS)
    year, month, day, hour, minute, second, *_ = time.gmtime(seconds)
    return f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}:{second:02d}{_fraction(nanos)}Z"


class _Kind:
    """How values of a message are written in CEL: literals, and the value itself."""

    def __init__(self, show: Callable[[Mapping[str, int]], str], function: str, value: str) -> None:
        self.show = show
        self._function = function
        self._value = value

    def literal(self, value: Mapping[str, int]) -> str:
        return f"{self._function}({text(self.show(value))})"

    def x(self, target: Target) -> str:
        return self._value.format(x=target.x)

    def bound(self, name: str) -> Make:
        """The row of a bound; the upper one of a range that is turned round says nothing by itself."""

        def make(value: Mapping[str, int], target: Target, rules: Mapping[str, Any]) -> Made:
            lower, upper = pair(rules)
            if lower and upper and _nanos(rules[lower]) > _nanos(rules[upper]):
                low, high = self.literal(rules[lower]), self.literal(rules[upper])
                return () if name == upper else turned(lower, upper, low, high, self.x(target))
            comparison, words = _COMPARISONS[name]
            rule = f"{self.x(target)} {comparison} {self.literal(value)}"
            return Said(rule, f"must be {words} {self.show(value)}")

        return make

    def const(self, value: Mapping[str, int], target: Target, _: Mapping[str, Any]) -> Made:
        """The row of the only value."""
        return Said(f"{self.x(target)} == {self.literal(value)}", f"must be {self.show(value)}")

    def within(self, value: list[Mapping[str, int]], target: Target, _: Mapping[str, Any]) -> Made:
        """The row of the values that are allowed."""
        rule = f"{self.x(target)} in {listed(list(map(self.literal, value)))}"
        return Said(rule, f"must be one of {', '.join(map(self.show, value))}")

    def without(self, value: list[Mapping[str, int]], target: Target, _: Mapping[str, Any]) -> Made:
        """The row of the values that are not."""
        rule = f"!({self.x(target)} in {listed(list(map(self.literal, value)))})"
        return Said(rule, f"must be none of {', '.join(map(self.show, value))}")

    def rows(self) -> Mapping[str, Row]:
        """The rows that durations and timestamps have alike."""
        bounds = {name: Row("a rule", self.bound(name)) for name in _COMPARISONS}
        return {"const": Row("a rule", self.const), **bounds, "example": example(self.show)}


def _paths(value: Mapping[str, Any]) -> str:
    return ",".join(_camel(path) for path in value.get("paths", ()))


def _camel(path: str) -> str:
    return ".".join(json_name(part) for part in path.split("."))


def _mask_const(value: Mapping[str, Any], target: Target, _: Mapping[str, Any]) -> Made:
    shown = _paths(value)
    return Said(f"{target.x} == {text(shown)}", f"must be {text(shown)}", (("enum", [shown]),), not shown)


def _mask_in(value: list[str], target: Target, _: Mapping[str, Any]) -> Made:
    path = rf"({_either(value)})(\.[^,]*)?"
    pattern = f"^({path}(,{path})*)?$"
    message = f"must hold only paths in {', '.join(map(_camel, value))}"
    return Said(f"{target.x}.matches({text(pattern)})", message, (("pattern", pattern),), zero=True)


def _mask_not_in(value: list[str], target: Target, _: Mapping[str, Any]) -> Made:
    found = text(rf"(^|,)({_either(value)})([.,]|$)")
    return Said(f"!{target.x}.matches({found})", f"must hold no paths in {', '.join(map(_camel, value))}", zero=True)


def _either(paths: list[str]) -> str:
    return "|".join(quoted(_camel(path)) for path in paths)


_DURATION = _Kind(_duration, "duration", "duration({x})")
_TIMESTAMP = _Kind(_timestamp, "timestamp", "{x}")
_URLS = refused("the fields of an Any are not in the schema, and CEL sees no others")

ROWS: Mapping[str, Mapping[str, Row]] = {
    "any": {"in": _URLS, "not_in": _URLS},
    "duration": {
        **_DURATION.rows(),
        "in": Row("a rule", _DURATION.within),
        "not_in": Row("a rule", _DURATION.without),
    },
    "field_mask": {
        "const": Row("`enum`", _mask_const),
        "in": Row("`pattern`", _mask_in),
        "not_in": Row("a rule", _mask_not_in),
        "example": example(_paths),
    },
    "timestamp": {
        **_TIMESTAMP.rows(),
        "lt_now": refused(_NOW),
        "gt_now": refused(_NOW),
        "within": refused(_NOW),
    },
}
