"""Hints for errors of the operating system about paths."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest


def find_path_hint(error: OSError, path: str) -> str:
    """Return the way out: the nearest name in the folder, the target of a link, or the file in place of a folder."""
    if isinstance(error, FileNotFoundError):
        return _describe_dangling_link(Path(path)) or _suggest_name(Path(path)) or _describe_pattern(path)
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


def _suggest_name(path: Path) -> str:
    with suppress(OSError):
        names = sorted(path.parent.iterdir())
        alike = {entry.stem: entry.name for entry in names if entry.suffix == path.suffix}
        same = {entry.stem: entry.name for entry in names if entry.stem == path.stem}
        near = find_nearest(path.stem, same or alike)  # an extension in common would make all names similar
        return did_you_mean(str(path.with_name((same or alike)[near])) if near else None)
    return ""
