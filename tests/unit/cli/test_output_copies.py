"""Copies of generated CRDs in the output folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.support.yaml_data import load_yaml

PROTO = """syntax = "proto3";
package example.v1;
// +protoc-gen-crd:resource={group: "example.com"}
message Widget { string color = 1; }
"""
FILE = "example.com_widgets.yaml"


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("widget.proto").write_text(PROTO)
    assert main(["generate", "widget.proto"]) == 0
    capsys.readouterr()


def _report(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(["generate", "widget.proto", *arguments]) == status
    return capsys.readouterr().err


@pytest.mark.parametrize("name", ["copy.yaml", "old/copy.yml", "copy.json", "all.yaml"])
@pytest.mark.parametrize("arguments", [(), ("--check",)])
def test_a_copy(name: str, arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    text, copy = Path("crds", FILE).read_text(), Path("crds", name)
    copy.parent.mkdir(exist_ok=True)
    documents = {"copy.json": json.dumps(load_yaml(text)), "all.yaml": f"kind: Namespace\n{text}"}
    copy.write_text(documents.get(name, text.replace("color", "colour")))
    printed = _report(capsys, *arguments, status=1)
    assert printed.count(f'error: CRD widgets.example.com is also in "crds/{FILE}" [output-copy]') == 1
    assert printed.startswith(f"crds/{name}:")
    assert "hint: delete it from this file, which `generate` does not update" in printed


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("other.yaml", "widgets.example.com", "gadgets.example.com"),
        (".hidden/copy.yaml", "", ""),
        ("copy.txt", "", ""),
        ("broken.yaml", "spec:", "spec: {{"),
        ("chart.yaml", "spec:\n", "spec:\n  {{- if .Values.enabled }}\n"),
    ],
)
def test_no_copy(name: str, old: str, new: str, capsys: pytest.CaptureFixture[str]) -> None:
    copy = Path("crds", name)
    copy.parent.mkdir(exist_ok=True)
    copy.write_text(Path("crds", FILE).read_text().replace(old, new))
    assert _report(capsys) == ""


def test_a_patch_is_no_copy(capsys: pytest.CaptureFixture[str]) -> None:
    """As kubebuilder writes them for kustomize."""
    head = Path("crds", FILE).read_text().partition("spec:")[0]
    Path("crds/patch.yaml").write_text(f"{head}spec:\n  conversion: {{strategy: None}}\n")
    assert _report(capsys, "--check") == ""


def test_only_the_files_beside_the_project_are_read(capsys: pytest.CaptureFixture[str]) -> None:
    """A whole project can be large, and has other copies, such as in a Helm chart."""
    Path("chart").mkdir()
    for copy in ("chart/copy.yaml", "beside.yaml"):
        Path(copy).write_text(Path("crds", FILE).read_text())
    assert main(["generate", "widget.proto", "--out", "."]) == 1
    assert [line.partition(":")[0] for line in capsys.readouterr().err.splitlines() if "[" in line] == ["beside.yaml"]
