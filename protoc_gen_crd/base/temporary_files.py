"""Temporary files and folders with the process in their names, so that those of killed runs can be removed."""

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
    """Return the prefix of the names of temporary files and folders of this process."""
    return f"{PREFIX}{_host()}-{os.getpid()}-"


def is_stale(path: str, *, expires: bool = True) -> bool:
    """Return whether a temporary file belongs to a run that has ended.

    Processes of other machines or containers are invisible: with `expires`, their files are stale after a day.
    """
    name = _NAME.fullmatch(os.path.basename(path))  # noqa: PTH119
    if name is None:
        return False
    try:
        status = os.lstat(path)
    except OSError:
        return False
    if os.name == "posix" and status.st_uid != os.getuid():
        return False
    if name["host"] == _host() and not _is_alive(int(name["pid"])):
        return True
    return expires and time.time() - status.st_mtime > _DAY


def temporary_folder() -> TemporaryDirectory[str]:
    """Return a new folder for this run, after those of killed runs are removed."""
    import shutil  # noqa: PLC0415 - not used in plugin runs
    import tempfile  # noqa: PLC0415

    root = tempfile.gettempdir()
    for entry in os.scandir(root):
        if PREFIX in entry.name and entry.is_dir(follow_symlinks=False) and is_stale(entry.path, expires=False):
            shutil.rmtree(entry.path, ignore_errors=True)
    return tempfile.TemporaryDirectory(prefix=run_prefix())


def _is_alive(pid: int) -> bool:
    if os.name != "posix":
        return True  # on Windows, signal 0 is not a check
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # a process of another user
    return True


@cache
def _host() -> str:
    """Return eight digits for the machine and container whose process ids this process sees."""
    import platform  # noqa: PLC0415 - plugin runs write no files

    try:
        space = os.readlink("/proc/self/ns/pid")  # noqa: PTH115
    except OSError:
        space = ""
    return f"{crc32(f'{platform.node()} {space}'.encode()):08x}"
