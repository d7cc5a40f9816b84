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
    assert (
        "no CRDs found in a.proto [crd-none]\n  hint: pass a file or folder of CRDs in YAML or JSON"
        in capsys.readouterr().err
    )


def test_an_empty_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["import", "."]) == 1
    assert "[document-none]\n  hint: pass a file or folder of CRDs in YAML or JSON" in capsys.readouterr().err


def test_equal_crds_are_imported_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Projects have copies of their CRDs, such as in a Helm chart."""
    (tmp_path / "api").mkdir()
    (tmp_path / "api/crd.yaml").write_text(CRD)
    (tmp_path / "api/copy.yaml").write_text(CRD.replace("metadata: {", "metadata: {annotations: {}, "))
    assert main(["import", "api"]) == 0
    assert capsys.readouterr().out.startswith("wrote proto/com/example/v1/thing.proto\nproto: 1 file, 1 written\n")
    (tmp_path / "api/copy.yaml").write_text(CRD.replace("Namespaced", "Cluster"))
    assert main(["import", "api"]) == 1
    assert "another CRD has the name things.example.com [import-repeated]" in capsys.readouterr().err


def test_patches_beside_crds_are_ignored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As kubebuilder writes them for kustomize."""
    patch = f"{CRD.partition('spec:')[0]}spec: {{conversion: {{strategy: None}}}}\n"
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(patch)
    assert main(["import", "."]) == 1
    missing = "spec.group, spec.names.kind, spec.names.plural, or spec.versions"
    assert capsys.readouterr().err.count(f".yaml:4:7: error: things.example.com has no {missing} [") == 2
    (tmp_path / "crd.yaml").write_text(CRD)
    assert main(["import", "."]) == 0
    printed = capsys.readouterr().err
    assert (
        "a.yaml:1:1: note: patch of things.example.com and 1 more patch are not imported [import-incomplete]" in printed
    )
    assert printed.endswith("\n1 note\n")


def test_a_second_import_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "crd.yaml").write_text(CRD)
    assert main(["import", "crd.yaml", "--quiet"]) == 0
    assert main(["import", "crd.yaml"]) == 0
    assert capsys.readouterr().out == "proto: 1 file, 0 written\n"


@pytest.mark.parametrize("out", ["proto", "../proto", "build/.proto"])
def test_init_is_the_next_command_if_it_reads_the_files(
    out: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    Path("crd.yaml").write_text(CRD)
    assert main(["import", "crd.yaml", "--out", out]) == 0
    assert ("\nnext:\n  protoc-gen-crd init  # " in capsys.readouterr().out) == (out == "proto")


def test_settings_with_the_files_lack_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "crd.yaml").write_text(CRD)
    settings = "inputs: [proto]\nout: crds\ndocuments: [manifests]\nkubernetes: '1.37'\n"
    (tmp_path / "protoc-gen-crd.yaml").write_text(settings)
    (tmp_path / ".pre-commit-config.yaml").write_text("repos: []\n")
    assert main(["import", "crd.yaml"]) == 0
    assert capsys.readouterr().out == "wrote proto/com/example/v1/thing.proto\nproto: 1 file, 1 written\n"


@pytest.mark.parametrize("name", ["", "\\0", "[x]"])
def test_a_property_that_no_field_can_have(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Below the root, its object is a Struct with the option `keywords`; in the root, the CRD is reported."""
    monkeypatch.chdir(tmp_path)
    root = f'type: object, properties: {{spec: {{type: object, properties: {{"{name}": {{type: string}}}}}}}}'
    (tmp_path / "crd.yaml").write_text(CRD.replace("type: object", root))
    assert main(["import", "crd.yaml", "--quiet"]) == 0
    assert "google.protobuf.Struct spec = 1" in (tmp_path / "proto/com/example/v1/thing.proto").read_text()
    root = f'type: object, properties: {{"{name}": {{type: string}}}}'
    (tmp_path / "crd.yaml").write_text(CRD.replace("type: object", root))
    assert main(["import", "crd.yaml", "--out", "other"]) == 1
    printed = capsys.readouterr().err
    place = "1:1" if name else "8:107"
    assert printed.startswith(f"crd.yaml:{place}: error: ")
    assert str(tmp_path) not in printed
    assert "apiVersion is missing" not in printed
    assert not (tmp_path / "other").exists()
