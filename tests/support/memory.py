"""The folder of temporary files of all tests: in memory if possible."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")  # noqa: S108 - pytest creates folders of its own in it
_ROOM = 4 << 30  # bytes; tests need a tenth, and in a container the default of Docker is 64 MiB


def is_usable(folder: Path, room: int = _ROOM) -> bool:
    """Return whether a folder has room, and whether programs can be written to it and started."""
    try:
        status = os.statvfs(folder)
    except OSError:
        return False
    writable = os.access(folder, os.W_OK) and not status.f_flag & os.ST_NOEXEC
    return writable and status.f_bavail * status.f_frsize >= room


def use_memory() -> None:
    """Write temporary files to memory, unless the caller has set TMPDIR: tests write tens of thousands."""
    if "TMPDIR" not in os.environ and is_usable(_MEMORY):
        os.environ["TMPDIR"] = str(_MEMORY)
        tempfile.tempdir = None
