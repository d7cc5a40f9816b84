"""Expressions of conversions: why one cannot make what it shall."""

from __future__ import annotations

import pytest

from protoc_gen_crd.conversion.expressions import ConversionExpression
from tests.unit.admission.crd_factory import schema


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("self", ""),
        ("size(self)", "the field has type string, but the result has type int"),
        ("type(duration) == type ? 'a' : self", "reference to undefined type: duration"),
    ],
)
def test_why_an_expression_cannot_make_a_value(text: str, fault: str) -> None:
    made = ConversionExpression(text, {"self": {"type": "string"}, "root": {"type": "object"}})
    assert made.find_error(schema({"type": "string"})) == fault
