"""Absolute paths without symbolic links."""

from __future__ import annotations

import os
from pathlib import Path


def resolve_links(path: str | os.PathLike[str]) -> Path:
    """Return the absolute path without symbolic links.

    A loop of links stays in the path, and the error is reported where the path is read. `Path.resolve` raises a
    RuntimeError for it before Python 3.13.
    """
    return Path(os.path.realpath(path))
