"""The fewest folders and files that contain a set of files and none of another. Paths are relative, with slashes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import PurePosixPath

TOP = PurePosixPath()


def cover_files(files: Iterable[str], excluded: Collection[str] = ()) -> tuple[str, ...]:
    """Return the folders of files, without nested ones. Files replace a folder with an excluded file, and the top."""
    paths = [PurePosixPath(file) for file in files]
    barred = {TOP, *(folder for file in excluded for folder in PurePosixPath(file).parents)}
    covers = {path if path.parent in barred else path.parent for path in paths}
    return tuple(sorted(str(path) for path in covers if covers.isdisjoint(path.parents)))


def find_proto_root(file: str, package: str) -> str:
    """Return the folder that a .proto file is imported from: its own without the one of its package.

    At the top of a repository, that is the first folder of the package, and the file itself if it has none.
    """
    path = PurePosixPath(file)
    parts, names = path.parent.parts, tuple(package.split("."))
    own = parts[: -len(names)] if parts[-len(names) :] == names else parts
    return str(PurePosixPath(*(own or parts[:1] or path.parts)))


def drop_nested(paths: Iterable[str]) -> tuple[str, ...]:
    """Return sorted paths without those inside of others."""
    unique = {PurePosixPath(path) for path in paths}
    return tuple(sorted(str(path) for path in unique if unique.isdisjoint(path.parents)))


def is_below(file: str, path: str) -> bool:
    """Return whether a path is a file or a folder that contains it."""
    return PurePosixPath(file).is_relative_to(path)
