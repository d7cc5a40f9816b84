"""Documents to verdicts: each folder of testdata/validate is a case, see tests/support/transcripts.py.

Without `arguments` the folder itself is validated.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.goldens import read_folder
from tests.support.transcripts import Stage, cases_in

CASES = ROOT / "testdata" / "validate"


@pytest.mark.parametrize("name", cases_in(CASES))
def test_case(
    name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Stage("validate", monkeypatch, capsys)
    assert not (differences := stage.differences(CASES / name, tmp_path, update=update)), "\n".join(differences)


def test_there_are_cases() -> None:
    assert len(cases_in(CASES)) > 10
    assert all(read_folder(CASES / name / "expected") for name in cases_in(CASES))
