"""Progress display on one line of a terminal; disabled if standard error is not a terminal."""

from __future__ import annotations

import sys

from protoc_gen_crd.cli.terminal import is_terminal

_WIDTH = 30


class ProgressLine:
    """A line that each stage overwrites and that is removed at the end."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._shown = not quiet and is_terminal()

    def show_stage(self, stage: str) -> None:
        """Show the current stage."""
        self._write(f"\r\x1b[K{stage} ...")

    def show_bar(self, stage: str, done: int, total: int) -> None:
        """Show a progress bar before the stage."""
        full = _WIDTH * done // max(total, done, 1)
        self._write(f"\r\x1b[K[{'=' * full}{' ' * (_WIDTH - full)}] {stage}")

    def clear(self) -> None:
        """Remove the line."""
        self._write("\r\x1b[K")

    def _write(self, line: str) -> None:
        if self._shown:
            sys.stderr.write(line)
            sys.stderr.flush()
