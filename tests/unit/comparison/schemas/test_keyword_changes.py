"""Rules that apply only with a field that the new API adds."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis, judge_changes
from protoc_gen_crd.comparison.change import ChangeClass
from protoc_gen_crd.crd.crd_decoder import decode

Json = Any
RULE = "!has(self.names) || self.names.size() == 0 || (has(self.name) && self.names[0] == self.name)"


def _make_crd(spec: Json) -> Json:
    schema = {"type": "object", "properties": {"spec": {"type": "object", **spec}}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.acme.example"},
        "spec": {"group": "acme.example", "names": {"kind": "Widget", "plural": "widgets"}, "scope": "Namespaced",
                 "versions": [version]},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "names", "both", "is_reported"),
    [
        (RULE, {}, {}, False),
        (RULE, {"default": ["x"]}, {}, True),
        (RULE, {}, {"x-kubernetes-preserve-unknown-fields": True}, True),
        ("!has(self.names) || has(self.name) ? has(self.name) : true", {}, {}, True),
        ("!has(self.names) || self.name == oldSelf.name", {}, {}, False),
        ("has(self.names) ? self.names[0] == self.name : true", {}, {}, False),
        ("self.names.size() < 2", {}, {}, True),
        ("!has(self.names) && has(self.name)", {}, {}, True),
        ("!has(self.name) || self.name != 'x'", {}, {}, True),
    ],
)
def test_a_rule_is_compatible_if_no_old_object_has_its_field(
    rule: str, names: Json, both: Json, *, is_reported: bool
) -> None:
    name = {"name": {"type": "string"}}
    names = {"names": {"type": "array", "items": {"type": "string"}, **names}}
    old = decode(_make_crd({"properties": name, **both})).crd
    new = decode(_make_crd({"properties": name | names, **both, "x-kubernetes-validations": [{"rule": rule}]})).crd
    assert old is not None
    assert new is not None
    rules = {change.rule for change in judge_changes([old], [new])}
    assert bool(rules & {"change-rule-added", "change-immutable-added"}) is is_reported


OPEN = {"x-kubernetes-preserve-unknown-fields": True}
ANYTHING = {**OPEN, "nullable": True}


@pytest.mark.parametrize(
    ("rule", "is_rejecting"), [("self == oldSelf", True), ("self != oldSelf", True), ("has(self.names)", False)]
)
def test_a_comparison_depends_on_whether_fields_are_known(rule: str, *, is_rejecting: bool) -> None:
    """In CEL, an unknown field of one object can be missing in an equal one."""
    values = ({"type": "object", **OPEN}, {"type": "object", "additionalProperties": ANYTHING})
    for sides in (values, values[::-1]):
        crds = [
            decode(_make_crd({"properties": {"names": side}, "x-kubernetes-validations": [{"rule": rule}]})).crd
            for side in sides
        ]
        (change,) = compare_apis([crds[0]], [crds[1]])  # type: ignore[list-item]
        assert (change.change_class is ChangeClass.TIGHTEN) is is_rejecting


@pytest.mark.parametrize("kind", [{"type": "string"}, {"x-kubernetes-int-or-string": True}])
def test_a_type_without_fields_includes_that_unknown_fields_are_pruned(kind: Json) -> None:
    sides = [decode(_make_crd({"properties": {"a": node}})).crd for node in (OPEN, kind)]
    (old, new) = (crd for crd in sides if crd is not None)
    assert [change.rule for change in judge_changes([old], [new])] == ["change-type-narrowed"]
    assert [change.rule for change in judge_changes([new], [old])] == ["change-type-widened"]


def test_a_rule_on_the_keys_of_a_map_is_proven() -> None:
    labels = {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": 9}
    rule = {"x-kubernetes-validations": [{"rule": "self.all(k, k != 'app')"}]}
    sides = [decode(_make_crd({"properties": {"labels": node}})).crd for node in (labels, {**labels, **rule})]
    (old, new) = (crd for crd in sides if crd is not None)
    (change,) = judge_changes([old], [new])
    assert change.example is not None
    assert change.example["spec"]["labels"].keys() == {"app"}
