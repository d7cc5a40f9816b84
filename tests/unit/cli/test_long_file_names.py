"""File names that are longer than file systems support, from each command that derives names from CRDs."""

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main

LABELS = [letter * 60 for letter in "abcd"]
VALID = ".".join([*LABELS, "info"])  # valid, but the file name has 256 bytes
INVALID = f"{'a' * 300}.com"
PROTO = """syntax = "proto3";
// +groupName={group}
package example.v1;

// +kubebuilder:resource:path=ws
message W {{
  string color = 1;
}}
"""
CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: ws.{group}}}
spec:
  group: {group}
  names: {{kind: W, plural: ws, singular: w, listKind: WList}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {{openAPIV3Schema: {{type: object, properties: {{spec: {{type: object}}}}}}}}
"""


@pytest.mark.parametrize(
    ("command", "group", "size"),
    [
        ("generate w.proto", VALID, 256),
        ("generate w.proto --check", VALID, 256),
        ("history record 1.0 w.proto", VALID, 256),
        ("docs crd.yaml", INVALID, 307),
        ("docs crd.yaml --check", INVALID, 307),
        ("docs crd.yaml --html", INVALID, 309),
        ("schemas crd.yaml", INVALID, 304),
        ("import crd.yaml --settings accepted.yaml", INVALID, 300),
    ],
)
def test_a_name_that_is_too_long_is_reported(
    command: str, group: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("w.proto").write_text(PROTO.format(group=group))
    Path("crd.yaml").write_text(CRD.format(group=group))
    Path("accepted.yaml").write_text('findings: [{rule: crd-rejected, severity: "off", reason: long}]\n')
    assert main(command.split()) == 1
    captured = capsys.readouterr()
    errors = captured.out + captured.err
    assert f'error: file name "{"a" * 60}..." has {size} bytes, more than 255 [output-outside]\n' in errors
    assert errors.endswith("1 error\n")
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == [
        "accepted.yaml",
        "crd.yaml",
        "w.proto",
    ]
