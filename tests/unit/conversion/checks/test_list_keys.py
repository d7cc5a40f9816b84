"""Lists without keys: a finding wherever a client that removes an item makes later items lose data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd import Converter
from protoc_gen_crd.cli.main import main
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings

API = """syntax = "proto3";
package x;
import "protoc_gen_crd/v1/options.proto";
message Widget {{
  option (protoc_gen_crd.v1.resource) = {{group: "x.io" versions: {versions} storage_version: "v1"}};
  {list} = 1;
}}
message Port {{
  string name = 1 [(protoc_gen_crd.v1.field).required = true];
  string color = 2 [(protoc_gen_crd.v1.field) = {{since: "v1" conversion: {{{option}: true}}}}];
}}
"""
PORTS = "repeated Port ports"
KEYED = f"// +listType=map\n  // +listMapKey=name\n  {PORTS}"
RULE = "conversion-list-keys"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def generate(listed: str, option: str = "preserved", versions: str = '["v1beta1", "v1"]') -> tuple[Converter, Problems]:
    Path("api.proto").write_text(API.format(list=listed, option=option, versions=versions))
    (crd,) = generate_crds(["api.proto"], Settings(), {}, problems := Problems())
    return Converter(crd), problems


def remove_first(converter: Converter, value: Any) -> Any:
    """Convert an object with two ports, remove the first one in the other version, and return the other one."""
    ports = [{"name": "a", "color": "red"}, {"name": "b", "color": value}]
    obj = {"apiVersion": "x.io/v1", "kind": "Widget", "spec": {"ports": ports}}
    converted = converter.convert(obj, "v1beta1")
    del converted["spec"]["ports"][0]
    (left,) = converter.convert(converted, "v1")["spec"]["ports"]
    return left.get("color")


@pytest.mark.parametrize(("listed", "kept", "count"), [(PORTS, None, 1), (KEYED, "green", 0)])
def test_lists_that_lose_data_are_reported(listed: str, kept: str | None, count: int) -> None:
    converter, problems = generate(listed)
    assert remove_first(converter, "green") == kept
    matching = [finding for finding in problems.findings if finding.rule == RULE]
    assert len(matching) == count
    assert all("+listType=map" in finding.hint for finding in matching)


def test_lists_whose_fields_are_dropped_are_not_reported() -> None:
    assert RULE not in {finding.rule for finding in generate(PORTS, "dropped")[1].findings}


def test_a_list_is_reported_once_for_all_versions() -> None:
    _, problems = generate(PORTS, versions='["v1alpha1", "v1beta1", "v1"]')
    (finding,) = [finding for finding in problems.findings if finding.rule == RULE]
    assert finding.message == (
        'list "spec.ports" has no keys: if a client of v1alpha1 or v1beta1 removes an item, later items lose the '
        'conversion data of "spec.ports[].color"'
    )


def test_prove_reports_lists_and_names_them_in_its_result(capsys: pytest.CaptureFixture[str]) -> None:
    generate(PORTS)
    assert main(["convert", "api.proto", "--prove", "--count", "20"]) == 0
    printed = capsys.readouterr()
    assert "v1 -> v1beta1: 20 objects, no data lost unless a client removes items of spec.ports\n" in printed.out
    assert f"[{RULE}]" in printed.err


WRAPPED = """syntax = "proto3";
package x;
import "protoc_gen_crd/v1/options.proto";
message Widget {
  option (protoc_gen_crd.v1.resource) = {group: "x.io" versions: ["v1beta1", "v1"] storage_version: "v1"};
  repeated string names = 1 [(protoc_gen_crd.v1.field).until = "v1beta1"];
  repeated Port ports = 2 [(protoc_gen_crd.v1.field) = {
    since: "v1" list_type: "map" list_map_keys: "name" conversion: {renamed_from: "names" value: "name"}
  }];
}
message Port {
  string name = 1 [(protoc_gen_crd.v1.field).required = true];
  string color = 2 [(protoc_gen_crd.v1.field).conversion = {preserved: true}];
}
"""


def test_lists_that_have_objects_in_one_version_cannot_have_keys() -> None:
    Path("api.proto").write_text(WRAPPED)
    generate_crds(["api.proto"], Settings(), {}, problems := Problems())
    (finding,) = [finding for finding in problems.findings if finding.rule == RULE]
    assert "make the items objects in both versions" in finding.hint


CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.x.io}
spec:
  group: x.io
  scope: Namespaced
  names: {plural: widgets, kind: Widget, singular: widget, listKind: WidgetList}
  versions:
"""
VERSION = """  - name: %s
    served: true
    storage: %s
    schema:
      openAPIV3Schema:
        type: object
        properties:
          ports: {type: array, items: {type: object, properties: {%s: {type: string}}}}
"""
RULES = """---
apiVersion: apis.kcp.io/v1alpha1
kind: APIConversion
metadata: {name: widgets.x.io}
spec:
  conversions:
  - {from: v1, to: v2, rules: [], preserve: ["ports[].color"]}
  - {from: v2, to: v1, rules: []}
"""


def test_hints_for_crds_are_yaml(capsys: pytest.CaptureFixture[str]) -> None:
    versions = VERSION % ("v1", "true", "name: {type: string}, color") + VERSION % ("v2", "false", "name")
    Path("crd.yaml").write_text(CRD + versions + RULES)
    assert main(["convert", "crd.yaml", "--plan"]) == 0
    printed = capsys.readouterr().err
    assert f"[{RULE}]" in printed
    assert "hint: set x-kubernetes-list-type: map (listType=map) and x-kubernetes-list-map-keys: [FIELD]" in printed
    assert "+list" not in printed
