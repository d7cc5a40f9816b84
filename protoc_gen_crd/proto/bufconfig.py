"""The modules that a buf.yaml or buf.work.yaml declares for a folder: where they start, and what they leave out.

Source: buf.build/docs/configuration (v1beta1, v1 and v2 of buf.yaml, v1 of buf.work.yaml). Dependencies from a
registry are not resolved: an image made by `buf build` holds them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.record import Record

Steps = tuple[str | int, ...]
_VERSIONS = ("v1beta1", "v1", "v2")


class Modules(Record):
    """The folders that the names of files start from, and the folders below them that hold none of the user's files."""

    roots: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()


def modules_of(start: Path, problems: Problems) -> Modules:
    """The modules of the workspace around a folder, else the one around it; no roots where buf is not used."""
    module = Modules()
    for folder in (start, *start.resolve().parents):
        workspace = folder / "buf.work.yaml"
        if workspace.is_file():
            config = _read(workspace, problems)
            directories = _folders(folder, config.texts("directories"), config, "directories")
            return Modules(directories, tuple([path for root in directories for path in _excluded(root, problems)]))
        file = folder / "buf.yaml"
        if file.is_file():
            config = _read(file, problems)
            if config.version() == "v2":
                modules = list(config.mappings("modules")) or [config.under({})]
                paths = [str(one.value.get("path", ".")) for one in modules]
                excludes = [path for one in modules for path in one.texts("excludes")]
                return Modules(_folders(folder, paths, config, "modules"), tuple(_below(folder, excludes)))
            module = module if module.roots else _module(folder, config)
        if (folder / ".git").exists():
            break
    return module


def _module(folder: Path, config: _Config) -> Modules:
    """What a buf.yaml of version v1 or v1beta1 says of its folder."""
    build = config.mapping("build")
    roots = _folders(folder, build.texts("roots") or ["."], build, "roots")
    return Modules(roots, tuple(_below(folder, build.texts("excludes"))))


def _excluded(root: str, problems: Problems) -> tuple[str, ...]:
    """What the module at a root of a workspace leaves out."""
    file = Path(root, "buf.yaml")
    return _module(file.parent, _read(file, problems)).excludes if file.is_file() else ()


class _Config:
    """A mapping of a file. What has another shape than buf knows is reported, and counts as not given."""

    def __init__(
        self, value: Mapping[str, Any], place: Callable[[Steps], Location], problems: Problems, path: Steps = ()
    ) -> None:
        self.value, self._place, self._problems, self._path = value, place, problems, path

    def under(self, value: Mapping[str, Any], *path: str | int) -> _Config:
        """A mapping below this one."""
        return _Config(value, self._place, self._problems, (*self._path, *path))

    def report(self, message: str, *path: str | int) -> None:
        """Report what is wrong at a path."""
        self._problems.report("buf-config", message, self._place((*self._path, *path)))

    def version(self) -> str:
        """The version of the configuration."""
        given = self.value.get("version", _VERSIONS[0])
        if given not in _VERSIONS:
            self.report(f'"version" must be one of {", ".join(_VERSIONS)}, found "{given}"', "version")
        return str(given)

    def mapping(self, name: str) -> _Config:
        """The mapping of a name."""
        given = self.value.get(name)
        if given is not None and not isinstance(given, dict):
            self.report(f'"{name}" must be a mapping, found another value', name)
        return self.under(given if isinstance(given, dict) else {}, name)

    def mappings(self, name: str) -> Iterator[_Config]:
        """The mappings of a list."""
        for index, given in enumerate(self._items(name)):
            if isinstance(given, dict):
                yield self.under(given, name, index)
            else:
                self.report(f'"{name}" must hold mappings, found another value', name, index)

    def texts(self, name: str) -> list[str]:
        """The texts of a list."""
        return [str(given) for given in self._items(name)]

    def _items(self, name: str) -> list[Any]:
        given = self.value.get(name)
        if given is not None and not isinstance(given, list):
            self.report(f'"{name}" must be a list, found another value', name)
        return given if isinstance(given, list) else []


def _read(file: Path, problems: Problems) -> _Config:
    """The mapping in a file, empty with a finding if it holds none."""
    from protoc_gen_crd.base.yamlread import read  # noqa: PLC0415 - most projects are not laid out by buf

    for document in read(file.read_text("utf-8", errors="replace"), _shown(file)):
        if not document.error and isinstance(document.value, dict):
            return _Config(document.value, document.place, problems)
        problems.report("buf-config", "buf's configuration must be a YAML mapping", document.place(()))
    return _Config({}, lambda _: Location(_shown(file)), problems)


def _folders(base: Path, names: Sequence[str], config: _Config, *path: str) -> tuple[str, ...]:
    """The folders of a list, as paths from the working folder; one that is not there is a finding."""
    found: list[str] = []
    for index, name in enumerate(names):
        folder = base / name
        if folder.is_dir():
            found.append(_shown(folder))
        else:
            config.report(f'a module of buf\'s configuration must be a folder, found "{_shown(folder)}"', *path, index)
    return tuple(found)


def _below(base: Path, names: Sequence[str]) -> list[str]:
    """Folders of a list that need not be there."""
    return [_shown(base / name) for name in names]


def _shown(path: Path) -> str:
    return os.path.relpath(path) if not path.is_absolute() or path.is_relative_to(Path.cwd()) else str(path)
