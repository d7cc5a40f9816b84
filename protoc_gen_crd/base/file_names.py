"""Validation of names of files below a folder, for all operating systems."""

from __future__ import annotations

import re

# Empty, a folder, a parent folder, a root, a Windows drive, and characters that some systems reject.
_NO_FILE_BELOW = r"(?s)\Z|(?:.*/)?\.{0,2}\Z|(?:.*/)?\.\./|/|[A-Za-z]:|.*[\x00-\x1f\x7f\\]"


def is_below(name: str) -> bool:
    """Return whether a relative path with slashes is that of a file below its folder, on all systems."""
    return re.match(_NO_FILE_BELOW, name) is None
