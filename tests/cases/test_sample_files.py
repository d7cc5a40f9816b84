"""The command `samples`: each folder of testdata/sample-files is a case, see tests/support/transcripts.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.transcripts import Stage, cases_in

CASES = ROOT / "testdata" / "sample-files"


@pytest.mark.parametrize("name", cases_in(CASES))
def test_case(
    name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Stage("samples", monkeypatch, capsys)
    assert not (differences := stage.differences(CASES / name, tmp_path, update=update)), "\n".join(differences)
