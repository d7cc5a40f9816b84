"""The key `_versions` of test documents: one document, validated in several versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.documents.document_reader import read_cases
from protoc_gen_crd.findings.finding import Problems

PROTO = """syntax = "proto3";
package acme;
import "protoc_gen_crd/v1/options.proto";
message Widget {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1beta1", "v1"] storage_version: "v1"};
  int32 size = 1 [(protoc_gen_crd.v1.field) = {minimum: 1, during: {since: "v1" maximum: 3}}];
}
"""
WIDGET = """_versions: [v1beta1, v1]
{}apiVersion: acme.example/v1
kind: Widget
metadata: {{name: big}}
spec: {{size: {}}}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a kind of two versions."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "widget.proto").write_text(PROTO)
    return tmp_path


def validate(project: Path, capsys: pytest.CaptureFixture[str], document: str, *arguments: str) -> list[str]:
    """Return the findings of a test document."""
    (project / "widget-valid.yaml").write_text(document)
    main(["validate", "widget.proto", "widget-valid.yaml", *arguments])
    output = capsys.readouterr()
    return [line for line in output.err.splitlines() if "[document-" in line or "[case-" in line]


def test_a_document_is_read_in_each_version() -> None:
    cases = read_cases(WIDGET.format("_old: {spec: {size: 1}}\n", 2).encode(), "widget.yaml", Problems())
    assert [(case.version, case.name) for case in cases] == [
        ("v1beta1", "Widget/big (v1beta1)"),
        ("v1", "Widget/big (v1)"),
    ]
    assert [(case.expectation.old or {})["apiVersion"] for case in cases] == ["acme.example/v1beta1", "acme.example/v1"]


def test_each_version_is_validated(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(project, capsys, WIDGET.format("", 2)) == []
    (finding,) = validate(project, capsys, WIDGET.format("", 5))
    assert "Widget/big (v1) is rejected" in finding
    (finding,) = validate(project, capsys, WIDGET.format("_err: less than or equal to 3\n", 5))
    assert "Widget/big (v1beta1) is accepted" in finding
    assert validate(project, capsys, WIDGET.format("_err: greater than or equal to 1\n", 0)) == []


def test_a_version_that_is_not_served_is_reported_at_the_key(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (finding,) = validate(project, capsys, WIDGET.format("", 2).replace("[v1beta1", "[v2"))
    assert finding.startswith("widget-valid.yaml:1:")
    assert '"v2"' in finding


@pytest.mark.parametrize("value", ["v1", "[]", "[1]", "[v1, v1]", "{a: b}", "[[v1]]", '[""]'])
def test_another_value_is_reported_once(project: Path, capsys: pytest.CaptureFixture[str], value: str) -> None:
    (finding,) = validate(project, capsys, WIDGET.format("", 2).replace("[v1beta1, v1]", value))
    assert 'invalid value for "_versions"' in finding


def test_update_writes_the_error_of_all_versions_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = WIDGET.format("_err:\n", 0)
    assert validate(project, capsys, document, "--update") == []
    text = (project / "widget-valid.yaml").read_text()
    assert (
        text.count("_err: 'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1'") == 1
    )
