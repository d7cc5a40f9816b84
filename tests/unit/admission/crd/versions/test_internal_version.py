"""Equality of the parts of versions, as Kubernetes compares them."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.crd.versions.internal_version import convert_to_internal, is_equal
from protoc_gen_crd.crd.crd import CrdVersion, Names, PrinterColumn, Scale
from protoc_gen_crd.schema.schema import Schema, ValidationRule
from tests.unit.admission.crd_factory import at, crd, schema, spec


def versions(**members: Any) -> tuple[CrdVersion, CrdVersion]:
    root = spec()
    return CrdVersion("v1", root, storage=True), CrdVersion("v2", root, **members)


def test_shared_parts_move_to_the_top() -> None:
    internal = convert_to_internal(crd(None, *versions()))
    assert internal.top is not None
    assert internal.top.openapi is internal.crd.versions[0].schema
    assert [part.openapi for part in internal.versions] == [None, None]
    assert [part.path for part in internal.versions] == ["spec.versions[0]", "spec.versions[1]"]


@pytest.mark.parametrize(
    ("members", "member"),
    [
        ({"status": True}, "subresources"),
        ({"scale": Scale(".spec.a", ".status.a")}, "subresources"),
        ({"columns": (PrinterColumn("A", "string", ".a"),)}, "columns"),
        ({"selectable_fields": (".a",)}, "selectable_fields"),
    ],
)
def test_different_parts_stay_in_the_versions(members: dict[str, Any], member: str) -> None:
    internal = convert_to_internal(crd(None, *versions(**members)))
    assert internal.top is not None
    assert getattr(internal.top, member) is None
    assert [getattr(part, member) is None for part in internal.versions] == [True, False]


def test_places_make_no_difference() -> None:
    candidate, other = (PrinterColumn("A", "string", ".a", origin=at(line)) for line in (1, 2))
    first, second = versions(columns=(other,))
    internal = convert_to_internal(crd(None, first.replace(columns=(candidate,)), second))
    assert internal.top is not None
    assert internal.top.columns == (candidate,)


def test_no_versions_no_top() -> None:
    internal = convert_to_internal(crd().replace(versions=()))
    assert (internal.top, internal.versions, internal.storage) == (None, (), None)


def test_names_are_filled_in() -> None:
    assert convert_to_internal(crd()).names == Names("Thing", "things", "thing", "ThingList")
    assert convert_to_internal(crd(names=Names("", "things"))).names == Names("", "things")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"type": "string"}, {"type": "string"}, True),
        ({"type": "string"}, {"type": "integer"}, False),
        ({"enum": []}, {}, True),
        ({"default": []}, {}, False),
        ({"default": 1}, {"default": 1.0}, False),
        ({"maximum": 1}, {"maximum": 1.0}, True),
        ({"default": {"a": 1}}, {"default": {"a": True}}, False),
        ({"required": ["a", "b"]}, {"required": ["b", "a"]}, False),
        ({"properties": {"a": {}}}, {"properties": {"a": {"type": "string"}}}, False),
    ],
)
def test_equality(one: dict[str, Any], other: dict[str, Any], same: bool) -> None:
    assert is_equal(schema(one), schema(other)) is same


def test_rules_are_equal_wherever_they_stand() -> None:
    def with_rule(line: int) -> Schema:
        return Schema({"x-kubernetes-validations": (ValidationRule("true", origin=at(line)),)})

    assert is_equal(with_rule(1), with_rule(2))
