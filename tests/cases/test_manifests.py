"""The commands `manifests` and `patch`: each folder of testdata/manifests and testdata/patch is a case."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.transcripts import Stage, cases_in

CASES = [(command, name) for command in ("manifests", "patch") for name in cases_in(ROOT / "testdata" / command)]


@pytest.mark.parametrize(("command", "name"), CASES)
def test_case(
    command: str, name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    stage = Stage(command, monkeypatch, capsys)
    case = ROOT / "testdata" / command / name
    assert not (differences := stage.differences(case, tmp_path, update=update)), "\n".join(differences)
