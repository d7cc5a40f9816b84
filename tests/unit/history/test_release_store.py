"""Recorded releases whose files were replaced."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.release_store import load_releases, record_release, remove_interrupted
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


@pytest.mark.parametrize("failing", ["api.json", "release.json", ".checksums.txt.tmp", "..gitattributes.tmp"])
def test_a_recording_that_fails_leaves_the_folder_as_it_was(
    failing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(path: Path, data: bytes) -> None:
        path.write_bytes(data)
        if path.name == failing:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    record_release(tmp_path, "1.0", "2026-01-31", {"api.json": "{}"}, None)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    monkeypatch.setattr("protoc_gen_crd.history.release_store.write_file", write)
    with pytest.raises(OSError, match="No space left"):
        record_release(tmp_path, "1.1", "2026-02-28", {"api.json": "{}"}, None)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gitattributes", "1.0", "checksums.txt"]
