"""Projects of `init`: each folder of testdata/init is a case, see tests/support/transcripts.py."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.scaffold import project_planner
from protoc_gen_crd.scaffold.install_source import InstallSource
from tests.conftest import ROOT
from tests.support.transcripts import Stage, cases_in

CASES = ROOT / "testdata" / "init"


@pytest.mark.parametrize("name", cases_in(CASES))
def test_case(
    name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(project_planner, "find_install_source", lambda: InstallSource("protoc-gen-crd==1.2.3"))
    stage = Stage("", monkeypatch, capsys)
    assert not (differences := stage.differences(CASES / name, tmp_path, update=update)), "\n".join(differences)


@pytest.mark.parametrize(("host", "file"), [("github", ".github/workflows/crds.yaml"), ("gitlab", ".gitlab-ci.yml")])
def test_a_source_that_ci_cannot_install(
    host: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(project_planner, "find_install_source", InstallSource)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text(f"[remote]\nurl = https://{host}.example.com/api\n")
    assert main(["init"]) == 0
    note = f"\n{file}: CI cannot install the tool from this machine: replace the command that fails with `pip install "
    assert note in capsys.readouterr().out
    # Nothing is repeated once the line is replaced.
    workflow = tmp_path / file
    workflow.write_text(
        "".join(line for line in workflow.read_text().splitlines(keepends=True) if "exit 1" not in line)
    )
    assert main(["init"]) == 0
    printed = capsys.readouterr().out
    assert f"kept {file}\n" in printed
    assert "replace" not in printed


@pytest.mark.parametrize(
    ("file", "start"), [("protoc-gen-crd.yaml", "{}"), ("pyproject.toml", "[tool.protoc-gen-crd]\n")]
)
def test_the_printed_entries_accept_only_known_losses(
    file: str, start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(CASES / "losses" / "config", tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    (tmp_path / file).write_text(start)
    assert main(["import", "config"]) == 0
    addition = capsys.readouterr().out.partition("add these lines to it\n\n")[2].partition("\n\n")[0]
    assert main(["generate", "proto", "--check"]) == 1
    assert "[version-loss]" in capsys.readouterr().err
    (tmp_path / file).write_text(start.strip("{}") + textwrap.dedent(addition))
    for folder in ("caches", "lamps"):
        shutil.rmtree(tmp_path / "config" / "crds" / folder)
    assert main(["generate"]) == 0

    proto = tmp_path / "proto" / "example" / "acme" / "v1" / "lamp.proto"
    changed = proto.read_text().replace("string room = 2;", 'string room = 2 [(protoc_gen_crd.v1.field).since = "v1"];')
    assert changed != proto.read_text()
    proto.write_text(changed)
    capsys.readouterr()
    assert main(["generate"]) == 1
    assert capsys.readouterr().err.count("[version-loss]") == 1


def test_a_file_with_other_objects_is_not_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    crd = (CASES / "crds-only" / "cluster.yaml").read_text()
    (tmp_path / "install.yaml").write_text(f"{crd}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: keep}}\n")
    (tmp_path / "protoc-gen-crd.yaml").write_text("documents:\n- install.yaml\n- manifests\n")
    monkeypatch.chdir(tmp_path)
    assert main(["import", "install.yaml"]) == 0
    capsys.readouterr()
    assert main(["init"]) == 0
    printed = capsys.readouterr().out
    assert "\ninstall.yaml: after `generate`, delete its CRDs, but keep its other objects\n" in printed
    assert "documents: [manifests] # replaces the existing `documents`: the inputs now define the CRDs\n" in printed
    assert "git rm" not in printed
    (tmp_path / "install.yaml").write_text(crd)
    assert main(["init"]) == 0
    lines = [line.partition("#")[0].strip() for line in capsys.readouterr().out.partition("next:\n")[2].splitlines()]
    assert lines[:3] == ["git rm install.yaml", "protoc-gen-crd generate", "protoc-gen-crd validate"]


def test_crds_beside_install_bundles_stay_in_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A kustomization lists the CRDs, and bundles repeat them, as in Argo CD."""
    crd = (CASES / "crds-only" / "cluster.yaml").read_text()
    folder = tmp_path / "manifests" / "definitions"
    folder.mkdir(parents=True)
    (folder / "cluster.yaml").write_text(crd)
    (folder / "kustomization.yaml").write_text("kind: Kustomization\nresources:\n- cluster.yaml\n")
    (tmp_path / "manifests" / "kustomization.yaml").write_text("kind: Kustomization\nresources:\n- definitions\n")
    for bundle in ("install", "core-install"):
        others = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"
        (tmp_path / "manifests" / f"{bundle}.yaml").write_text(crd + others)
    monkeypatch.chdir(tmp_path)
    assert main(["import", "manifests/definitions"]) == 0
    assert main(["init"]) == 0
    printed = capsys.readouterr().out
    settings = (tmp_path / "protoc-gen-crd.yaml").read_text()
    assert "out: manifests/definitions #" in settings
    assert "documents: [samples] #" in settings
    notes, _, commands = printed.partition("protoc-gen-crd.yaml\n\n")[2].partition("\nnext:\n")
    assert notes == (
        "manifests/definitions/kustomization.yaml: after `generate`, list the files in manifests/definitions/ instead "
        "of the deleted ones\n"
    )
    lines = [line.partition("#")[0].strip() for line in commands.splitlines()]
    assert lines[:2] == ["git rm manifests/definitions/cluster.yaml", "protoc-gen-crd generate"]
    (folder / "cluster.yaml").unlink()
    assert main(["generate"]) == 0
    assert main(["validate"]) == 0
