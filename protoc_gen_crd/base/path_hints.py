"""Hints for errors of the operating system about paths."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest

_MAX_NAMES = 5  # in the hint that lists a folder


def find_path_hint(error: OSError, path: str, folder: str = "") -> str:
    """Return the nearest name, the names that exist, the target of a link, or the file in place of a folder.

    Args:
        error: The error about the path.
        path: The path.
        folder: The folder that suggested paths are relative to; empty to suggest them as the path is written.
    """
    if isinstance(error, FileNotFoundError):
        return (
            _describe_dangling_link(Path(path))
            or _suggest_path(Path(path), folder)
            or _describe_pattern(path)
            or _list_names(Path(path))
        )
    if isinstance(error, NotADirectoryError | FileExistsError):
        file = next((parent for parent in Path(path).parents if parent.is_file()), None)
        return f'"{file}" is a file' if file else ""
    return ""


def _describe_dangling_link(path: Path) -> str:
    """Return the target of a symbolic link to nothing; empty for another path."""
    with suppress(OSError):
        return f'"{path}" is a symbolic link to "{path.readlink()}"'
    return ""


def is_pattern(path: str) -> bool:
    """Return whether a path contains wildcards, which shells expand only if a file matches."""
    return any(character in path for character in "*?[")


def _describe_pattern(path: str) -> str:
    return "patterns are not expanded: pass the folder" if is_pattern(path) else ""


def _suggest_path(path: Path, folder: str) -> str:
    """Return a hint with the path in which the first missing name is replaced with the nearest one beside it."""
    parent, rest = _split_at_missing_name(path)
    missing, names = Path(rest.parts[0]), _list_folder(parent)
    alike = {Path(name).stem: name for name in names if Path(name).suffix == missing.suffix}
    same = {Path(name).stem: name for name in names if Path(name).stem == missing.stem}
    near = find_nearest(missing.stem, same or alike)  # an extension in common would make all names similar
    if near is None:
        return ""
    found = parent / (same or alike)[near]
    whole = found.joinpath(*rest.parts[1:])
    suggested = whole if whole.exists() else found
    return did_you_mean(os.path.relpath(suggested, folder) if folder else str(suggested))


def _list_names(path: Path) -> str:
    """Return a hint with the names beside the first missing one of a path: those of the same kind, or else all."""
    parent, rest = _split_at_missing_name(path)
    visible = [name for name in _list_folder(parent) if not name.startswith(".")]
    names = [name for name in visible if Path(name).suffix == Path(rest.parts[0]).suffix] or visible
    shown = ", ".join(f'"{name}"' for name in names[:_MAX_NAMES])
    more = f" and {len(names) - _MAX_NAMES:,} more" if len(names) > _MAX_NAMES else ""
    missing = f'"{parent / rest.parts[0]}" does not exist, ' if len(rest.parts) > 1 else ""
    where = "this folder" if parent == Path() else f'"{parent}"'
    return f"{missing}{where} contains {shown}{more}" if names else f"{missing}{where} is empty"


def _split_at_missing_name(path: Path) -> tuple[Path, Path]:
    """Return the nearest folder above a path that exists, and the rest of the path."""
    parent = next((parent for parent in path.parents if parent.is_dir()), Path())
    return parent, path.relative_to(parent)


def _list_folder(folder: Path) -> list[str]:
    with suppress(OSError):
        return sorted(entry.name for entry in folder.iterdir())
    return []
