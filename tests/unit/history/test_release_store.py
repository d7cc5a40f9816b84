"""Recorded releases whose files were replaced."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

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


@pytest.mark.parametrize("files", [[[1, "digest"]], {"api.json": ["digest"]}, {"api.json": None}, "api.json"])
def test_files_of_another_type_are_reported(files: Any, tmp_path: Path) -> None:
    folder, problems = tmp_path / "history", Problems()
    shutil.copytree(RECORDED, folder)
    index = min(folder.glob("*/release.json"))
    index.write_text(json.dumps({**json.loads(index.read_text()), "files": files}))
    load_releases(folder, problems)
    messages = [finding.message for finding in problems.findings]
    assert f"cannot read the index of release {index.parent.name}: a field has the wrong type" in messages


@pytest.mark.parametrize("name", ["/dev/zero", "../1.1/api.json", "\0"])
def test_a_recorded_name_outside_of_the_release_is_not_read(name: str, tmp_path: Path) -> None:
    folder, problems = tmp_path / "history", Problems()
    shutil.copytree(RECORDED, folder)
    index = min(folder.glob("*/release.json"))
    plain = json.loads(index.read_text())
    plain["files"][name] = "digest"
    index.write_text(json.dumps(plain))
    load_releases(folder, problems)
    messages = [finding.message for finding in problems.findings]
    assert f'"{name}" of release {index.parent.name} is missing' in messages


def test_what_an_interrupted_recording_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".1.2.tmp" / "crds").mkdir(parents=True)
    for name in (".checksums.txt.tmp", "..gitattributes.tmp", ".mine.tmp"):
        (tmp_path / name).touch()
    remove_interrupted(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".mine.tmp"]
