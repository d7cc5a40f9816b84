"""Writing of files, with the path in all errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Add a path to errors of the operating system."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def write_file(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file. One that cannot be completed is removed if it is new, and emptied otherwise. Raises OSError."""
    is_new = not os.path.lexists(path)
    with naming(path), open(path, "wb") as file:  # noqa: PTH123 - a plugin run has no other use for pathlib
        try:
            file.write(data)
            file.flush()
        except OSError:
            with suppress(OSError):
                os.truncate(path, 0)  # an incomplete file could be mistaken for a complete one
            if is_new:
                with suppress(OSError):
                    os.unlink(path)  # noqa: PTH108 - as above
            raise
