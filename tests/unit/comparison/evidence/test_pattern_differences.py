"""Evidence for changes of patterns, also within a format and of excluded patterns, and of the metadata of resources."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import ChangeClass
from tests.unit.comparison.evidence.test_evidence_search import make_crd

Json = Any
FORMAT_PATTERNS = {
    "bsonobjectid": "^a", "cidr": "^10", "date": "^2", "date-time": "Z$", "duration": "s$", "email": "@example",
    "hexcolor": "^#", "hostname": "^a", "ipv4": "^10", "ipv6": "^fd", "mac": "^00", "rgbcolor": "0", "ssn": "^1",
    "uri": "^https:", "uuid": "-4",
}  # fmt: skip
METADATA = {"type": "object", "properties": {"name": {"type": "string"}}}


def _exclude(excluded: str, **keywords: Json) -> Json:
    return {"not": {"pattern": excluded}, **keywords}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(({"format": form}, {"format": form, "pattern": pattern}) for form, pattern in FORMAT_PATTERNS.items()),
        ({"format": "date", "pattern": "^1"}, {"format": "date", "pattern": "^12"}),
        ({"format": "date"}, {"format": "date", "not": {"pattern": "-0[1-6]-"}}),
        ({"format": "date-time"}, {"format": "date-time", "pattern": "^[^.]*$"}),
        ({"format": "mac"}, {"format": "mac", "pattern": ":"}),
        ({"format": "uuid"}, {"format": "uuid4"}),
        (_exclude("^[a-c]"), _exclude("^[a-d]")),
        (_exclude("^a"), {"pattern": "^b"}),
        ({"pattern": "^[a-z]+$"}, _exclude("^kube", pattern="^[a-z]+$")),
        (_exclude("^a"), _exclude("^a", allOf=[{"not": {"pattern": "^bc$"}}])),
    ],
)
def test_strings_that_only_the_old_patterns_accept_are_found(old: Json, new: Json) -> None:
    before, after = (make_crd({"type": "string", **side}) for side in (old, new))
    changes = judge_changes([before], [after])
    (narrowing,) = (change for change in changes if change.change_class >= ChangeClass.TIGHTEN)
    assert narrowing.is_proven


@pytest.mark.parametrize("limits", [{"maxProperties": 1}, {"maxProperties": 9}, {"not": {"required": ["uid"]}}])
@pytest.mark.parametrize("metadata", [None, METADATA])
def test_metadata_has_fields_that_its_schema_lacks(metadata: Json, limits: Json) -> None:
    old, new = (
        make_crd(
            {
                "type": "object",
                "x-kubernetes-embedded-resource": True,
                "properties": {"a": {"type": "string"}, **({"metadata": side} if side else {})},
            }
        )
        for side in (metadata, {**METADATA, **limits})
    )
    (narrowing,) = (change for change in judge_changes([old], [new]) if change.change_class >= ChangeClass.TIGHTEN)
    assert narrowing.is_proven


def test_an_update_with_a_null_is_found() -> None:
    rule = {"x-kubernetes-validations": [{"rule": "self == oldSelf"}]}
    old, new = (
        make_crd({"type": "object", "properties": {"a": {"type": "string", **nullable}}, **rule})
        for nullable in ({}, {"nullable": True})
    )
    (change,) = judge_changes([old], [new])
    assert change.is_proven
    assert change.before is not None
