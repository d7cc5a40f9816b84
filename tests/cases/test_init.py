"""Projects of `init`: each folder of testdata/init is a case, see tests/support/transcripts.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.scaffold import project
from protoc_gen_crd.scaffold.install_source import InstallSource
from tests.conftest import ROOT
from tests.support.transcripts import Stage, cases_in

CASES = ROOT / "testdata" / "init"


@pytest.mark.parametrize("name", cases_in(CASES))
def test_case(
    name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(project, "find_install_source", lambda: InstallSource("protoc-gen-crd==1.2.3"))
    stage = Stage("", monkeypatch, capsys)
    assert not (differences := stage.differences(CASES / name, tmp_path, update=update)), "\n".join(differences)


@pytest.mark.parametrize(("host", "file"), [("github", ".github/workflows/crds.yaml"), ("gitlab", ".gitlab-ci.yml")])
def test_a_source_that_ci_cannot_install(
    host: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(project, "find_install_source", InstallSource)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text(f"[remote]\nurl = https://{host}.example.com/api\n")
    assert main(["init"]) == 0
    note = f"\n{file}: replace the line that installs the tool: it fails, because CI cannot install it from a folder"
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
