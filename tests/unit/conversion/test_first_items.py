"""The first item of a list has the values beside its object: other items have no counterpart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.conversion import Case, bare, edited

API = """
syntax = "proto3";
package acme.api;
import "protoc_gen_crd/v1/options.proto";

message Job {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1", "v2"] storage_version: "v2"};
  string image = 1 [(protoc_gen_crd.v1.field).until = "v1"];
  Container container = 2 [(protoc_gen_crd.v1.field).until = "v1"];
  repeated Container containers = 3 [(protoc_gen_crd.v1.field) = {
    since: "v2" conversion: {renamed_from: "container" one_item: true}
  }];
}

message Container {
  string name = 1;
  string image = 2 [(protoc_gen_crd.v1.field) = {since: "v2" conversion: {moved_from: "spec.image"}}];
}
"""
SECOND = {"name": "b", "image": "sidecar"}


@pytest.fixture
def case(tmp_path: Path) -> Case:
    (tmp_path / "api.proto").write_text(API, "utf-8")
    return Case(tmp_path)


@pytest.mark.parametrize(
    ("containers", "expected"),
    [
        ([{"name": "a"}, SECOND], {"container": {"name": "a"}}),
        ([{"name": "a", "image": "busybox"}, SECOND], {"container": {"name": "a"}, "image": "busybox"}),
        ([{}, SECOND], {"container": {}}),
    ],
)
def test_values_come_from_the_first_item(case: Case, containers: list[Any], expected: Any) -> None:
    source = case.object("v2", {"spec": {"containers": containers}})
    result = case.convert(source, "v1")
    assert bare(result)["spec"] == expected
    assert case.convert(result, "v2") == source


def test_a_client_of_the_object_sets_the_value_of_the_first_item(case: Case) -> None:
    source = case.object("v2", {"spec": {"containers": [{"name": "a"}, SECOND]}})
    update = edited(case.convert(source, "v1"), {"spec.image": "busybox"})
    assert case.convert(update, "v2")["spec"] == {"containers": [{"name": "a", "image": "busybox"}, SECOND]}
