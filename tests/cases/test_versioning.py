"""Versions that are added, deprecated and removed: each folder of testdata/versioning is a case.

`arguments` are whole commands, see tests/support/transcripts.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.transcripts import Stage, cases_in

CASES = ROOT / "testdata" / "versioning"


@pytest.mark.parametrize("name", cases_in(CASES))
def test_case(
    name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Stage("", monkeypatch, capsys)
    assert not (differences := stage.differences(CASES / name, tmp_path, update=update)), "\n".join(differences)
