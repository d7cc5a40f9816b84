"""The modules that a buf.yaml or buf.work.yaml declares for a folder: where they start, and what they leave out.

Source: buf.build/docs/configuration (v1beta1, v1 and v2 of buf.yaml, v1 of buf.work.yaml). Dependencies from a
registry are not resolved: an image made by `buf build` holds them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.record import Record


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
            directories = _folders(folder, _read(workspace, problems).get("directories"), problems)
            return Modules(directories, tuple([path for root in directories for path in _excluded(root, problems)]))
        file = folder / "buf.yaml"
        if file.is_file():
            value = _read(file, problems)
            if value.get("version") == "v2":
                modules = _mappings(value.get("modules")) or [{}]
                paths = [str(one.get("path", ".")) for one in modules]
                excludes = [path for one in modules for path in _texts(one.get("excludes"))]
                return Modules(_folders(folder, paths, problems), tuple(_below(folder, excludes)))
            module = module if module.roots else _module(folder, value, problems)
        if (folder / ".git").exists():
            break
    return module


def _module(folder: Path, value: Mapping[str, Any], problems: Problems) -> Modules:
    """What a buf.yaml of version v1 or v1beta1 says of its folder."""
    given = value.get("build")
    build = given if isinstance(given, dict) else {}
    return Modules(
        _folders(folder, build.get("roots") or ["."], problems), tuple(_below(folder, _texts(build.get("excludes"))))
    )


def _excluded(root: str, problems: Problems) -> tuple[str, ...]:
    """What the module at a root of a workspace leaves out."""
    file = Path(root, "buf.yaml")
    return _module(file.parent, _read(file, problems), problems).excludes if file.is_file() else ()


def _read(file: Path, problems: Problems) -> dict[str, Any]:
    """The mapping in a file, empty with a finding if it holds none."""
    from protoc_gen_crd.base.yamlread import read  # noqa: PLC0415 - most projects are not laid out by buf

    for document in read(file.read_text("utf-8", errors="replace"), _shown(file)):
        if not document.error and isinstance(document.value, dict):
            return document.value
        problems.report("buf-config", "buf's configuration must be a YAML mapping", document.place(()))
    return {}


def _folders(base: Path, names: object, problems: Problems) -> tuple[str, ...]:
    """The folders of a list, as paths from the working folder; one that is not there is a finding."""
    found: list[str] = []
    for name in _texts(names):
        folder = base / name
        if folder.is_dir():
            found.append(_shown(folder))
        else:
            problems.report(
                "buf-config", f'a module of buf\'s configuration must be a folder, found "{_shown(folder)}"'
            )
    return tuple(found)


def _below(base: Path, names: Sequence[str]) -> list[str]:
    """Folders of a list that need not be there."""
    return [_shown(base / name) for name in names]


def _texts(names: object) -> list[str]:
    return [str(name) for name in names] if isinstance(names, list) else []


def _mappings(values: object) -> list[dict[str, Any]]:
    return [value for value in values if isinstance(value, dict)] if isinstance(values, list) else []


def _shown(path: Path) -> str:
    return os.path.relpath(path) if not path.is_absolute() or path.is_relative_to(Path.cwd()) else str(path)
