"""A kind whose storage version changes while objects are stored, as a user runs it: generate, convert, serve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from protoc_gen_crd import Converter
from protoc_gen_crd.cli.main import main
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan_builder import build_plans
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.webhook.conversion_review import convert_review
from protoc_gen_crd.webhook.review_types import ServedKind
from tests.support.serving import answered, review
from tests.support.yaml_data import load_yaml

API = """syntax = "proto3";
package x;
import "protoc_gen_crd/v1/options.proto";
message User {
  option (protoc_gen_crd.v1.resource) = {
    group: "x.io" versions: ["v1alpha1", "v1beta1", "v1"] storage_version: "%s" %s
  };
  string first = 1 [(protoc_gen_crd.v1.field).until = "v1beta1"];
  string last = 2 [(protoc_gen_crd.v1.field).until = "v1beta1"];
  string owner = 3 [(protoc_gen_crd.v1.field) = {
    since: "v1" conversion: {join: {fields: ["first", "last"] separator: " "}}
  }];
  string team = 4 [(protoc_gen_crd.v1.field) = {
    pattern: "^[a-z]{0,20}$" until: "v1beta1" conversion: {moved_from: "metadata.labels['x.io/team']"}
  }];
  int32 gone = 5 [(protoc_gen_crd.v1.field) = {until: "v1beta1" conversion: {preserved: true}}];
%s}
"""
# Two versions say what they have in place of a field of the third, and nothing of each other.
APART = """  repeated string hosts = 6 [(protoc_gen_crd.v1.field) = {
    until: "v1alpha1" conversion: {renamed_from: "host" one_item: true versions: "v1"}
  }];
  repeated string addresses = 7 [(protoc_gen_crd.v1.field) = {
    since: "v1beta1" until: "v1beta1" conversion: {renamed_from: "host" one_item: true versions: "v1"}
  }];
  string host = 8 [(protoc_gen_crd.v1.field).since = "v1"];
"""
SPEC = {"first": "Ada M", "last": "L", "team": "ops", "gone": 5}
ANNOTATION = "x.io/conversion-data.v1alpha1"


def user(version: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": f"x.io/{version}", "kind": "User", "metadata": {"name": "a"}, "spec": spec}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protoc-gen-crd.yaml").write_text(
        "inputs: [api.proto]\nconverters: converters\nwebhook_url: https://127.0.0.1:18444\n"
    )
    return tmp_path


def test_stored_objects_are_readable_in_all_versions_after_the_switch(project: Path) -> None:
    stored = project / "user.yaml"
    for storage in ("v1alpha1", "v1"):
        (project / "api.proto").write_text(API % (storage, "", ""))
        assert main(["generate"]) == 0
        stored.write_text(yaml.safe_dump(user("v1alpha1", **SPEC)))
        for version in ("v1beta1", "v1", "v1beta1", "v1alpha1"):  # once as stored, once as rewritten by a migration
            assert main(["convert", "api.proto", "user.yaml", "--to", version, "--write"]) == 0
            data = load_yaml(stored.read_text())
            if version != "v1":
                assert data == user(version, **SPEC)


def test_an_unknown_hub_is_an_error_where_data_could_be_lost(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "api.proto").write_text(API % ("v1", "", APART))
    assert main(["generate"]) == 1
    result = capsys.readouterr().err
    assert result.count("[conversion-hub-unknown]") == 1
    assert 'hub_version: "v1"' in result
    assert "protoc-gen-crd history record" in result
    (project / "api.proto").write_text(API % ("v1", 'hub_version: "v1"', APART))
    assert main(["generate"]) == 0


def test_convert_names_the_field_and_the_annotation_of_data_that_it_cannot_convert(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "api.proto").write_text(API % ("v1", "", APART))
    with (project / "protoc-gen-crd.yaml").open("a") as file:
        file.write("findings: [{rule: conversion-hub-unknown, severity: warning}]\n")
    text = yaml.safe_dump(user("v1alpha1", hosts=["p", "q"]))
    (project / "user.yaml").write_text(text)
    assert main(["convert", "api.proto", "user.yaml", "--to", "v1beta1", "--write"]) == 1
    result = capsys.readouterr().err
    assert "user.yaml" in result
    assert "spec.hosts" in result
    assert ANNOTATION in result
    assert (project / "user.yaml").read_text() == text


def test_the_webhook_rejects_an_object_whose_data_it_cannot_convert(project: Path) -> None:
    (project / "api.proto").write_text(API % ("v1", "", APART))
    (crd,) = generate_crds(["api.proto"], Settings(), {}, Problems())
    kinds = {("x.io", "User"): ServedKind("x.io", "User", ("v1alpha1", "v1beta1", "v1"), Converter(crd).convert)}
    request = review("x.io/v1beta1", user("v1alpha1", hosts=["p", "q"]))
    result = answered(convert_review, request, kinds).body["response"]
    assert result["result"]["status"] == "Failure"
    assert "spec.hosts" in result["result"]["message"]
    assert ANNOTATION in result["result"]["message"]
    assert not result.get("convertedObjects")


@pytest.mark.parametrize("hub", ["", 'hub_version: "v1"'])
def test_a_hub_other_than_the_recorded_one_is_an_error_for_data_that_it_cannot_convert(
    hub: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    related = 'versions: "v1"} conversion: {renamed_from: "hosts" versions: "v1alpha1"}'
    (project / "api.proto").write_text(API % ("v1beta1", "", related.join(APART.rsplit('versions: "v1"}', 1))))
    assert main(["history", "record", "1.0"]) == 0
    (project / "api.proto").write_text(API % ("v1", hub, APART))
    assert main(["generate"]) == 0
    assert "[conversion-hub-change]" in capsys.readouterr().err
    text = yaml.safe_dump(user("v1alpha1", hosts=["p", "q"]))
    (project / "user.yaml").write_text(text)
    assert main(["convert", "api.proto", "user.yaml", "--to", "v1beta1", "--write"]) == 1
    problem = "spec.hosts: the value of v1alpha1 cannot be converted to v1beta1; it is kept in the annotation"
    assert f"{problem} {ANNOTATION}" in capsys.readouterr().err
    assert (project / "user.yaml").read_text() == text


@pytest.mark.parametrize("hub", ["", 'hub_version: "v1"'])
@pytest.mark.parametrize("fields", ["", APART])
def test_plans_for_checks_have_the_findings_of_plans_for_modules(project: Path, hub: str, fields: str) -> None:
    """Conversions between spokes without modules are derived only for data without a conversion."""
    (project / "api.proto").write_text(API % ("v1", hub, fields))
    crds = generate_crds(["api.proto"], Settings(), {}, Problems())
    plans: list[Plan] = []
    findings = []
    for only_checks in (True, False):
        problems = Problems()
        plans += build_plans(crds, Settings(), problems, only_checks=only_checks)
        findings.append(problems.findings)
    assert findings[0] == findings[1]
    assert plans[0].pairs == plans[1].pairs
    assert plans[0].gaps == (() if hub else plans[1].gaps)
    assert not (hub and plans[0].direct)
