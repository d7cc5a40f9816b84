"""Warnings and unknown fields."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.schema.schema import VALIDATIONS
from tests.unit.admission.crd_factory import at, crd, only, spec


def verdict(definition: Crd, minor: int = 37, old: Crd | None = None) -> Verdict:
    return only(AdmissionServer([minor]).admit(definition, old))


def warned(minor: int, old: Crd | None = None, **properties: Any) -> list[str]:
    return [notice.message for notice in verdict(crd(spec(**properties)), minor, old).warnings]


COLOUR = {"type": "string", "format": "colour"}
SET = {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "object", "x-kubernetes-map-type": "atomic"}}


@pytest.mark.parametrize(
    ("node", "minor", "count"),
    [
        (COLOUR, 33, 0),
        (COLOUR, 34, 1),
        ({"type": "string", "format": "date-time"}, 37, 0),
        ({"type": "string", "format": "k8s-short-name"}, 34, 1),
        ({"type": "string", "format": "k8s-short-name"}, 35, 0),
        ({"type": "integer", "format": "int64"}, 37, 0),
        ({"type": "integer", "format": "date"}, 35, 0),
        ({"type": "integer", "format": "date"}, 36, 1),
        ({"type": "number", "format": "int64"}, 36, 1),
        (SET, 36, 0),
        (SET, 37, 1),
    ],
)
def test_warnings_by_version(node: dict[str, Any], minor: int, count: int) -> None:
    assert len(warned(minor, a=node)) == count


def test_format_warnings_repeat_and_set_warnings_do_not() -> None:
    assert warned(37, a=COLOUR, b=COLOUR) == ['unrecognized format "colour"'] * 2
    (text,) = warned(37, a=SET, b=SET)
    assert text.startswith('x-kubernetes-list-type: set for items of type "object" is not supported')


def test_an_update_reports_only_new_warnings() -> None:
    assert warned(37, crd(spec(a=COLOUR)), a=COLOUR, b=COLOUR) == []
    assert warned(37, crd(), a=COLOUR) == ['unrecognized format "colour"']


def test_a_rejected_crd_has_no_warnings() -> None:
    assert verdict(crd(spec(a=COLOUR), scope="Other")).warnings == ()


def test_selectable_fields_are_unknown_to_old_servers() -> None:
    version = CrdVersion(
        "v1", spec(), storage=True, selectable_fields=(".spec.a",), marks={"selectableFields": at(4)}
    )  # fmt: skip
    result = verdict(crd(None, version), 29)
    assert [(notice.message, notice.place) for notice in result.unknown_fields] == [
        ('unknown field "spec.versions[0].selectableFields"', at(4))
    ]
    assert result.causes == ()
    assert verdict(crd(None, version), 30).unknown_fields == ()


def test_members_of_rules_are_unknown_to_old_servers() -> None:
    rules = [{"rule": "true", "messageExpression": "'a'", "reason": "FieldValueInvalid", "optionalOldSelf": True}]
    inside = {"type": "array", "items": {"type": "object", VALIDATIONS: rules}}
    definition = crd(spec(a={"type": "object", VALIDATIONS: rules}, b=inside))
    path = "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.x-kubernetes-validations[0]"
    members = {25: ["messageExpression", "reason", "optionalOldSelf"], 27: ["reason", "optionalOldSelf"]}
    members |= {28: ["optionalOldSelf"], 29: []}
    for minor, expected in members.items():
        texts = [notice.message for notice in verdict(definition, minor).unknown_fields]
        assert texts == [f'unknown field "{path}.{member}"' for member in expected]
