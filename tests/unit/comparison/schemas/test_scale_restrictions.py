"""Restrictions of the scale subresource, and the evidence for them."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.crd.crd_decoder import decode

Json = Any
PATHS = {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas"}
SELECTOR = {**PATHS, "labelSelectorPath": ".spec.selector"}
REPLICAS = {"type": "integer", "format": "int32", "minimum": 0}


def _make_crd(fields: Json, scale: Json) -> Json:
    schema = {"type": "object", "properties": {"spec": {"type": "object", **fields}}}
    version: Json = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    if scale:
        version["subresources"] = {"scale": scale}
    names = {"kind": "Widget", "plural": "widgets"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.acme.example"},
        "spec": {"group": "acme.example", "names": names, "scope": "Namespaced", "versions": [version]},
    }  # fmt: skip


def _judge(old: Json, new: Json) -> list[Change]:
    sides = [decode(crd).crd for crd in (old, new)]
    return list(judge_changes([sides[0]], [sides[1]]))  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("fields", "scale", "example"),
    [
        ({"properties": {"replicas": REPLICAS}}, PATHS, None),
        ({"properties": {"replicas": {"type": "integer", "enum": [1, 2]}}}, PATHS, None),
        ({"properties": {"a": {"type": "string"}}}, PATHS, None),
        ({"properties": {"replicas": REPLICAS, "selector": {"type": "string"}}}, SELECTOR, None),
        ({"properties": {"replicas": {"type": "integer", "format": "int32"}}}, PATHS, {"replicas": -1}),
        ({"properties": {"replicas": {"type": "integer", "minimum": 0}}}, PATHS, {"replicas": 1 << 31}),
        ({"properties": {"replicas": {**REPLICAS, "nullable": True}}}, PATHS, {"replicas": None}),
        ({"properties": {"replicas": {"type": "string"}}}, PATHS, {"replicas": ""}),
        ({"properties": {"replicas": REPLICAS, "selector": {"type": "object"}}}, SELECTOR, {"selector": {}}),
        ({"x-kubernetes-preserve-unknown-fields": True}, PATHS, {"replicas": ""}),
        ({"additionalProperties": {"type": "string"}}, PATHS, {"replicas": ""}),
    ],
)  # fmt: skip
def test_a_new_scale_subresource_rejects_values_that_are_no_replicas(fields: Json, scale: Json, example: Json) -> None:
    (change,) = _judge(_make_crd(fields, None), _make_crd(fields, scale))
    assert change.rule == "change-scale-added"
    assert change.change_class is (ChangeClass.ADDITIVE if example is None else ChangeClass.TIGHTEN)
    if example is not None:
        assert change.example is not None
        assert change.example["spec"].keys() == example.keys()


@pytest.mark.parametrize(
    ("added", "change_class"),
    [
        ({"default": 1}, ChangeClass.SEMANTIC),
        ({"default": -1}, ChangeClass.TIGHTEN),
        ({"nullable": True}, ChangeClass.TIGHTEN),
    ],
)
def test_defaults_and_nulls_are_judged_by_the_scale_subresource(added: Json, change_class: ChangeClass) -> None:
    replicas = {"type": "integer", "format": "int32"}
    old, new = ({"properties": {"replicas": side}} for side in (replicas, {**replicas, **added}))
    (change,) = _judge(_make_crd(old, PATHS), _make_crd(new, PATHS))
    assert change.change_class is change_class
    assert change.is_proven
    assert change.example is not None


def test_an_old_crd_that_servers_reject_has_no_examples() -> None:
    old, new = (_make_crd({"properties": {"a": {"type": "string", **own}}}, None) for own in ({}, {"pattern": "a"}))
    old["spec"]["versions"][0]["storage"] = False
    (change,) = _judge(old, new)
    assert change.example is None
    assert change.hint.startswith("no example, since API servers reject the old CRD: spec.versions: Invalid value")


def test_a_map_keeps_null_where_the_scale_subresource_reads_it() -> None:
    old = {"properties": {"replicas": {"type": "integer", "minimum": 0}}}
    new = {"additionalProperties": {"x-kubernetes-preserve-unknown-fields": True}}
    changes = {
        bool(scale): _judge(_make_crd(old, scale), _make_crd(new, scale))[0].change_class for scale in (None, PATHS)
    }
    assert changes == {False: ChangeClass.LOOSEN, True: ChangeClass.BREAK}


def test_null_is_kept_where_the_scale_subresource_reads_an_unknown_field() -> None:
    new = {"x-kubernetes-preserve-unknown-fields": True}
    old = {**new, "properties": {"replicas": {"type": "integer", "minimum": 0}}}
    (change,) = _judge(_make_crd(old, PATHS), _make_crd(new, PATHS))
    assert (change.rule, change.change_class) == ("change-field-opened", ChangeClass.TIGHTEN)
    assert change.example is not None
    assert change.example["spec"] == {"replicas": None}


def test_a_default_is_judged_with_the_defaults_in_it() -> None:
    crds = []
    defaults: tuple[Json, ...] = ({}, {"default": {}})
    for default in defaults:
        crd = _make_crd({"properties": {}}, {"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.k"})
        version = crd["spec"]["versions"][0]
        status = {"type": "object", "properties": {"k": {"type": "integer", "default": -1}}, **default}
        version["schema"]["openAPIV3Schema"]["properties"]["status"] = status
        version["subresources"]["status"] = {}
        crds.append(crd)
    (change,) = _judge(*crds)
    assert (change.rule, change.change_class) == ("change-default-added", ChangeClass.TIGHTEN)


INTEGER = {"type": "integer"}
DEFAULT = {"default": {"replicas": -1}}


@pytest.mark.parametrize("is_map", [False, True])
@pytest.mark.parametrize(
    ("owner", "replicas", "example"),
    [
        (({**DEFAULT, "nullable": True}, DEFAULT), (INTEGER, INTEGER), None),
        (({}, DEFAULT), (INTEGER, INTEGER), None),
        (({}, {}), (INTEGER, {**INTEGER, "default": -1}), {}),
        (({}, {}), (INTEGER, {**INTEGER, "nullable": True}), {"replicas": None}),
    ],
)
def test_the_scale_subresource_reads_what_servers_store_for_nulls_and_absent_values(
    owner: tuple[Json, Json], replicas: tuple[Json, Json], example: Json, *, is_map: bool
) -> None:
    sides = [
        {"type": "object", **own, "properties": {"replicas": child}} for own, child in zip(owner, replicas, strict=True)
    ]
    paths = {**PATHS, "specReplicasPath": ".spec.a.replicas"}
    fields = [{"additionalProperties": side} if is_map else {"properties": {"a": side}} for side in sides]
    (change,) = _judge(*(_make_crd(own, paths) for own in fields))
    assert change.change_class is ChangeClass.TIGHTEN
    assert change.is_proven
    assert change.example is not None
    assert change.example["spec"].get("a") == example


def test_a_null_that_the_scale_subresource_rejected_can_get_a_default_that_it_rejects() -> None:
    anything = {"x-kubernetes-preserve-unknown-fields": True, "default": -1}
    old, new = ({"properties": {"replicas": {**anything, **own}}} for own in ({"nullable": True}, {}))
    (change,) = _judge(_make_crd(old, PATHS), _make_crd(new, PATHS))
    assert change.change_class is ChangeClass.SEMANTIC
