"""Projects of `init`: each folder of testdata/init is a case, see tests/support/transcripts.py."""

from __future__ import annotations

from pathlib import Path

import pytest

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
