"""A run of the program as a separate process: its output, time and memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tests.support.fork_server import Result, get_server

SECONDS, MEBIBYTES = 10, 512  # limits for any input


def measure(arguments: Sequence[str], folder: Path, data: bytes = b"", *, merged: bool = True) -> Result:
    """Run the program, and kill it if it takes far longer than any input may. With `merged`, all output is in order."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"} if merged else os.environ
    server = get_server("protoc-gen-crd")
    return server.run(arguments, folder, environment, data=data, merged=merged, seconds=6 * SECONDS)


def measured(arguments: Sequence[str], folder: Path) -> tuple[str, float, float]:
    """Return the output and exit status of a command, its processor time in seconds, and its peak memory in MiB."""
    run = measure(arguments, folder)
    return f"{run.stdout.decode(errors='replace')}[{run.returncode}]\n", run.seconds, run.mebibytes
