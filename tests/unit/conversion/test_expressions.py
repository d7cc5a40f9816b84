"""Expressions of conversions: why one cannot make what it shall."""

from __future__ import annotations

import pytest

from protoc_gen_crd.conversion.expressions import Expression
from tests.unit.admission.making import schema


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("self", ""),
        ("size(self)", "a result of type int for a field of type string"),
        ("type(duration) == type ? 'a' : self", "reference to undefined type: duration"),
    ],
)
def test_why_an_expression_cannot_make_a_value(text: str, fault: str) -> None:
    made = Expression(text, {"self": {"type": "string"}, "root": {"type": "object"}})
    assert made.fault(schema({"type": "string"})) == fault
