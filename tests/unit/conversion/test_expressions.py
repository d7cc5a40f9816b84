"""Expressions of conversions: reasons why their results are invalid."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.conversion.expressions import ConversionExpression
from protoc_gen_crd.conversion.runtime.runtime import MISSING, ConversionError
from tests.unit.admission.crd_factory import schema


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("self", ""),
        ("size(self)", "the field has type string, but the result has type int"),
        ("type(duration) == type ? 'a' : self", "reference to undefined type: duration"),
    ],
)
def test_an_expression_without_a_valid_result_is_an_error(text: str, fault: str) -> None:
    expression = ConversionExpression(text, {"self": {"type": "string"}, "root": {"type": "object"}})
    assert expression.find_error(schema({"type": "string"})) == fault


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ({"type": "number"}, 10**400),
        *(
            (kind, number)
            for kind in ({"type": "integer"}, {"x-kubernetes-int-or-string": True})
            for number in (10**400, -(10**400), 1 << 63, -(1 << 63) - 1)
        ),
    ],
)
@pytest.mark.parametrize("text", ["double(dyn(self))", "dyn(self) < 1.5", "dyn(self) == 1.5", "int(dyn(self))"])
def test_an_integer_out_of_range_is_an_error(text: str, kind: dict[str, Any], number: int) -> None:
    expression = ConversionExpression(text, {"self": kind, "root": {"type": "object"}}, MISSING, ConversionError)
    with pytest.raises(ConversionError, match=r"^spec\.a: the expression .* fails: invalid data"):
        expression(number, {}, ".spec.a")
