"""The output folder: files are replaced all together or not at all, and nothing is written outside of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath


def leaves(folder: Path, name: str) -> bool:
    """Whether a file of this name would not lie below the folder, by its name or by a link on its way."""
    if not PurePosixPath(name).parts or PureWindowsPath(name).anchor or set("\\\0\n") & set(name):
        return True
    return ".." in name.split("/") or not (folder / name).resolve().is_relative_to(folder.resolve())


def content(path: Path) -> bytes | None:
    """What a file holds, None where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def write_files(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files by name. Until all are complete under temporary names, no old file is touched. Raises OSError."""
    staged: dict[Path, Path] = {}
    try:
        for name, data in contents.items():
            target = (folder / name).resolve()
            target.parent.mkdir(parents=True, exist_ok=True)
            staged[target] = target.parent / f".protoc-gen-crd-{os.getpid()}-{len(staged)}.tmp"
            _stage(staged[target], target, data)
        for target, temporary in staged.items():
            temporary.replace(target)
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)


def _stage(temporary: Path, target: Path, data: bytes) -> None:
    if target.is_dir():
        raise IsADirectoryError(21, "a folder stands where a file should be written", str(target))
    temporary.write_bytes(data)
    if target.exists():
        shutil.copymode(target, temporary)
