"""Reading of input files, without waiting for a writer and with a limit on their size.

Every file is read here, so that a device, a socket, a named pipe or a file that is too large is an error with its path.
"""

from __future__ import annotations

import os
import stat
from typing import BinaryIO

LARGEST = 2**27  # bytes of a file; the largest known inputs have a tenth of it

_CHUNK = 2**20
_KINDS = (
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISFIFO, "a named pipe"),
)
_ANONYMOUS = ("/proc/", "/dev/fd/")  # pipes such as those of a shell's <(command), which have a writer


def check_file(path: str | os.PathLike[str], *, pipes: bool = False, limit: int = LARGEST) -> int:
    """Return the mode of a file or folder.

    Args:
        path: The path.
        pipes: Whether a pipe without a name is accepted as a file.
        limit: The maximum size in bytes.

    Raises:
        OSError: The path is neither a file nor a folder, or the file is too large.
    """
    status = os.stat(path)  # noqa: PTH116 - its error has the path as the user wrote it
    kind = next((name for test, name in _KINDS if test(status.st_mode)), None)
    if stat.S_ISFIFO(status.st_mode) and pipes and os.path.realpath(path).startswith(_ANONYMOUS):
        kind = None
    if kind:
        raise OSError(0, f"{kind}, not a regular file", os.fspath(path))
    if stat.S_ISREG(status.st_mode) and status.st_size > limit:
        raise _too_large(path, limit)
    return status.st_mode


def read_file(path: str | os.PathLike[str], *, pipes: bool = False, limit: int = LARGEST) -> bytes:
    """Return the bytes of a file.

    Args:
        path: The path.
        pipes: Whether a pipe without a name is accepted as a file.
        limit: The maximum size in bytes.

    Raises:
        OSError: `check_file` rejects the path, or the file cannot be read.
    """
    check_file(path, pipes=pipes, limit=limit)
    with open(path, "rb") as file:  # noqa: PTH123 - a plugin run has no other use for pathlib
        return read_stream(file, path, limit=limit)


def read_text(path: str | os.PathLike[str], *, pipes: bool = False) -> str:
    """Return the content of a file as a string.

    Raises:
        OSError: `check_file` rejects the path, the file cannot be read, or it is not UTF-8.
    """
    try:
        return read_file(path, pipes=pipes).decode()
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise OSError(0, f"not UTF-8 in line {line}", os.fspath(path)) from None


def read_stream(stream: BinaryIO, name: str | os.PathLike[str], *, limit: int = LARGEST) -> bytes:
    """Return the rest of a stream. Raises OSError for one that does not end within the limit."""
    parts: list[bytes] = []
    size = 0
    while part := stream.read(_CHUNK):
        size += len(part)
        if size > limit:
            raise _too_large(name, limit)
        parts.append(part)
    return b"".join(parts)


def _too_large(path: str | os.PathLike[str], limit: int) -> OSError:
    return OSError(0, f"larger than {limit >> 20} MiB", os.fspath(path))
