"""What is going on, on one line of a terminal; nothing where standard error is none."""

from __future__ import annotations

import os
import sys

_WIDTH = 30


class Progress:
    """One line that each stage overwrites and that is gone at the end."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def stage(self, text: str) -> None:
        """Show what is being done now."""
        self._write(f"\r\x1b[K{text} ...")

    def bar(self, text: str, done: int, total: int) -> None:
        """Show how much of something is done, before what it is."""
        full = _WIDTH * done // max(total, done, 1)
        self._write(f"\r\x1b[K[{'=' * full}{' ' * (_WIDTH - full)}] {text}")

    def done(self) -> None:
        """Take the line away."""
        self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        if self._shown:
            sys.stderr.write(text)
            sys.stderr.flush()
