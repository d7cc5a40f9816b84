"""The constraints of a field in the reference docs."""

from __future__ import annotations

import pytest

from protoc_gen_crd.reference.field_list import format_rules
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule

RULES = 200


def test_documented_rules_are_not_compared_with_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """An object with 2,000 rules took two million comparisons."""
    count = 0
    is_equal = ValidationRule.__eq__

    def count_comparison(self: ValidationRule, other: object) -> bool:
        nonlocal count
        count += 1
        return is_equal(self, other)

    rules = tuple([ValidationRule(f"self.a > {number}") for number in range(RULES)])
    schema = Schema({"type": "object", "properties": {"a": Schema({"type": "integer"})}, VALIDATIONS: rules})
    monkeypatch.setattr(ValidationRule, "__eq__", count_comparison)
    assert format_rules(schema, documented=True) == []
    assert len(format_rules(schema, documented=False)) == RULES
    assert count < RULES
