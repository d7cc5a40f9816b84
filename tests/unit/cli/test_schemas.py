"""`schemas`: a file for each served version, and a finding if there is none."""

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main

CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true%s}]
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_outdated_schemas_are_reported(tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(CRD % ", schema: {openAPIV3Schema: {type: object}}")
    assert main(["schemas", "crd.yaml"]) == 0
    assert main(["schemas", "crd.yaml", "--check"]) == 0
    (tmp_path / "schemas/example.com/thing_v1.json").write_text("{}\n")
    assert main(["schemas", "crd.yaml", "--check"]) == 1


def test_crds_without_schemas_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "crd.yaml").write_text(CRD % "")
    assert main(["schemas", "crd.yaml"]) == 1
    assert "no served version with a schema found in crd.yaml [crd-none]" in capsys.readouterr().err
    assert not (tmp_path / "schemas").exists()


@pytest.mark.parametrize("command", ["schemas crds", "lint crds", "explain things --from crds"])
def test_two_crds_of_a_kind(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second CRD is reported unless it is equal, and no schema is written."""
    (tmp_path / "crds").mkdir()
    crd = CRD % ", schema: {openAPIV3Schema: {type: object, description: A thing.}}"
    (tmp_path / "crds/a.yaml").write_text(crd)
    (tmp_path / "crds/b.yaml").write_text(crd.replace("A thing", "Another thing"))
    assert main(command.split()) == 1
    printed = capsys.readouterr().err
    path = "spec.versions.v1.schema.openAPIV3Schema.description"
    message = f"another CRD defines the kind example.com/Thing with a different {path} [crd-repeated]"
    assert f"crds/b.yaml:1:1: error: {message}" in printed
    assert not (tmp_path / "schemas").exists()
    (tmp_path / "crds/b.yaml").write_text(crd)
    assert main(command.split()) == 0
    assert "crd-repeated" not in capsys.readouterr().err
    assert command != "schemas crds" or (tmp_path / "schemas/example.com/thing_v1.json").is_file()
