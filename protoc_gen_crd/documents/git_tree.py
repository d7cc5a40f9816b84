"""The inputs in a commit, copied to a folder: .proto files, descriptor sets, documents and settings.

The files have the bytes of the commit, whatever attributes and filters a checkout applies. Symbolic links to other
files of the commit are links in the folder too.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from protoc_gen_crd.base.checksums import MANIFEST, RELEASES
from protoc_gen_crd.base.descriptor_files import BINARY
from protoc_gen_crd.documents.git_repository import LINK, GitRepository

_SUFFIXES = (".proto", ".yaml", ".yml", ".json", ".toml", *BINARY)
_NAMES = (MANIFEST, RELEASES)


class GitTree:
    """A commit, its name in findings, and the folder with its files.

    `links` are the symbolic links that were not copied, since they lead to no input in the commit.
    """

    def __init__(self, repository: GitRepository, label: str, folder: Path, links: Sequence[str] = ()) -> None:
        self.label, self.folder, self.links = label, folder, links
        self._root = repository.root

    def find_path(self, path: str) -> str:
        """Return the copy of a path, whether or not it exists; empty outside the repository."""
        for name in (path, os.path.realpath(path)):
            relative = os.path.relpath(name, self._root)
            if not relative.startswith(os.pardir):
                return os.path.join(self.folder, relative)  # noqa: PTH118
        return ""

    def find_working_path(self, copy: str) -> str:
        """Return the path in the working folder of a copy."""
        return os.path.relpath(os.path.join(self._root, os.path.relpath(copy, self.folder)))  # noqa: PTH118

    def find_folder(self, name: str) -> str:
        """Return the copy of a path of the commit: from its root, or after `./` from the working folder."""
        if name in (".", "..") or name.startswith(("./", "../")):
            return self.find_path(name)
        relative = os.path.normpath(name.strip("/") or os.curdir)
        return "" if relative.startswith(os.pardir) else os.path.join(self.folder, relative)  # noqa: PTH118

    def list_folders(self) -> list[str]:
        """Return the paths of the folders of the commit."""
        names = (Path(folder).relative_to(self.folder).as_posix() for folder, _, _ in os.walk(self.folder))
        return [name for name in names if name != "." and not name.startswith(".git")]

    def format_name(self, path: str) -> str:
        """Return the name of a copied file in findings, `REF:PATH`, which `git show` accepts; other paths are kept."""
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - links stay links
        if not absolute.is_relative_to(self.folder):
            return path
        return f"{self.label}:{absolute.relative_to(self.folder).as_posix()}"


def copy_tree(repository: GitRepository, commit: str, label: str, folder: Path) -> GitTree:
    """Copy the inputs of a commit to an empty folder.

    Args:
        repository: The repository.
        commit: The object name of the commit.
        label: The name of the commit in locations, such as `git:v1.4.0`.
        folder: The folder.

    Raises:
        GitError: git cannot read the commit.
        OSError: The folder is not writable.
    """
    entries = [entry for entry in repository.list_entries(commit) if _is_safe(entry.path)]
    files = [entry for entry in entries if not entry.mode.startswith(LINK) and _is_input(entry.path)]
    links = [entry for entry in entries if entry.mode.startswith(LINK)]
    own = folder / ".git"  # searches for settings and modules in the folders above end here
    own.mkdir()
    repository.copy_objects(files, {entry.path: _make_parents(folder / entry.path) for entry in files})
    contents = {entry.path: own / str(index) for index, entry in enumerate(links)}
    repository.copy_objects(links, contents)
    for entry in links:
        _make_parents(folder / entry.path).symlink_to(os.fsdecode(contents[entry.path].read_bytes()))
    return GitTree(repository, label, folder, [entry.path for entry in links if _drop_broken_link(folder, entry.path)])


def _is_input(path: str) -> bool:
    name = PurePosixPath(path).name
    return name.lower().endswith(_SUFFIXES) or name in _NAMES


def _is_safe(path: str) -> bool:
    """Return whether a path stays in the folder and out of its .git; git itself creates no others."""
    return not {".", "..", ".git", ""} & set(path.lower().split("/"))


def _make_parents(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _drop_broken_link(folder: Path, path: str) -> bool:
    """Remove a symbolic link that leads out of the folder or to nothing in it. Return True if it was removed."""
    link = folder / path
    if link.exists() and link.resolve().is_relative_to(folder):
        return False
    link.unlink()
    return True
