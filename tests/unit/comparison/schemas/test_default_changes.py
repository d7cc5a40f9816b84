"""Changes of defaults and of nullability."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode

Json = Any
VALUE = {"x-kubernetes-int-or-string": True}  # whose nulls in defaults the admission of CRDs does not reject


def _make_crd(spec: Json) -> Crd:
    schema = {"type": "object", "properties": {"spec": spec}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.acme.example"},
            "spec": {"group": "acme.example", "names": {"kind": "Widget", "plural": "widgets"}, "scope": "Namespaced",
                     "versions": [version]},
        }
    ).crd  # fmt: skip
    assert crd is not None
    return crd


def _judge(old: Json, new: Json) -> Change:
    (change,) = judge_changes([_make_crd(old)], [_make_crd(new)])
    return change


def _make_map(value: Json) -> Json:
    return {"type": "object", "additionalProperties": value}


def _make_object(value: Json) -> Json:
    return {"type": "object", "properties": {"a": value}}


def _make_list(value: Json) -> Json:
    return {"type": "object", "properties": {"list": {"type": "array", "items": value}}}


@pytest.mark.parametrize(
    ("wrap", "default"),
    [(_make_map, {"a": None}), (_make_object, {"a": None}), (_make_list, {"list": [None]}), (_make_map, {"a": 1})],
)
@pytest.mark.parametrize("own", [{}, {"default": 1}])
def test_servers_keep_nulls_in_defaults(wrap: Callable[[Json], Json], default: Json, own: Json) -> None:
    """They drop nulls before they set defaults, and replace those that have a default themselves.

    Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting algorithm.go (Default).
    """
    old, new = ({**wrap({**VALUE, **own, **nullable}), "default": default} for nullable in ({"nullable": True}, {}))
    change = _judge(old, new)
    is_rejected = not own and default != {"a": 1}
    assert change.rule == "change-nullable-removed"
    assert change.change_class is (ChangeClass.TIGHTEN if is_rejected else ChangeClass.SEMANTIC)
    assert change.is_proven
    assert change.example is not None


def test_a_default_that_both_apis_reject_is_no_consequence_of_another_change() -> None:
    fields = {"b": VALUE, "c": {**VALUE, "nullable": True}}
    old, new = (
        {"type": "object", "properties": {**fields, "c": child}, "default": {"b": None, "c": None}}
        for child in (fields["c"], VALUE)
    )
    assert _judge(old, new).change_class is ChangeClass.SEMANTIC


OPEN: Json = {"x-kubernetes-preserve-unknown-fields": True}


@pytest.mark.parametrize("old", [OPEN, {"additionalProperties": True}])
@pytest.mark.parametrize(
    ("limits", "change_class"), [({"required": ["a"]}, ChangeClass.TIGHTEN), ({}, ChangeClass.SEMANTIC)]
)
def test_values_of_a_map_without_nullable_are_dropped_if_they_are_null(
    old: Json, limits: Json, change_class: ChangeClass
) -> None:
    """Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/defaulting prunenulls.go."""
    change = _judge({"type": "object", **limits, **old}, {"type": "object", **limits, "additionalProperties": OPEN})
    assert change.change_class is change_class
    assert change.is_proven
    assert change.example is not None
    nullable = {"type": "object", **limits, "additionalProperties": {**OPEN, "nullable": True}}
    assert _judge({"type": "object", **limits, **old}, nullable).change_class < ChangeClass.SEMANTIC
