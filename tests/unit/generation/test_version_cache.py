"""Versions share the schemas of types whose elements are the same in these versions."""

from __future__ import annotations

from functools import cache

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.pipeline import build_crds
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings
from tests.support.compile import proto_text

_API = """syntax = "proto3";
package acme;
// +protoc-gen-crd:resource={group: "acme.com" versions: ["v1alpha1", "v1beta1", "v1", "v2alpha1"]}
// +protoc-gen-crd:resource.storage_version=v1
message Kind {
  Same same = 1;
  Ranged ranged = 2;
}
message Same {
  string a = 1;
}
message Ranged {
  Same same = 1;
  Letter letter = 2;
  // +protoc-gen-crd:since=v1
  string new = 3;
}
enum Letter {
  A = 0;
  // +protoc-gen-crd:until=v1alpha1
  B = 1;
}
"""
OLD, BETA, NEW, NEXT = "v1alpha1", "v1beta1", "v1", "v2alpha1"


@cache
def build_schemas() -> dict[str, Schema]:
    (crd,) = build_crds(proto_text(_API), Settings(), Problems())
    return {version.name: version.schema for version in crd.versions if version.schema is not None}


def get_schema(version: str, path: str) -> Schema:
    schema = build_schemas()[version]
    for name in path.split("."):
        schema = schema.properties[name]
    return schema


@pytest.mark.parametrize(
    ("path", "classes"),
    [
        ("spec", [{OLD}, {BETA}, {NEW, NEXT}]),
        ("spec.same", [{OLD, BETA, NEW, NEXT}]),
        ("spec.ranged", [{OLD}, {BETA}, {NEW, NEXT}]),
        ("spec.ranged.same", [{OLD, BETA, NEW, NEXT}]),
        ("spec.ranged.letter", [{OLD}, {BETA, NEW, NEXT}]),
    ],
)
def test_versions_share_equal_schemas(path: str, classes: list[set[str]]) -> None:
    classes_of_schemas: dict[object, set[str]] = {}
    for version in (OLD, BETA, NEW, NEXT):
        schema = get_schema(version, path)
        classes_of_schemas.setdefault(tuple(map(id, schema.properties.values())) or id(schema.get("enum")), set()).add(
            version
        )
    assert list(classes_of_schemas.values()) == classes


def test_equal_versions_are_one_schema() -> None:
    assert build_schemas()[NEW] is build_schemas()[NEXT]
    assert build_schemas()[BETA] is not build_schemas()[NEW]
