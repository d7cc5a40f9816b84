"""Recorded releases whose files were replaced."""

from __future__ import annotations

import shutil
from pathlib import Path

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.release_store import load_releases
from tests.conftest import ROOT

RECORDED = ROOT / "testdata" / "history" / "breaks" / "expected" / "history"


def test_a_folder_in_place_of_a_recorded_file(tmp_path: Path) -> None:
    folder, problems = tmp_path / "history", Problems()
    shutil.copytree(RECORDED, folder)
    release = min(path for path in folder.iterdir() if path.is_dir())
    (release / "api.json").unlink()
    (release / "api.json").mkdir()
    load_releases(folder, problems)
    messages = [finding.message for finding in problems.findings]
    assert f'"api.json" of release {release.name} is a folder' in messages
