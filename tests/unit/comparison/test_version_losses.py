"""Differences between versions of a kind: fields that all resources have are in both schemas."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.comparison.version_differences import WRITTEN, find_differences
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode

Json = Any
STRING: Json = {"type": "string"}
NAMED: Json = {"type": "object", "properties": {"name": STRING}}


def _find(place: str, own: Json, stored: Json) -> list[tuple[str, str]]:
    """Return the differences of two versions that have these keywords in the whole object or in a resource."""
    crd = _make_crd(*(_make_schema(place, keywords) for keywords in (own, stored)))
    version, storage = crd.versions
    assert storage.schema is not None
    pairs = (find_differences(version, storage.schema), find_differences(storage, version.schema or storage.schema))
    first, second = ({(difference.kind, difference.path) for difference in differences} for differences in pairs)
    assert {path for _, path in first} == {path for _, path in second}
    return sorted(first)


def _make_schema(place: str, keywords: Json) -> Json:
    own: Json = {"type": "object", **keywords, "properties": {"a": STRING, **keywords.get("properties", {})}}
    pod = {**(own if place else {"type": "object"}), "x-kubernetes-embedded-resource": True}
    root: Json = {"type": "object"} if place else own
    spec = {"type": "object", "properties": {"pods": {"type": "array", "items": pod}}}
    return {**root, "properties": {**root.get("properties", {}), "spec": spec}}


def _make_crd(*schemas: Json) -> Crd:
    versions = [
        {"name": name, "served": True, "storage": name == "v2", "schema": {"openAPIV3Schema": schema}}
        for name, schema in zip(("v1", "v2"), schemas, strict=True)
    ]
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.acme.example"},
            "spec": {
                "group": "acme.example", "names": {"kind": "Widget", "plural": "widgets"}, "scope": "Namespaced",
                "versions": versions,
            },
        }
    ).crd  # fmt: skip
    assert crd is not None
    return crd


@pytest.mark.parametrize("place", ["", "spec.pods[]."])
@pytest.mark.parametrize(
    "keywords",
    [
        {"properties": {"kind": STRING}},
        {"properties": {"apiVersion": STRING, "kind": STRING, "metadata": {"type": "object"}}},
        {"properties": {"metadata": NAMED}},
        {"properties": {"kind": STRING}, "required": ["apiVersion", "kind"]},
    ],
)
def test_a_field_that_resources_have_without_their_schema_is_no_loss(place: str, keywords: Json) -> None:
    assert _find(place, keywords, {}) == []


@pytest.mark.parametrize("place", ["", "spec.pods[]."])
def test_a_constraint_on_such_a_field_is_a_difference(place: str) -> None:
    limited = {"metadata": {"type": "object", "properties": {"name": {"type": "string", "maxLength": 3}}}}
    assert _find(place, {"properties": limited}, {}) == [("maxLength", f"{place}metadata.name")]
    assert _find(place, {"properties": {"kind": {"type": "string", "enum": ["A"]}}}, {}) == [("enum", f"{place}kind")]


def test_another_field_is_a_loss() -> None:
    assert _find("spec.pods[].", {"properties": {"b": STRING}}, {}) == [(WRITTEN, "spec.pods[].b")]
