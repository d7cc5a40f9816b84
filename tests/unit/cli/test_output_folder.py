from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from protoc_gen_crd.cli.output_folder import is_outside, lock_folder, read_content, write_files


def test_a_link_leads_out(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "up").symlink_to(tmp_path)
    (tmp_path / "out" / "same").symlink_to(tmp_path / "out")
    assert is_outside(tmp_path / "out", "up/a.yaml")
    assert not is_outside(tmp_path / "out", "same/a.yaml")


def test_a_link_to_itself_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("a")
    assert not is_outside(tmp_path, "a")
    with pytest.raises(OSError, match="symbolic links"):
        read_content(tmp_path / "a")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    with pytest.raises(OSError, match="a named pipe, not a regular file"):
        read_content(tmp_path / "a")


def test_files_are_written_with_their_folders_and_keep_their_mode(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o600)
    write_files(tmp_path, {"a": b"new", "b/c/d": b"deep"})
    assert (read_content(tmp_path / "a"), read_content(tmp_path / "b/c/d"), read_content(tmp_path / "x")) == (
        b"new",
        b"deep",
        None,
    )
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a", "b", "c", "d"]


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_files(tmp_path, {"link": b"new"})
    assert (tmp_path / "link").is_symlink()
    assert read_content(tmp_path / "real") == b"new"


def test_an_error_leaves_every_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "b").mkdir()
    with pytest.raises(IsADirectoryError):
        write_files(tmp_path, {"a": b"new", "b": b"new"})
    assert read_content(tmp_path / "a") == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_an_interrupt_leaves_every_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"old")
    write = Path.write_bytes

    def interrupted(path: Path, data: bytes) -> int:
        if data == b"second":
            write(path, data[:3])
            raise KeyboardInterrupt
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_files(tmp_path, {"a": b"new", "b": b"second"})
    assert (read_content(tmp_path / "a"), list(tmp_path.iterdir())) == (b"old", [tmp_path / "a"])


def test_an_error_leaves_no_new_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path, _: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    (tmp_path / "old").mkdir()
    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OSError, match="No space left"), lock_folder(tmp_path / "out"):
        write_files(tmp_path / "out", {"a/b/c": b"", "a/d/e": b"", "../old/new/f": b""})
    assert list(tmp_path.rglob("*")) == [tmp_path / "old"]


def test_a_lock_leaves_no_empty_folder(tmp_path: Path) -> None:
    with lock_folder(tmp_path / "new" / "out"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_replaced_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(temporary: Path, target: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted", str(temporary), None, str(target))

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(PermissionError) as error:
        write_files(tmp_path, {"a": b"new"})
    assert (error.value.filename, error.value.filename2) == (str(tmp_path / "a"), None)
