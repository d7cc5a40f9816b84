"""Releases recorded and compared: each folder of testdata/history is a case, see tests/support/transcripts.py.

Besides the case's runs: a recording that is killed, and one that two branches make.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT
from tests.support.goldens import read_folder
from tests.support.transcripts import Stage, cases_in

CASES = ROOT / "testdata" / "history"
FIRST = CASES / "fields" / "1.0"
SECOND = CASES / "fields" / "1.1"

# Ends the process at the n-th call that touches a file or a folder of the history.
_KILLED = """
import os, sys
left = int(sys.argv.pop(1))
def hook(event, given):
    global left
    if event in ("open", "os.mkdir", "os.rename", "os.rmdir", "os.remove") and "history" in str(given[0]):
        left -= 1
        if left < 0:
            os._exit(9)
sys.addaudithook(hook)
from protoc_gen_crd.__main__ import main
main()
"""


@pytest.mark.parametrize("name", cases_in(CASES))
def test_case(
    name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Stage("history", monkeypatch, capsys)
    assert not (differences := stage.differences(CASES / name, tmp_path, update=update)), "\n".join(differences)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that takes away what it likes."""
    shutil.copy(CASES / "fields" / "protoc-gen-crd.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_kill_leaves_the_old_history_or_the_new_one(folder: Path) -> None:
    assert main(["history", "record", "1.0", str(FIRST), "--date", "2026-01-01"]) == 0
    old = _recorded(folder)
    shutil.copytree("history", "before")
    assert main(["history", "record", "1.1", str(SECOND), "--date", "2026-02-01"]) == 0
    new = _recorded(folder)
    states = []
    for calls in range(0, 500, 5):
        shutil.rmtree("history")
        shutil.copytree("before", "history")
        arguments = ["history", "record", "1.1", str(SECOND), "--date", "2026-02-01"]
        done = subprocess.run([sys.executable, "-c", _KILLED, str(calls), *arguments], check=False, capture_output=True)
        assert main(["history", "check"]) == 0
        states.append(_recorded(folder))
        assert states[-1] in (old, new)
        if done.returncode == 0:
            break
        assert main(["history", "record", "9.0", str(SECOND), "--date", "2026-02-01"]) == 0  # goes on
    assert states[0] == old
    assert states[-1] == new
    assert len(states) > 5


def _recorded(folder: Path) -> dict[str, str]:
    """The releases; the list of them is brought up to date by the next run."""
    files = read_folder(folder / "history").items()
    return {name: text for name, text in files if not name.startswith((".", "releases.sum"))}


@pytest.mark.usefixtures("folder")
def test_two_branches_that_record_one_release_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "somebody")
    _git("init", "--quiet", "--initial-branch", "main", ".")
    _record_on("main", "1.0", FIRST, new=False)
    _record_on("one", "1.1", FIRST, new=True)
    _git("checkout", "--quiet", "main")
    _record_on("two", "1.1", SECOND, new=True)
    assert _git("merge", "one", check=False) != 0
    assert main(["history", "check"]) == 1  # and nobody commits it by mistake


def _record_on(branch: str, release: str, api: Path, *, new: bool) -> None:
    if new:
        _git("checkout", "--quiet", "-b", branch)
    assert main(["history", "record", release, str(api), "--date", "2026-01-01"]) == 0
    _git("add", "history")
    _git("commit", "--quiet", "-m", f"{release} on {branch}")


def _git(*arguments: str, check: bool = True) -> int:
    return subprocess.run(["git", *arguments], check=check, capture_output=True, env=os.environ).returncode
