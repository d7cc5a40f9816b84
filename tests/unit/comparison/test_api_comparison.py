"""The comparison of APIs: fields with the same path in messages are different fields."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from tests.unit.admission import crd_factory

TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("properties", "path"),
    [
        ({"a.b": TEXT, "a": {"type": "object", "properties": {"b": TEXT}}}, "spec.a.b"),
        ({"a[]": TEXT, "a": {"type": "array", "items": TEXT}}, "spec.a[]"),
        ({"a{}": TEXT, "a": {"type": "object", "additionalProperties": TEXT}}, "spec.a{}"),
    ],
)
def test_fields_with_one_path_have_a_change_each(properties: dict[str, Any], path: str) -> None:
    old, new = (crd_factory.crd(crd_factory.spec(**side)) for side in (properties, _limit(properties)))
    changes = compare_apis([old], [new])
    assert [(change.rule, change.path) for change in changes] == [("change-bound-added", path)] * 2


def _limit(value: Any) -> Any:
    """Limit the length of all strings."""
    if not isinstance(value, dict):
        return value
    limit = {"maxLength": 3} if value == TEXT else {}
    return {key: _limit(child) for key, child in value.items()} | limit
