"""Cases of a command: the output of its runs and the files that they write, compared byte for byte.

A case is a folder with the files of a run, optionally `arguments` with the arguments of one run per line, `stdin` with
standard input, and `expected/` with the transcript and the files that the runs changed.
"""

from __future__ import annotations

import io
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from protoc_gen_crd.__main__ import run
from tests.support.goldens import compare

_OURS = ("expected", "arguments", "stdin")


def cases_in(folder: Path) -> list[str]:
    """The names of the cases."""
    return sorted(path.name for path in folder.iterdir() if path.is_dir())


class Stage:
    """A folder in which commands run, in this process. Without a default command, each run specifies its own."""

    def __init__(self, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._command = command
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def differences(self, case: Path, work: Path, *, update: bool) -> list[str]:
        """Return the differences between the expected and the actual results of a case, run in a copy."""
        folder = work / "case"
        shutil.copytree(case, folder, ignore=shutil.ignore_patterns(*_OURS))
        (work / ".git").mkdir()
        before = _files(folder)
        files = {"transcript.txt": self._transcript(case, folder)}
        files |= {path: text for path, text in _files(folder).items() if before.get(path) != text}
        return compare(case / "expected", files, update=update)

    def _transcript(self, case: Path, folder: Path) -> str:
        runs, stdin = case / "arguments", case / "stdin"
        data = stdin.read_bytes() if stdin.exists() else b""
        self._monkeypatch.chdir(folder)
        return "".join(self._run(line, data) for line in (runs.read_text().splitlines() if runs.exists() else ["."]))

    def _run(self, line: str, data: bytes) -> str:
        arguments = f"{self._command} {line}" if self._command else line
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        self._monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", *shlex.split(arguments)])
        status = run()
        printed = self._capsys.readouterr()
        return f"$ protoc-gen-crd {arguments}\n{printed.err}{printed.out}[{status}]\n\n"


def _files(folder: Path) -> dict[str, str]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode(errors="surrogateescape") for path in paths}
