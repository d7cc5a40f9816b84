from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest

from protoc_gen_crd.base import output_files


class FullDisk(io.FileIO):
    """A file of which two bytes fit on the disk."""

    def write(self, data: bytes) -> int:  # type: ignore[override]
        super().write(data[:2])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_an_incomplete_file_is_removed_if_it_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old").write_bytes(b"before")
    monkeypatch.setattr(output_files, "open", FullDisk, raising=False)
    for name in ("old", "new"):
        with pytest.raises(OSError, match=f"No space left on device: '{tmp_path / name}'"):
            output_files.write_file(tmp_path / name, b"after")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"old": b""}
