"""The output folder. Files are replaced all together or not at all, and nothing is written outside of it."""

from __future__ import annotations

import glob
import os
import shutil
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePath

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.base.output_files import naming
from protoc_gen_crd.base.temporary_files import PREFIX, is_stale, run_prefix


def is_outside(folder: Path, name: str) -> bool:
    """Return whether a symbolic link leads a file out of the folder."""
    return bool(find_outside(folder, [name]))


def find_outside(folder: Path, names: Iterable[str]) -> list[str]:
    """Return the names of files that a symbolic link leads out of the folder."""
    root, parents = os.path.realpath(folder), dict[str, str]()
    outside = []
    for name in names:
        parent, base = os.path.split(name)
        if parent not in parents:
            parents[parent] = os.path.realpath(folder / parent)
        path = os.path.join(parents[parent], base)  # noqa: PTH118 - as realpath
        if not Path(os.path.realpath(path) if os.path.islink(path) else path).is_relative_to(root):  # noqa: PTH114
            outside.append(name)
    return outside


def read_content(path: Path) -> bytes | None:
    """Read a file, None if it does not exist. Raises OSError if it cannot be read."""
    try:
        return read_file(path)
    except FileNotFoundError:
        return None


def write_files(folder: Path, contents: Mapping[str, bytes], unchanged: Iterable[str] = ()) -> None:
    """Write files by name. Until all are complete under temporary names, no old file is touched. Raises OSError.

    The temporary files of killed runs are removed, also beside the `unchanged` files, which are not written.
    """
    targets = {Path(os.path.realpath(folder / name)): data for name, data in contents.items()}
    with _create_folders([target.parent for target in targets]):
        remove_temporary_files(Path(os.path.realpath(folder / name)).parent for name in (*contents, *unchanged))
        _replace_files(targets)


def _replace_files(targets: Mapping[Path, bytes]) -> None:
    staged: dict[Path, Path] = {}
    try:
        for target, data in targets.items():
            staged[target] = target.parent / f".{run_prefix()}{len(staged)}.tmp"
            _stage(staged[target], target, data)
        with _defer_signals():
            for target, temporary in staged.items():
                with naming(target):
                    temporary.replace(target)
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)


@contextmanager
def _create_folders(folders: Iterable[Path]) -> Iterator[None]:
    """Create folders. In the end, remove those that are still empty, such as after an error."""
    folders = list(dict.fromkeys(folders))
    missing = _find_missing(folders)
    try:
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
        yield
    finally:
        _remove_empty(missing)


def _find_missing(folders: Iterable[Path]) -> set[Path]:
    return {path for folder in folders for path in (folder, *folder.parents) if not path.exists()}


def _remove_empty(folders: Iterable[Path]) -> None:
    for path in sorted(folders, reverse=True):  # subfolders first
        with suppress(OSError):
            path.rmdir()


def remove_file(folder: Path, name: str) -> None:
    """Remove a file, the bytecode that Python cached for it, and the folders that are empty then. Raises OSError."""
    path = folder / name
    path.unlink()
    cache = path.parent / "__pycache__"
    if path.suffix == ".py" and not cache.is_symlink():
        for bytecode in cache.glob(f"{glob.escape(path.stem)}.*.pyc"):
            bytecode.unlink()
        with suppress(OSError):
            cache.rmdir()
    with suppress(OSError):  # of the first folder that is not empty
        for parent in path.parents[: len(PurePath(name).parts) - 1]:
            parent.rmdir()


def remove_temporary_files(folders: Iterable[Path]) -> None:
    """Remove the temporary files that killed runs left in folders."""
    for folder in dict.fromkeys(folders):
        for path in folder.glob(f".{PREFIX}*.tmp"):
            if is_stale(str(path)):
                with suppress(OSError):
                    path.unlink()


def _stage(temporary: Path, target: Path, data: bytes) -> None:
    if target.is_dir():
        raise IsADirectoryError(21, "is a folder, cannot write a file", str(target))
    with naming(target):
        temporary.write_bytes(data)
    if target.exists():
        shutil.copymode(target, temporary)


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock the folder against concurrent runs if the system has locks; errors are reported later."""
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl  # not every system has it

            missing = _find_missing([folder])
            stack.callback(_remove_empty, missing)  # if the folder cannot be opened
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)
            stack.callback(_remove_empty, missing)  # before the lock is released
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


@contextmanager
def _defer_signals() -> Iterator[None]:
    """Defer signals if the system supports it, so that an interrupt does not leave half of the new files."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
