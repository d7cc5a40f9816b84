"""Evidence of changes in the status: updates of the status subresource."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_findings import get_details
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode

Json = Any
PHASE = {"type": "string"}


def _make_crd(status: Json, *, has_subresource: bool = True) -> Crd:
    spec = {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}
    schema = {"type": "object", "properties": {"spec": spec, "status": status}, "required": ["spec"]}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    subresources: Json = {"subresources": {"status": {}}} if has_subresource else {}
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "things.acme.example"},
            "spec": {
                "group": "acme.example", "scope": "Namespaced", "names": {"kind": "Thing", "plural": "things"},
                "versions": [{**version, **subresources}],
            },
        }
    ).crd  # fmt: skip
    assert crd is not None
    return crd


def _judge(old: Json, new: Json) -> Change:
    return _compare(*({"type": "object", "properties": {"phase": phase}} for phase in (old, new)))


def _compare(old: Json, new: Json, *, has_subresource: bool = True) -> Change:
    before, after = (_make_crd(status, has_subresource=has_subresource) for status in (old, new))
    (change,) = judge_changes([before], [after])
    return change


@pytest.mark.parametrize(
    ("old", "new", "phase"),
    [
        (PHASE, {**PHASE, "maxLength": 3}, None),
        ({**PHASE, "enum": ["A", "B"]}, {**PHASE, "enum": ["B"]}, "A"),
        (PHASE, {**PHASE, "x-kubernetes-validations": [{"rule": "self.startsWith('a')"}]}, None),
    ],
)
def test_the_example_is_an_update_of_the_status(old: Json, new: Json, phase: str | None) -> None:
    change = _judge(old, new)
    assert change.change_class is ChangeClass.TIGHTEN
    assert change.is_proven
    assert change.example is not None
    assert change.before is not None
    assert "status" not in change.before
    assert get_details(change)["subresource"] == "status"
    assert phase in (None, change.example["status"]["phase"])
    assert change.hint.startswith('for example, the status update of {"spec": {"size": 3}} to {"spec": {"size": 3}')
    _verify(old, new, change)


def _verify(old: Json, new: Json, change: Change) -> None:
    """Verify that a server accepts the old object, and rejects the status update only with the new CRD."""
    server = AdmissionServer(cel=RuleCompiler())
    accepted = []
    for phase in (old, new):
        crd = server.admit(_make_crd({"type": "object", "properties": {"phase": phase}}))[-1].object
        assert server.validate(crd, change.before)[-1].accepted
        accepted.append(server.validate(crd, change.example, change.before, status=True)[-1].accepted)
    assert accepted == [True, False]


def test_a_transition_rule_has_two_states() -> None:
    change = _judge(PHASE, {**PHASE, "x-kubernetes-validations": [{"rule": "self == oldSelf"}]})
    assert change.example is not None
    assert change.before is not None
    assert change.example["status"] != change.before["status"]
    _verify_transition(change)


def _verify_transition(change: Change) -> None:
    server = AdmissionServer(cel=RuleCompiler())
    new = {**PHASE, "x-kubernetes-validations": [{"rule": "self == oldSelf"}]}
    crd = server.admit(_make_crd({"type": "object", "properties": {"phase": new}}))[-1].object
    assert not server.validate(crd, change.example, change.before, status=True)[-1].accepted


def test_a_removed_field_is_dropped_from_the_status() -> None:
    sides = [{"type": "object", "properties": properties} for properties in ({"phase": PHASE}, {})]
    change = _compare(*sides)
    assert change.rule == "change-field-removed"
    assert "the status update of" in change.hint
    assert "is stored as" in change.hint
    assert change.example is not None
    assert "phase" in change.example["status"]


def test_without_the_subresource_the_status_is_part_of_the_object() -> None:
    sides = [{"type": "object", "properties": {"phase": phase}} for phase in (PHASE, {**PHASE, "maxLength": 3})]
    change = _compare(*sides, has_subresource=False)
    assert change.before is None
    assert change.example is not None


def test_without_the_new_subresource_the_status_of_a_new_object_is_validated() -> None:
    limits = ((PHASE, True), ({**PHASE, "maxLength": 3}, False))
    old, new = (
        _make_crd({"type": "object", "properties": {"phase": phase}}, has_subresource=has_subresource)
        for phase, has_subresource in limits
    )
    change = next(change for change in judge_changes([old], [new]) if change.rule == "change-bound-added")
    assert change.before is None
    assert "Too long" in change.hint


def test_a_version_that_is_only_stored_has_no_example() -> None:
    served, *limited = (
        _make_crd({"type": "object", "properties": {"phase": phase}})
        for phase in (PHASE, PHASE, {**PHASE, "maxLength": 3})
    )
    others = [version.replace(name="v2", storage=False) for version in served.versions]
    old, new = (
        crd.replace(versions=(*(version.replace(served=False) for version in crd.versions), *others)) for crd in limited
    )
    (change,) = judge_changes([old], [new])
    assert change.hint == "no object was found that only the old API accepts"
    assert not change.is_proven


KIND: Json = {"properties": {"kind": {"type": "string"}}}
DEFAULT_KIND: Json = {"properties": {"kind": {"type": "string", "default": "Pod"}}}


@pytest.mark.parametrize("is_nested", [False, True])
@pytest.mark.parametrize(
    ("old", "new", "status_class", "object_class"),
    [
        (KIND, {**KIND, "minProperties": 2}, ChangeClass.TIGHTEN, ChangeClass.NONE),
        (KIND, {**KIND, "required": ["kind"]}, ChangeClass.TIGHTEN, ChangeClass.NONE),
        (KIND, DEFAULT_KIND, ChangeClass.SEMANTIC, ChangeClass.LOOSEN),
        (DEFAULT_KIND, KIND, ChangeClass.SEMANTIC, ChangeClass.TIGHTEN),
    ],
)
def test_an_update_of_the_status_does_not_require_the_type_of_an_embedded_resource(
    old: Json, new: Json, status_class: ChangeClass, object_class: ChangeClass, *, is_nested: bool
) -> None:
    """Source: k8s.io/apiextensions-apiserver pkg/registry/customresource status_strategy.go (ValidateUpdate)."""
    sides = [{"type": "object", "x-kubernetes-embedded-resource": True, **fields} for fields in (old, new)]
    if is_nested:
        sides = [{"type": "object", "properties": {"pods": {"type": "array", "items": side}}} for side in sides]
    for has_subresource, change_class in ((True, status_class), (False, object_class)):
        change = _compare(*sides, has_subresource=has_subresource)
        assert change.change_class is change_class
        assert change.is_proven
        assert (change.example is not None) is (change_class >= ChangeClass.SEMANTIC)
