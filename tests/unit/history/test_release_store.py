"""Recorded releases whose files were replaced."""

from __future__ import annotations

import shutil
from pathlib import Path

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.release_store import load_releases, remove_interrupted
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


def test_what_an_interrupted_recording_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".1.2.tmp" / "crds").mkdir(parents=True)
    for name in (".checksums.txt.tmp", "..gitattributes.tmp", ".mine.tmp"):
        (tmp_path / name).touch()
    remove_interrupted(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".mine.tmp"]
