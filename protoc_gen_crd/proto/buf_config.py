"""Reader of the modules that a buf.yaml or buf.work.yaml declares: their roots and excludes.

Source: buf.build/docs/configuration (v1beta1, v1, and v2 of buf.yaml, v1 of buf.work.yaml). Dependencies from a
registry are not resolved: an image of `buf build` contains them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.findings.finding import Location, Problems

ConfigPath = tuple[str | int, ...]
_VERSIONS = ("v1beta1", "v1", "v2")
_CONFIGS = ("buf.work.yaml", "buf.yaml", ".git")


class BufModules(Record):
    """The folders that file names are relative to, and the excluded folders below them."""

    roots: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()


def find_config_folders(folders: Iterable[Path]) -> list[Path]:
    """Return the nearest folder with a configuration, or the root of a repository, of each folder; equal ones once.

    They have the same modules as the folders. Folders without one are unchanged.
    """
    nearest: dict[Path, Path | None] = {}

    def find(folder: Path) -> Path | None:
        if folder not in nearest:
            has_config = any((folder / name).exists() for name in _CONFIGS)
            parent = folder.parent if folder.is_absolute() else resolve_links(folder).parent
            nearest[folder] = folder if has_config else find(parent) if parent != folder else None
        return nearest[folder]

    return list(dict.fromkeys(find(folder) or folder for folder in folders))


def find_modules(start: Path, problems: Problems) -> BufModules:
    """Return the modules of the workspace of a folder, or else the module; no roots if there is no configuration."""
    module = BufModules()
    for folder in (start, *resolve_links(start).parents):
        workspace = folder / "buf.work.yaml"
        if workspace.is_file():
            config = _read_config(workspace, problems)
            directories = _resolve_folders(folder, config.read_strings("directories"), config, "directories")
            return BufModules(
                directories, tuple([path for root in directories for path in _find_excluded(root, problems)])
            )
        file = folder / "buf.yaml"
        if file.is_file():
            config = _read_config(file, problems)
            if config.read_version() == "v2":
                modules = list(config.read_mappings("modules")) or [config.get_child({})]
                paths = [str(child.value.get("path", ".")) for child in modules]
                excludes = [path for child in modules for path in child.read_strings("excludes")]
                return BufModules(
                    _resolve_folders(folder, paths, config, "modules"), tuple(_join_folders(folder, excludes))
                )
            module = module if module.roots else _parse_module(folder, config)
        if (folder / ".git").exists():
            break
    return module


def _parse_module(folder: Path, config: _ConfigMapping) -> BufModules:
    """Read the module of a buf.yaml of version v1 or v1beta1."""
    build = config.read_mapping("build")
    roots = _resolve_folders(folder, build.read_strings("roots") or ["."], build, "roots")
    return BufModules(roots, tuple(_join_folders(folder, build.read_strings("excludes"))))


def _find_excluded(root: str, problems: Problems) -> tuple[str, ...]:
    """Read the excludes of the module at a root of a workspace."""
    file = Path(root, "buf.yaml")
    return _parse_module(file.parent, _read_config(file, problems)).excludes if file.is_file() else ()


class _ConfigMapping:
    """A mapping of a configuration file. Values of a wrong type are reported and ignored."""

    def __init__(
        self,
        value: Mapping[str, Any],
        place: Callable[[ConfigPath], Location],
        problems: Problems,
        path: ConfigPath = (),
    ) -> None:
        self.value, self._place, self._problems, self._path = value, place, problems, path

    def get_child(self, value: Mapping[str, Any], *path: str | int) -> _ConfigMapping:
        """Return a mapping inside this one."""
        return _ConfigMapping(value, self._place, self._problems, (*self._path, *path))

    def report(self, message: str, *path: str | int) -> None:
        """Report a problem at a path."""
        self._problems.report("buf-config", message, self._place((*self._path, *path)))

    def read_version(self) -> str:
        """Return the version of the configuration, and report an unsupported one."""
        version = self.value.get("version", _VERSIONS[0])
        if version not in _VERSIONS:
            self.report(f'unsupported version "{version}" (supported: {", ".join(_VERSIONS)})', "version")
        return str(version)

    def read_mapping(self, name: str) -> _ConfigMapping:
        """Return the mapping with a name; empty if it is not set."""
        value = self.value.get(name)
        if value is not None and not isinstance(value, dict):
            self.report(f'"{name}" is not a mapping', name)
        return self.get_child(value if isinstance(value, dict) else {}, name)

    def read_mappings(self, name: str) -> Iterator[_ConfigMapping]:
        """Yield the mappings of a list."""
        for index, item in enumerate(self._read_items(name)):
            if isinstance(item, dict):
                yield self.get_child(item, name, index)
            else:
                self.report(f'item of "{name}" is not a mapping', name, index)

    def read_strings(self, name: str) -> list[str]:
        """Return the strings of a list."""
        return [str(item) for item in self._read_items(name)]

    def _read_items(self, name: str) -> list[Any]:
        value = self.value.get(name)
        if value is not None and not isinstance(value, list):
            self.report(f'"{name}" is not a list', name)
        return value if isinstance(value, list) else []


def _read_config(file: Path, problems: Problems) -> _ConfigMapping:
    """Read the mapping in a file. It is empty, with a finding, if the file cannot be read or has no mapping."""
    from protoc_gen_crd.yaml.reader import read  # noqa: PLC0415 - most projects do not use buf

    try:
        content = read_file(file).decode(errors="replace")
    except OSError as error:
        problems.report(
            "buf-config", f"cannot read the buf configuration: {error.strerror}", Location(_format_path(file))
        )
        content = ""
    for document in read(content, _format_path(file)):
        if not document.error and isinstance(document.value, dict):
            return _ConfigMapping(document.value, document.get_place, problems)
        problems.report("buf-config", "buf configuration is not a YAML mapping", document.get_place(()))
    return _ConfigMapping({}, lambda _: Location(_format_path(file)), problems)


def _resolve_folders(base: Path, names: Sequence[str], config: _ConfigMapping, *path: str) -> tuple[str, ...]:
    """Return the folders of a list as paths from the working folder. Missing folders are findings."""
    folders: list[str] = []
    for index, name in enumerate(names):
        folder = base / name
        if folder.is_dir():
            folders.append(_format_path(folder))
        else:
            config.report(f'module of the buf configuration is not a folder: "{_format_path(folder)}"', *path, index)
    return tuple(folders)


def _join_folders(base: Path, names: Sequence[str]) -> list[str]:
    """Return the folders of a list, whether or not they exist."""
    return [_format_path(base / name) for name in names]


def _format_path(path: Path) -> str:
    return os.path.relpath(path) if not path.is_absolute() or path.is_relative_to(Path.cwd()) else str(path)
