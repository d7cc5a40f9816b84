"""Releases recorded and compared: each folder of testdata/history is a case, see tests/support/transcripts.py.

In addition to the runs of cases: a recording that is killed, and one on two branches.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, PIPE

import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT
from tests.support.goldens import read_folder
from tests.support.transcripts import Stage, cases_in

CASES = ROOT / "testdata" / "history"
FIRST = CASES / "fields" / "1.0"
SECOND = CASES / "fields" / "1.1"
STEP = 3  # calls between two kills
KILLED = 9

# For each number n, run a process that ends at the n-th call for a file or a folder of the
# history. The runs are forks of a process that has run once in the folder "warm", so that all modules are imported.
_KILLER = """
import os, sys
from protoc_gen_crd.cli.main import main

def ends_after(left):
    def hook(event, given):
        nonlocal left
        if event in CALLS and any(os.path.abspath(str(path)).startswith(HISTORY) for path in given[:2]):
            left -= 1
            if left < 0:
                os._exit(9)
    sys.addaudithook(hook)

CALLS = ("open", "os.mkdir", "os.rename", "os.rmdir", "os.remove")
HISTORY = os.path.abspath("history")
answers, sys.stdout = sys.stdout, sys.stderr
os.chdir("warm")
main(sys.argv[1:])
os.chdir("..")
for line in sys.stdin:
    if not (child := os.fork()):
        ends_after(int(line))
        os._exit(main(sys.argv[1:]))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), file=answers, flush=True)
"""


@pytest.mark.parametrize("name", cases_in(CASES))
def test_case(
    name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stage = Stage("history", monkeypatch, capsys)
    assert not (differences := stage.differences(CASES / name, tmp_path, update=update)), "\n".join(differences)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project that removes elements without deprecation."""
    shutil.copy(CASES / "fields" / "protoc-gen-crd.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_kill_leaves_the_old_history_or_the_new_one(folder: Path) -> None:
    assert main(["history", "record", "1.0", str(FIRST), "--date", "2026-01-01"]) == 0
    old = _recorded(folder)
    shutil.copytree("history", "before")
    shutil.copytree("history", "warm/history")
    shutil.copy("protoc-gen-crd.yaml", "warm")
    assert main(["history", "record", "1.1", str(SECOND), "--date", "2026-02-01"]) == 0
    new = _recorded(folder)
    states = []
    with _killer("history", "record", "1.1", str(SECOND), "--date", "2026-02-01") as killed_at:
        for calls in range(0, 500, STEP):
            shutil.rmtree("history")
            shutil.copytree("before", "history")
            status = killed_at(calls)
            assert main(["history", "check"]) == 0
            states.append(_recorded(folder))
            assert states[-1] in (old, new)
            if status == 0:
                break
            assert status == KILLED
            assert main(["history", "record", "9.0", str(SECOND), "--date", "2026-02-01"]) == 0  # continues
    assert states[0] == old
    assert states[-1] == new
    assert len(states) > 5


@contextmanager
def _killer(*arguments: str) -> Iterator[Callable[[int], int]]:
    """Runs of a command that are killed at a call; the result is their exit status."""
    command = [sys.executable, "-c", _KILLER, *arguments]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        sink, source = process.stdin, process.stdout

        def killed_at(call: int) -> int:
            sink.write(f"{call}\n")
            return int(source.readline())

        yield killed_at


def _recorded(folder: Path) -> dict[str, str]:
    """Return the releases; the next run updates the list of them."""
    files = read_folder(folder / "history").items()
    return {name: text for name, text in files if not name.startswith((".", "checksums.txt"))}


@pytest.mark.usefixtures("folder")
def test_two_branches_that_record_one_release_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed: install git")
    for name in ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "somebody")
    _git("init", "--quiet", "--initial-branch", "main", ".")
    _record_on("main", "1.0", FIRST, new=False)
    _record_on("one", "1.1", FIRST, new=True)
    _git("checkout", "--quiet", "main")
    _record_on("two", "1.1", SECOND, new=True)
    assert _git("merge", "one", check=False) != 0
    assert main(["history", "check"]) == 1  # and it is not committed by mistake


def _record_on(branch: str, release: str, api: Path, *, new: bool) -> None:
    if new:
        _git("checkout", "--quiet", "-b", branch)
    assert main(["history", "record", release, str(api), "--date", "2026-01-01"]) == 0
    _git("add", "history")
    _git("commit", "--quiet", "-m", f"{release} on {branch}")


def _git(*arguments: str, check: bool = True) -> int:
    return subprocess.run(["git", *arguments], check=check, capture_output=True, env=os.environ).returncode


def test_quiet_commands_do_the_same_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    statuses: dict[str, list[int]] = {}
    for flags in ("", "-q"):
        history = f"history{flags}"
        runs = (["record", "1.0", str(FIRST)], ["check", "1.1", str(SECOND)])
        statuses[flags] = [
            main(["history", *run, "--date", "2026-01-31", "--history", history, *flags.split()]) for run in runs
        ]
        assert (tmp_path / history / "1.0").is_dir()
        assert (capsys.readouterr().out == "") == bool(flags)
    assert statuses == {"": [0, 1], "-q": [0, 1]}
