"""Goldens: a folder of expected files, compared byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def read_folder(folder: Path) -> dict[str, str]:
    """The files below a folder by name with slashes; none if it does not exist."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in files}


def compare(folder: Path, actual: Mapping[str, str], *, update: bool) -> list[str]:
    """Return the differences between a golden folder and the actual files; `update` rewrites the folder instead."""
    expected = read_folder(folder)
    if update:
        for name in expected.keys() - actual.keys():
            (folder / name).unlink()
        for name, text in actual.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(text.encode())
        return []
    names = sorted(expected.keys() | actual.keys())
    return [
        _difference(name, expected.get(name), actual.get(name))
        for name in names
        if expected.get(name) != actual.get(name)
    ]


def _difference(name: str, expected: str | None, actual: str | None) -> str:
    from difflib import unified_diff

    if expected is None or actual is None:
        return f"{name}: {'not expected' if expected is None else 'missing'}\n{actual or ''}"
    lines = unified_diff(
        expected.splitlines(), actual.splitlines(), f"{name} (expected)", f"{name} (found)", lineterm="", n=2
    )
    return "\n".join(lines) or f"{name}: line ends differ"
