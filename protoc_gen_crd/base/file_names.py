"""Validation of names of files below a folder, for all operating systems."""

from __future__ import annotations

_DELETE = "\x7f"


def is_below(name: str) -> bool:
    """Return whether a relative path with slashes is that of a file below its folder, on all systems."""
    parts = name.split("/")
    if parts[0] == "" or parts[-1] in ("", ".") or ".." in parts:
        return False  # empty, a root, a folder, or a parent folder
    has_drive = name[1:2] == ":" and name[0].isascii() and name[0].isalpha()  # on Windows
    return not (has_drive or "\\" in name or any(char < " " or char == _DELETE for char in name))
