"""Declared conversions are proven with random objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.deprecation_policy_checks import DeprecationPolicyChecker
from protoc_gen_crd.versioning.project_checklist import ProjectChecklist

API = """syntax = "proto3";
package acme.lamps;
import "protoc_gen_crd/v1/options.proto";

message Lamp {
  option (protoc_gen_crd.v1.resource) = {
    group: "acme.example" versions: ["v1beta1", "v1"] storage_version: "v1"
  };
  string color = 1;
  int32 watt = 2 [(protoc_gen_crd.v1.field).until = "v1beta1"];
  int32 lumen = 3 [(protoc_gen_crd.v1.field) = {since: "v1" conversion: {CONVERSION}}];
}
"""


@pytest.mark.parametrize(
    ("conversion", "is_proven"),
    [
        ('renamed_from: "watt"', True),
        ('renamed_from: "watt" function: {from: "to_lumen" to: "to_watt"}', False),  # there is no file of functions
    ],
)
def test_a_conversion_is_proven_or_the_item_is_open(tmp_path: Path, conversion: str, *, is_proven: bool) -> None:
    path = tmp_path / "api.proto"
    path.write_text(API.replace("CONVERSION", conversion))
    settings = Settings()
    crds = generate_crds([str(path)], settings, {}, Problems())
    older = [crd.replace(versions=crd.versions[:1]) for crd in crds]
    policy = DeprecationPolicyChecker(settings, "2026-01-01", Problems())
    checklist = ProjectChecklist(ApiSide("", tuple(crds)), policy, settings, Problems())
    items = checklist.list_items(older, compare_apis(older, crds))
    assert [item.is_done for item in items if item.name == "conversion-proof"] == [is_proven]
