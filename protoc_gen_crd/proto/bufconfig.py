"""The module roots that a buf.yaml or buf.work.yaml declares for a folder.

Source: buf.build/docs/configuration (v1beta1, v1 and v2 of buf.yaml, v1 of buf.work.yaml). Dependencies from a
registry are not resolved: an image made by `buf build` holds them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems


def module_roots(start: Path, problems: Problems) -> list[str]:
    """The roots of the workspace around a folder, else of the module around it; none where buf is not used."""
    module: list[str] = []
    for folder in (start, *start.resolve().parents):
        workspace = folder / "buf.work.yaml"
        if workspace.is_file():
            return _folders(folder, _read(workspace, problems).get("directories"), problems)
        file = folder / "buf.yaml"
        if file.is_file():
            value = _read(file, problems)
            if value.get("version") == "v2":
                return _folders(folder, list(_paths(value.get("modules"))) or ["."], problems)
            build = value.get("build")
            roots = build.get("roots") if isinstance(build, dict) else None
            module = module or _folders(folder, roots or ["."], problems)
        if (folder / ".git").exists():
            break
    return module


def _read(file: Path, problems: Problems) -> dict[str, Any]:
    """The mapping in a file, empty with a finding if it holds none."""
    from protoc_gen_crd.base.yamlread import read  # noqa: PLC0415 - most projects are not laid out by buf

    for document in read(file.read_text("utf-8", errors="replace"), _shown(file)):
        if not document.error and isinstance(document.value, dict):
            return document.value
        problems.report("buf-config", "buf's configuration must be a YAML mapping", document.place(()))
    return {}


def _folders(base: Path, names: object, problems: Problems) -> list[str]:
    """The folders of a list, as paths from the working folder; one that is not there is a finding."""
    found: list[str] = []
    for name in names if isinstance(names, list) else []:
        folder = base / str(name)
        if folder.is_dir():
            found.append(_shown(folder))
        else:
            problems.report(
                "buf-config", f'a module of buf\'s configuration must be a folder, found "{_shown(folder)}"'
            )
    return found


def _paths(modules: object) -> Iterator[str]:
    for module in modules if isinstance(modules, list) else []:
        if isinstance(module, dict):
            yield str(module.get("path", "."))


def _shown(path: Path) -> str:
    return os.path.relpath(path) if not path.is_absolute() or path.is_relative_to(Path.cwd()) else str(path)
