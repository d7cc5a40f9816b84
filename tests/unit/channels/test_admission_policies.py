"""Policies: behavior that the golden cases do not cover."""

from __future__ import annotations

from pathlib import Path

from tests.support import plugin
from tests.support.yaml_data import load_yaml_stream

API = """
syntax = "proto3";
package a;
import "protoc_gen_crd/v1/options.proto";
message Widget {{
  option (protoc_gen_crd.v1.resource) = {{group: "{group}" versions: ["v1", "v1beta1"] storage_version: "v1"}};
  string a = 1 [(protoc_gen_crd.v1.field).channel = "extended"];
}}
"""


def test_names_are_within_the_limit_of_servers(tmp_path: Path) -> None:
    group = ".".join(["a" * 58] * 4)  # of 235 characters, so that the CRD has a name of 243
    (tmp_path / "api.proto").write_text(API.format(group=group))
    result = plugin.run(plugin.compiled(tmp_path), "channel=stable", folder=tmp_path)
    assert "errors.txt" not in result
    (text,) = [text for name, text in result.items() if name.endswith(".stable.yaml")]
    manifests = list(load_yaml_stream(text))
    names = [manifest["metadata"]["name"] for manifest in manifests]
    assert len(set(names)) == 2
    assert all(len(name) <= 253 for name in names)
    assert [manifest["spec"]["policyName"] for manifest in manifests[1::2]] == names[::2]
