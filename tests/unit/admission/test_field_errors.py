from __future__ import annotations

import pytest

from protoc_gen_crd.admission.field_errors import (
    ABSENT,
    DUPLICATE,
    FORBIDDEN,
    INTERNAL,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    TYPE_INVALID,
    Cause,
    format_error,
    format_error_body,
    format_supported_values,
    format_too_long,
    format_too_many,
)
from protoc_gen_crd.kubernetes.shared_results import Switches

NEW = Switches.from_minor(37)


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (Cause(REQUIRED, "a", "why", "x"), "a: Required value: why"),
        (Cause(REQUIRED, "a"), "a: Required value"),
        (Cause(FORBIDDEN, "a", "why", "x"), "a: Forbidden: why"),
        (Cause(TOO_LONG, "a", "why", "x"), "a: Too long: why"),
        (Cause(INTERNAL, "a", "why", "x"), "a: Internal error: why"),
        (Cause(INVALID, "a", "why", "x"), 'a: Invalid value: "x": why'),
        (Cause(INVALID, "a", "why", None), "a: Invalid value: null: why"),
        (Cause(TYPE_INVALID, "a", "why", 1), "a: Invalid value: 1: why"),
        (Cause(NOT_SUPPORTED, "a", "why", 1.5), "a: Unsupported value: 1.5: why"),
        (Cause(DUPLICATE, "a", value=["x"]), 'a: Duplicate value: ["x"]'),
        (Cause(TOO_MANY, "a", "why", 9), "a: Too many: 9: why"),
        (Cause(INVALID, "a", "why", ABSENT), "a: Invalid value: why"),
    ],
)
def test_texts(error: Cause, text: str) -> None:
    assert format_error(error, NEW) == text
    assert f"a: {format_error_body(error, NEW)}" == text


def test_null_was_quoted() -> None:
    assert format_error(Cause(INVALID, "a", "why", None), Switches.from_minor(33)) == 'a: Invalid value: "null": why'


def test_choices_are_quoted() -> None:
    assert format_supported_values(["a", 'b"']) == r'supported values: "a", "b\""'


@pytest.mark.parametrize(
    ("minor", "limit", "many", "long"),
    [
        (31, 1, "must have at most 1 items", "may not be longer than 1"),
        (33, 1, "must have at most 1 items", "may not be more than 1 bytes"),
        (34, 1, "must have at most 1 item", "may not be more than 1 byte"),
        (34, 2, "must have at most 2 items", "may not be more than 2 bytes"),
        (31, -1, "has too many items", "value is too long"),
        (37, -1, "has too many items", "value is too long"),
    ],
)
def test_limits(minor: int, limit: int, many: str, long: str) -> None:
    assert format_too_many(limit, Switches.from_minor(minor)) == many
    assert format_too_long(limit, Switches.from_minor(minor)) == long


def test_absent_shows_as_such() -> None:
    assert repr(ABSENT) == "ABSENT"
