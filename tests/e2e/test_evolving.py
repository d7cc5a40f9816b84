"""examples/evolving is what six releases leave behind, each made of the files in testdata/evolving."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.kubernetes.version_ranges import parse_release
from tests.conftest import ROOT
from tests.support.goldens import compare, read_folder

EXAMPLE = ROOT / "examples" / "evolving"
RELEASES = sorted(
    (path for path in (ROOT / "testdata" / "evolving").iterdir() if path.is_dir()),
    key=lambda path: parse_release(path.name) or (),
)
BY_HAND = ("README.md",)
MAKE = (("generate", "--prune"), ("samples", "--prune"))  # what is committed beside the protos before a release
DOCS = ("docs", "--prune")  # and after it


def run(*command: str) -> None:
    assert main(list(command)) == 0, command


def lead(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Live the life of the API in a folder: edit, generate, record, six times."""
    for release in RELEASES:
        shutil.rmtree(folder / "proto", ignore_errors=True)
        shutil.copytree(release, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("date"))
        for command in MAKE:
            run(*command)
        run("history", "record", release.name, "--date", (release / "date").read_text().strip())
    run(*DOCS)
    capsys.readouterr()
    run("history", "changelog")
    (folder / "CHANGELOG.md").write_text(capsys.readouterr().out)


def test_six_releases_make_the_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], update: bool
) -> None:
    assert len(RELEASES) == 6
    monkeypatch.chdir(tmp_path)
    lead(tmp_path, capsys)
    files = read_folder(tmp_path)
    kept = {name: (EXAMPLE / name).read_text() for name in BY_HAND if (EXAMPLE / name).exists()}
    assert not (differences := compare(EXAMPLE, {**files, **kept}, update=update)), "\n".join(differences)


def test_the_history_is_shown_without_arguments(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(EXAMPLE)
    run("history", "show")
    assert capsys.readouterr().out.startswith("platform.acme.example/Database ")


@pytest.mark.parametrize("command", [*MAKE, DOCS, ("history",)], ids=lambda command: command[0])
def test_all_is_up_to_date(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE)
    run(command[0], "check" if command[0] == "history" else "--check")
