"""Names of files below a folder, as every system reads them. Knows names, not disks."""

from __future__ import annotations

import re

# Nothing, a folder, a way up, a root, a Windows drive, and what one system or another does not take.
_NO_FILE_BELOW = r"(?s)\Z|(?:.*/)?\.{0,2}\Z|(?:.*/)?\.\./|/|[A-Za-z]:|.*[\x00-\x1f\x7f\\]"


def is_below(name: str) -> bool:
    """Check whether a name with slashes is that of a file below the folder it starts from, on every system."""
    return re.match(_NO_FILE_BELOW, name) is None
