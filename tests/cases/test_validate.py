"""Documents to verdicts: each folder of testdata/validate is a case.

A case holds CRDs and documents, perhaps `arguments` with the arguments of one run of `validate` a line (without it, the
folder itself is judged), `stdin` with what comes from standard input, and `expected/` with the transcript of the runs
and the files that they changed.
"""

from __future__ import annotations

import io
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from protoc_gen_crd.__main__ import run
from tests.conftest import ROOT
from tests.support.goldens import compare, read_folder

CASES = ROOT / "testdata" / "validate"


def _cases() -> list[str]:
    return sorted(path.name for path in CASES.iterdir() if path.is_dir())


def transcript(case: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """What the runs of a case print, in a copy of it."""
    runs = case / "arguments"
    given = case / "stdin"
    monkeypatch.chdir(folder)
    text = ""
    for line in runs.read_text().splitlines() if runs.exists() else ["."]:
        data = given.read_bytes() if given.exists() else b""
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        monkeypatch.setattr(sys, "argv", ["protoc-gen-crd", "validate", *shlex.split(line)])
        status = run()
        printed = capsys.readouterr()
        text += f"$ protoc-gen-crd validate {line}\n{printed.err}{printed.out}[{status}]\n\n"
    return text


@pytest.mark.parametrize("name", _cases())
def test_case(
    name: str, update: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case, folder = CASES / name, tmp_path / "case"
    shutil.copytree(case, folder, ignore=shutil.ignore_patterns("expected", "arguments", "stdin"))
    (tmp_path / ".git").mkdir()
    before = files(folder)
    found = {"transcript.txt": transcript(case, folder, monkeypatch, capsys)}
    found |= {path: text for path, text in files(folder).items() if before.get(path) != text}
    assert not (differences := compare(case / "expected", found, update=update)), "\n".join(differences)


def files(folder: Path) -> dict[str, str]:
    """The text of every file."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode(errors="surrogateescape") for path in found}


def test_there_are_cases() -> None:
    assert len(_cases()) > 10
    assert all(read_folder(CASES / name / "expected") for name in _cases())
