"""The comparison of APIs: fields with the same path in messages are different fields."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import ChangeClass
from protoc_gen_crd.crd.crd import CrdVersion
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


@pytest.mark.parametrize(
    ("other", "is_served", "is_stored", "expected"),
    [
        ({"required": ["a"]}, True, True, ChangeClass.LOOSEN),
        ({}, False, True, ChangeClass.LOOSEN),
        (None, True, True, ChangeClass.LOOSEN),
        ({}, True, False, ChangeClass.LOOSEN),
        ({}, True, True, ChangeClass.SEMANTIC),
        ({"x-kubernetes-preserve-unknown-fields": True}, True, True, ChangeClass.SEMANTIC),
    ],
)
def test_a_default_of_a_required_field_is_set_in_objects_of_versions_that_do_not_require_it(
    other: dict[str, Any] | None, expected: ChangeClass, *, is_served: bool, is_stored: bool
) -> None:
    """Servers set the default when they read a stored object as the storage version."""
    nodes = {"type": "object", "properties": {"a": TEXT}}
    default = {"a": {**TEXT, "default": "x"}}
    sides = ({**nodes, "required": ["a"]}, {**nodes, "required": ["a"], "properties": default})
    fields = {} if other is None else {"node": {**nodes, **other}}
    second = CrdVersion("v2", crd_factory.spec(**fields), served=is_served, storage=not is_stored)
    old, new = (
        crd_factory.crd(None, CrdVersion("v1", crd_factory.spec(node=side), storage=is_stored), second)
        for side in sides
    )
    (change,) = compare_apis([old], [new])
    assert (change.rule, change.change_class) == ("change-default-added", expected)
