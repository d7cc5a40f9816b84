"""What is wrong with a label selector as plain data, before a server says it.

Source: k8s.io/apimachinery v0.37.1 pkg/apis/meta/v1/validation validation.go, pkg/util/validation validation.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

KEYS = ("matchExpressions", "matchLabels")
Fault = tuple[tuple[str | int, ...], str, object]  # where, what it must be, and what was found

_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_KEY = re.compile(rf"(?=([^/]{{1,253}}/)?[^/]+\Z)({_LABEL}(\.{_LABEL})*/)?{_NAME}")
_VALUE = re.compile(rf"({_NAME})?")
_VALUES = {"In": True, "NotIn": True, "Exists": False, "DoesNotExist": False}  # whether an operator has values


def faults(data: object) -> Iterator[Fault]:
    """Each fault of a selector."""
    if not isinstance(data, dict) or not data or not data.keys() <= set(KEYS):
        found = ", ".join(map(str, data)) or "nothing" if isinstance(data, dict) else data
        yield (), "a mapping with matchLabels or matchExpressions", found
        return
    if "matchLabels" in data:
        yield from _labels(data["matchLabels"])
    if "matchExpressions" in data:
        yield from _expressions(data["matchExpressions"])


def _labels(data: object) -> Iterator[Fault]:
    if not isinstance(data, dict):
        yield ("matchLabels",), "a mapping of labels to their values", data
        return
    for key, value in data.items():
        if not _fits(_KEY, key):
            yield ("matchLabels", str(key)), "the name of a label", key
        if not _fits(_VALUE, value):
            yield ("matchLabels", str(key)), "the value of a label, which is text", value


def _expressions(data: object) -> Iterator[Fault]:
    if not isinstance(data, list):
        yield ("matchExpressions",), "a list of key, operator and values", data
        return
    for index, each in enumerate(data):
        at = ("matchExpressions", index)
        if not isinstance(each, dict) or not each.keys() <= {"key", "operator", "values"}:
            yield at, "a mapping with key, operator and values", each
            continue
        if not _fits(_KEY, each.get("key")):
            yield at, "an expression with the name of a label as its key", each.get("key")
        if not isinstance(operator := each.get("operator"), str) or operator not in _VALUES:
            yield at, f"an expression with an operator of {', '.join(_VALUES)}", operator
            continue
        values = each.get("values") or []
        if not isinstance(values, list) or bool(values) != _VALUES[operator] or not all(map(_is_value, values)):
            demand = "values of a label" if _VALUES[operator] else "no values"
            yield at, f"an expression of {operator} with {demand}", values


def _is_value(data: object) -> bool:
    return _fits(_VALUE, data)


def _fits(pattern: re.Pattern[str], data: object) -> bool:
    return isinstance(data, str) and pattern.fullmatch(data) is not None
