"""Reference docs: each folder of testdata/docs is a case, see tests/support/transcripts.py.

A third-party Markdown parser verifies that every page is well formed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.markdown import faults
from tests.support.transcripts import Stage, cases_in

CASES = ROOT / "testdata" / "docs"
PAGES = sorted(path.relative_to(CASES).as_posix() for path in CASES.rglob("expected/**/*.md"))


@pytest.mark.parametrize("name", cases_in(CASES))
def test_case(
    name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Stage("docs", monkeypatch, capsys)
    assert not (differences := stage.differences(CASES / name, tmp_path, update=update)), "\n".join(differences)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_keeps_its_bounds(name: str) -> None:
    assert faults((CASES / name).read_text("utf-8")) == []
