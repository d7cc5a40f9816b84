"""Standard error as a terminal: whether it shows color and progress."""

from __future__ import annotations

import os
import sys


def is_color_enabled(choice: str) -> bool:
    """Return whether to print color to standard error. Source of NO_COLOR: no-color.org."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or is_terminal()


def is_terminal() -> bool:
    """Return whether standard error is a terminal that can erase and color lines."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
