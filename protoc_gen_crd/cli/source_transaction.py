"""Writing of edited sources: all files or none, and back to the old contents unless the change is kept."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from protoc_gen_crd.cli.output_folder import read_content, write_files
from protoc_gen_crd.findings.finding import Location, Problems


class SourceTransaction:
    """A change of files by path; None for a removed file."""

    def __init__(self, contents: Mapping[str, bytes | None]) -> None:
        self._new = dict(contents)
        self._old = {path: read_content(Path(path)) for path in contents}
        self._folders = [folder for path in contents for folder in Path(path).parents if not folder.exists()]
        self.is_kept = False

    def check_writable(self, problems: Problems) -> None:
        """Report files that are read-only."""
        for path, content in self._old.items():
            if content is not None and not Path(path).stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
                message = "file is read-only"
                problems.report("edit-source", message, Location(path), hint="make it writable, or check it out first")

    def list_lines(self) -> Iterator[str]:
        """Yield a line for each changed file."""
        for path, content in sorted(self._new.items()):
            if content != self._old[path]:
                yield f"{'removed' if content is None else 'wrote'} {path}"

    @property
    def removed_paths(self) -> frozenset[str]:
        """The files that are removed."""
        return frozenset(path for path, content in self._new.items() if content is None)

    def list_new_paths(self, suffix: str) -> list[str]:
        """Return the new files with a suffix."""
        return [path for path in self._new if path.endswith(suffix) and self._old[path] is None]

    def apply(self) -> None:
        """Write the new contents. Raises OSError."""
        _write(self._new)

    def keep(self) -> None:
        """Keep the new contents, and remove the folders of removed files that are empty."""
        self.is_kept = True
        for path in self.removed_paths:
            folder = Path(path).parent
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()

    def restore(self) -> None:
        """Write the old contents, and remove what is new. Raises OSError."""
        _write({path: old for path, old in self._old.items() if read_content(Path(path)) != old})
        for folder in sorted(set(self._folders), key=lambda path: -len(path.parts)):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def _write(contents: Mapping[str, bytes | None]) -> None:
    write_files(Path(), {path: content for path, content in contents.items() if content is not None})
    for path, content in contents.items():
        if content is None:
            Path(path).unlink(missing_ok=True)


@contextmanager
def applied(transaction: SourceTransaction) -> Iterator[None]:
    """Apply a transaction, and restore the files at the end unless it is kept."""
    try:
        transaction.apply()
        yield
    finally:
        if not transaction.is_kept:
            transaction.restore()
