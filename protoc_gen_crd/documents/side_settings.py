"""Settings for a side of a comparison that is a commit: those of its settings file, with the flags of the command.

Paths lead to the copies of files in the commit. Folders of imports that the commit does not contain, such as downloaded
dependencies, are those of the working folder.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from protoc_gen_crd.documents.git_tree import GitTree
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.settings.settings_file import find_settings, read_settings

_NOT_FLAGS = ("places", "settings")


def read_side_settings(tree: GitTree, settings: Settings, problems: Problems) -> Settings:
    """Return the settings for a commit. Without a settings file in the commit, the current settings apply.

    Invalid options in the file are ignored: they may belong to another release of this program.
    """
    file = _find_file(tree, settings.settings)
    if not file:
        return _move_paths(tree, settings)
    own_problems = Problems()
    values = read_settings(file, own_problems, shown_name=tree.format_name(file))
    problems.findings += [finding for finding in own_problems.findings if finding.rule == "settings-file"]
    flags = _get_flags(settings)
    return _move_paths(tree, Settings(**{**values, **flags, "settings": file}))


def _find_file(tree: GitTree, current: str) -> str:
    """Return the settings file of a commit: the one with the path of the current file, or the nearest one."""
    path = tree.find_path(current) if current else ""
    if path and Path(path).is_file():
        return path
    start = tree.find_path(os.curdir) or (path and os.path.dirname(path))  # noqa: PTH120
    if not start:
        return ""
    while start != str(tree.folder) and not Path(start).is_dir():
        start = os.path.dirname(start)  # noqa: PTH120
    file = find_settings(Path(start), Problems())
    return os.path.normpath(os.path.join(start, file)) if file else ""  # noqa: PTH118


def _get_flags(settings: Settings) -> dict[str, object]:
    """Return the values that do not come from the settings file."""
    own = read_settings(settings.settings, Problems()) if settings.settings else {}
    defaults = Settings(settings=settings.settings)
    values = {name: getattr(settings, name) for name in Settings._fields if name not in _NOT_FLAGS}
    return {
        name: value
        for name, value in values.items()
        if name not in settings.places and (name in own or value != getattr(defaults, name))
    }


def _move_paths(tree: GitTree, settings: Settings) -> Settings:
    """Return the settings with the paths of the copies; inputs and imports that do not exist are left out."""
    changes: dict[str, object] = {
        "inputs": find_copies(tree, settings.inputs),
        "documents": find_copies(tree, settings.documents),
        "conversion_rules": find_copies(tree, settings.conversion_rules),
        "import_paths": _find_import_paths(tree, settings.import_paths),
    }
    folders = ("out", "samples", "docs", "schemas", "history", "manifests")
    changes |= {name: _move(tree, getattr(settings, name)) for name in folders}
    return settings.replace(**changes)


def find_copies(tree: GitTree, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the copies of paths that exist in the commit. Files outside the repository have no old state."""
    copies = (path if Path(path).is_relative_to(tree.folder) else tree.find_path(path) for path in paths)
    return tuple(copy for copy in copies if copy and os.path.exists(copy))  # noqa: PTH110


def _move(tree: GitTree, path: str) -> str:
    """Return the copy of a path, whether or not it exists; the path itself outside the repository."""
    return path if Path(path).is_relative_to(tree.folder) else tree.find_path(path) or path


def _find_import_paths(tree: GitTree, paths: Sequence[str]) -> tuple[str, ...]:
    import_paths = []
    for path in paths:
        copy = _move(tree, path)
        candidates = (copy, tree.find_working_path(copy))
        import_paths += [next((folder for folder in candidates if os.path.isdir(folder)), "")]  # noqa: PTH112
    return tuple(filter(None, import_paths))
