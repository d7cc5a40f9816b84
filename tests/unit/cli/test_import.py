"""`import`: what it reads from folders."""

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
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_proto_files_beside_crds_are_not_read(tmp_path: Path) -> None:
    """Projects with Go types have .proto files whose imports are elsewhere."""
    (tmp_path / "api").mkdir()
    (tmp_path / "api/crd.yaml").write_text(CRD)
    (tmp_path / "api/generated.proto").write_text('syntax = "proto3";\nimport "k8s.io/api/core/v1/generated.proto";\n')
    assert main(["import", "api", "--quiet"]) == 0
    assert (tmp_path / "proto/com/example/v1/thing.proto").is_file()


def test_a_proto_file_is_no_crd(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.proto").write_text('syntax = "proto3";\n')
    assert main(["import", "a.proto"]) == 1
    assert "no CRDs found in a.proto [crd-none]" in capsys.readouterr().err


def test_an_empty_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["import", "."]) == 1
    assert "[document-none]\n  hint: pass a file or folder of CRDs in YAML or JSON" in capsys.readouterr().err
