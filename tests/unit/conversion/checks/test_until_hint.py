"""A field that another one replaces needs `until`; the hint names the version, and following it fixes the error."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.settings.settings import Settings

API = """syntax = "proto3";
package x;
import "protoc_gen_crd/v1/options.proto";
message Widget {
  option (protoc_gen_crd.v1.resource) = {group: "x.io" versions: %s storage_version: "v1"};
  string size = 1%s;
  string width = 2 [(protoc_gen_crd.v1.field) = {since: "%s" conversion: {renamed_from: "size"}}];
}
"""
VERSIONS = '["v1alpha1", "v1beta1", "v1"]'


def find_lost(folder: Path, *parts: str) -> list[Finding]:
    (folder / "api.proto").write_text(API % (VERSIONS, *parts))
    generate_crds([str(folder / "api.proto")], Settings(), {}, problems := Problems())
    return [finding for finding in problems.findings if finding.rule == "conversion-lost"]


@pytest.mark.parametrize(("since", "until"), [("v1", "v1beta1"), ("v1beta1", "v1alpha1")])
def test_a_missing_until_is_suggested(since: str, until: str, tmp_path: Path) -> None:
    lost = find_lost(tmp_path, "", since)
    expected = (
        f'add until: "{until}" if "spec.width" replaces it in {since}, or declare its counterpart with conversion '
    )
    assert any(finding.hint.startswith(expected) for finding in lost)
    assert find_lost(tmp_path, f' [(protoc_gen_crd.v1.field).until = "{until}"]', since) == []
