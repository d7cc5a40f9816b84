"""Sources are written all together or not at all, and restored unless the change is kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from protoc_gen_crd.cli.source_transaction import SourceTransaction, applied
from protoc_gen_crd.findings.finding import Problems
from tests.support.goldens import read_folder

CHANGE = {"a.txt": b"new", "old/b.txt": None, "new/deep/c.txt": b"c"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old").mkdir()
    (tmp_path / "a.txt").write_text("a")
    (tmp_path / "old" / "b.txt").write_text("b")
    return tmp_path


def test_a_change_that_is_kept(folder: Path) -> None:
    transaction = SourceTransaction(CHANGE)
    with applied(transaction):
        transaction.keep()
    assert read_folder(folder) == {"a.txt": "new", "new/deep/c.txt": "c"}
    assert not (folder / "old").exists()
    assert list(transaction.list_lines()) == ["wrote a.txt", "wrote new/deep/c.txt", "removed old/b.txt"]


def test_a_change_that_is_not_kept_leaves_nothing(folder: Path) -> None:
    before = read_folder(folder)
    with applied(SourceTransaction(CHANGE)):
        assert read_folder(folder) != before
    assert read_folder(folder) == before
    assert sorted(path.name for path in folder.iterdir()) == ["a.txt", "old"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_interrupt_restores_the_files(folder: Path, error: type[BaseException]) -> None:
    before = read_folder(folder)
    with pytest.raises(error), applied(SourceTransaction(CHANGE)):
        raise error
    assert read_folder(folder) == before


def test_a_write_that_fails_changes_nothing(folder: Path) -> None:
    (folder / "new").write_text("a file where a folder is needed")
    before = read_folder(folder)
    with pytest.raises(OSError, match="new"), applied(SourceTransaction(CHANGE)):
        pytest.fail("the change was applied")
    assert read_folder(folder) == before


def test_read_only_files_are_reported(folder: Path) -> None:
    (folder / "a.txt").chmod(0o444)
    (folder / "old" / "b.txt").chmod(0o444)
    SourceTransaction(CHANGE).check_writable(problems := Problems())
    assert [(finding.rule, str(finding.at)) for finding in problems.findings] == [
        ("edit-source", "a.txt"),
        ("edit-source", "old/b.txt"),
    ]


def test_the_mode_of_a_file_stays(folder: Path) -> None:
    os.chmod(folder / "a.txt", 0o640)  # noqa: PTH101
    transaction = SourceTransaction(CHANGE)
    with applied(transaction):
        transaction.keep()
    assert (folder / "a.txt").stat().st_mode & 0o777 == 0o640
