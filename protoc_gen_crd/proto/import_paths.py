"""Import paths: the folders that the names of .proto files are relative to.

They are set by the user or by buf.yaml, or derived from the files: from the names by which files import each other, and
from their packages. This module reads files and folders, not descriptors.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePath

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Problems

_IMPORT = re.compile(rb'^[ \t]*import[ \t]+(?:(?:public|weak|option)[ \t]+)?"([^"\n]+)"', re.MULTILINE)
_PACKAGE = re.compile(rb"^[ \t]*package[ \t]+([\w.]+)[ \t]*;", re.MULTILINE)


class ImportLayout(Record):
    """Files to compile, as paths by name, and the import paths of other files."""

    files: dict[str, str]
    import_paths: tuple[str, ...]


def resolve_layout(files: Sequence[str], import_paths: Sequence[str], problems: Problems) -> ImportLayout:
    """Return the names of files in the import paths; without import paths, the names that their imports suggest."""
    roots = [*import_paths]
    guess = _RootGuesser(files) if not roots else None
    names: dict[str, str] = {}
    for file in files:
        root = guess.find_root(file) if guess else next((path for path in roots if _contains(path, file)), None)
        if root is None:
            folders = ", ".join(f'"{path}"' for path in roots)
            problem = f"file is outside the import paths {folders}"
            hint = f"add --import-path {os.path.normpath(_RootGuesser([file]).find_root(file))}"
            problems.report("proto-path", problem, Location(file), hint=hint)
            continue
        name = PurePath(os.path.relpath(file, root)).as_posix()
        if name in names:
            message = f'duplicate file name "{name}", also the name of "{names[name]}"'
            hint = "pass the folder that file names are relative to with --import-path"
            problems.report("proto-path", message, Location(file), hint=hint)
        names[name] = file
    return ImportLayout(names, tuple(guess.find_roots(files) if guess else roots))


def select_import_paths(import_paths: Sequence[str], old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """Return the import paths of an older copy of .proto files, which has its own copies of the imports.

    They are those that contain the copy, or else the derived ones, and those that contain neither side. Without any,
    all are derived.
    """
    own = [path for path in import_paths if any(_contains(path, file) for file in old)]
    shared = [path for path in import_paths if path not in own and not any(_contains(path, file) for file in new)]
    if shared and not own:
        found = [[path] if Path(path).is_file() else map(str, Path(path).rglob("*.proto")) for path in old]
        sources = [file for files in found for file in files]
        own = _RootGuesser(sources).find_roots(sources)
    return (*own, *shared)


def exclude_import_paths(import_paths: Sequence[str], old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """Return the import paths without those that contain only the older copy of the files."""
    return tuple(
        path
        for path in import_paths
        if any(_contains(path, file) for file in new) or not any(_contains(path, file) for file in old)
    )


def _contains(folder: str, file: str) -> bool:
    return Path(os.path.abspath(file)).is_relative_to(os.path.abspath(folder))  # noqa: PTH100 - links stay links


class _RootGuesser:
    """Derives the root of every file from the import statements of the files and of their imports."""

    def __init__(self, files: Sequence[str]) -> None:
        self._absolute = any(os.path.isabs(file) for file in files)  # noqa: PTH117
        self._by_importer: dict[Path, Path] = {}
        self._by_imports: dict[Path, Path] = {}
        self._by_package: dict[Path, Path] = {}
        queue = [_make_absolute(file) for file in files]
        self._common = Path(os.path.commonpath([file.parent for file in queue])) if queue else Path()
        visited: set[Path] = set()
        for file in queue:
            if file not in visited:
                visited.add(file)
                queue += self._read_imports(file)

    def _read_imports(self, file: Path) -> list[Path]:
        """Read the package and imports of a file. Return the files that it imports."""
        content = read_file(file)
        package = _PACKAGE.search(content)
        steps = package[1].decode().split(".") if package else []
        if steps and list(file.parent.parts[-len(steps) :]) == steps:
            self._by_package[file] = file.parents[len(steps)]
        imported: list[Path] = []
        for name in _IMPORT.findall(content):
            path = os.fsdecode(name)
            root = next((folder for folder in file.parents if (folder / path).is_file()), None)
            if root:
                self._by_imports.setdefault(file, root)
                self._by_importer.setdefault(root / path, root)
                imported.append(root / path)
        return imported

    def find_root(self, file: str) -> str:
        """Return the folder that the name of a file is relative to."""
        path = _make_absolute(file)
        sources = (self._by_importer, self._by_imports, self._by_package)
        return self._format_folder(next((roots[path] for roots in sources if path in roots), self._common))

    def find_roots(self, files: Sequence[str]) -> list[str]:
        """Return all folders that names are relative to."""
        imported = (self._format_folder(root) for root in self._by_importer.values())
        return list(dict.fromkeys([*(self.find_root(file) for file in files), *imported]))

    def _format_folder(self, folder: Path) -> str:
        return str(folder) if self._absolute else os.path.relpath(folder)


def _make_absolute(file: str) -> Path:
    return Path(os.path.abspath(file))  # noqa: PTH100 - links stay links
