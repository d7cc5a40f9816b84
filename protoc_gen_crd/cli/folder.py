"""The output folder: files are replaced all together or not at all, and nothing is written outside of it."""

from __future__ import annotations

import os
import shutil
import signal
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path


def leaves(folder: Path, name: str) -> bool:
    """Whether a file would not lie below the folder because of a link on its way."""
    return not Path(os.path.realpath(folder / name)).is_relative_to(os.path.realpath(folder))


def content(path: Path) -> bytes | None:
    """What a file holds, None where there is none. Raises OSError for what cannot be read, or is no file."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(0, "a file is wanted here, found a device, a pipe or a socket", str(path))
    return path.read_bytes()


def write_files(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files by name. Until all are complete under temporary names, no old file is touched. Raises OSError."""
    staged: dict[Path, Path] = {}
    try:
        for name, data in contents.items():
            target = Path(os.path.realpath(folder / name))
            target.parent.mkdir(parents=True, exist_ok=True)
            staged[target] = target.parent / f".protoc-gen-crd-{os.getpid()}-{len(staged)}.tmp"
            _stage(staged[target], target, data)
        with _undisturbed():
            for target, temporary in staged.items():
                temporary.replace(target)
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)


def _stage(temporary: Path, target: Path, data: bytes) -> None:
    if target.is_dir():
        raise IsADirectoryError(21, "a folder stands where a file should be written", str(target))
    try:
        temporary.write_bytes(data)
    except OSError as error:  # of a full disk it does not say where
        raise OSError(error.errno, error.strerror, str(target)) from None
    if target.exists():
        shutil.copymode(target, temporary)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Let other runs into the folder wait, where the system has locks; a folder that cannot be opened is told later."""
    try:
        import fcntl  # not every system has it

        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let signals wait, where the system can: between two files an interrupt would leave half of the new ones."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
