"""Temporary files and folders whose names say which run they belong to, so that those of killed runs can be removed."""

from __future__ import annotations

import os
import re
import time
from functools import cache
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

PREFIX = "protoc-gen-crd-"
_NAME = re.compile(r"\.?protoc-gen-crd-(?P<host>[0-9a-f]{8})-(?P<pid>\d+)-.*")
_DAY = 86_400.0  # seconds; no run takes as long to write its files


def run_prefix() -> str:
    """Return what the names of temporary files and folders of this process begin with."""
    return f"{PREFIX}{_host()}-{os.getpid()}-"


def is_stale(path: str, *, expires: bool = True) -> bool:
    """Check whether a temporary file of ours is of a run that has ended.

    Processes of another machine or container cannot be seen: their files are stale after a day, if they expire.
    """
    name = _NAME.fullmatch(os.path.basename(path))  # noqa: PTH119
    if name is None:
        return False
    try:
        found = os.lstat(path)
    except OSError:
        return False
    if os.name == "posix" and found.st_uid != os.getuid():
        return False
    if name["host"] == _host() and not _is_alive(int(name["pid"])):
        return True
    return expires and time.time() - found.st_mtime > _DAY


def temporary_folder() -> TemporaryDirectory[str]:
    """Return a new folder for this run, after those of killed runs are removed."""
    import shutil  # noqa: PLC0415 - a plugin run has no use for it
    import tempfile  # noqa: PLC0415

    root = tempfile.gettempdir()
    for entry in os.scandir(root):
        if entry.is_dir(follow_symlinks=False) and is_stale(entry.path, expires=False):
            shutil.rmtree(entry.path, ignore_errors=True)
    return tempfile.TemporaryDirectory(prefix=run_prefix())


def _is_alive(pid: int) -> bool:
    if os.name != "posix":
        return True  # there, signal 0 is not a question
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # of another user
    return True


@cache
def _host() -> str:
    """Return eight digits for the machine and container whose process ids this process sees."""
    import platform  # noqa: PLC0415 - a plugin run writes no files

    try:
        space = os.readlink("/proc/self/ns/pid")  # noqa: PTH115
    except OSError:
        space = ""
    return f"{crc32(f'{platform.node()} {space}'.encode()):08x}"
