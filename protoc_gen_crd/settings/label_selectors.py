"""Validation of label selectors.

Source: k8s.io/apimachinery v0.37.1 pkg/apis/meta/v1/validation validation.go, pkg/util/validation validation.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

KEYS = ("matchExpressions", "matchLabels")
SelectorError = tuple[tuple[str | int, ...], str, object]  # path, expected value in words, actual value

_NAME = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_KEY = re.compile(rf"(?=([^/]{{1,253}}/)?[^/]+\Z)({_LABEL}(\.{_LABEL})*/)?{_NAME}")
_VALUE = re.compile(rf"({_NAME})?")
_VALUES = {"In": True, "NotIn": True, "Exists": False, "DoesNotExist": False}  # whether an operator has values


def validate_selector(data: object) -> Iterator[SelectorError]:
    """Yield the errors of a selector."""
    if not isinstance(data, dict) or not data or not data.keys() <= set(KEYS):
        actual = ", ".join(map(str, data)) or "nothing" if isinstance(data, dict) else data
        yield (), "a mapping with matchLabels or matchExpressions", actual
        return
    if "matchLabels" in data:
        yield from _validate_labels(data["matchLabels"])
    if "matchExpressions" in data:
        yield from _validate_expressions(data["matchExpressions"])


def _validate_labels(data: object) -> Iterator[SelectorError]:
    if not isinstance(data, dict):
        yield ("matchLabels",), "a mapping of labels to their values", data
        return
    for key, value in data.items():
        if not _matches(_KEY, key):
            yield ("matchLabels", str(key)), "the key of a label", key
        if not _matches(_VALUE, value):
            yield ("matchLabels", str(key)), "the value of a label as a string", value


def _validate_expressions(data: object) -> Iterator[SelectorError]:
    if not isinstance(data, list):
        yield ("matchExpressions",), "a list of key, operator and values", data
        return
    for index, expression in enumerate(data):
        at = ("matchExpressions", index)
        if not isinstance(expression, dict) or not expression.keys() <= {"key", "operator", "values"}:
            yield at, "a mapping with key, operator and values", expression
            continue
        if not _matches(_KEY, expression.get("key")):
            yield at, "an expression with a valid label key", expression.get("key")
        if not isinstance(operator := expression.get("operator"), str) or operator not in _VALUES:
            yield at, f"an expression with one of the operators {', '.join(_VALUES)}", operator
            continue
        values = expression.get("values") or []
        if not isinstance(values, list) or bool(values) != _VALUES[operator] or not all(map(_is_value, values)):
            expected_values = "label values" if _VALUES[operator] else "no values"
            yield at, f"an {operator} expression with {expected_values}", values


def _is_value(data: object) -> bool:
    return _matches(_VALUE, data)


def _matches(pattern: re.Pattern[str], data: object) -> bool:
    return isinstance(data, str) and pattern.fullmatch(data) is not None
