"""A run of the program as a separate process: its output, time and memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

SECONDS, MEBIBYTES = 10, 512  # limits for any input


# The memory of a process includes that of its parent until exec, so a small process starts it.
_LAUNCH = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(process.pid, 0)
found = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
open(sys.argv[1], "w").write(" ".join(map(str, found)))
"""


def watched(arguments: Sequence[str], folder: Path, report: Path, **streams: Any) -> tuple[int, float, float]:
    """The exit status of a command, its seconds of processor time and its peak memory in MiB."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}  # both streams go to one file
    command = (sys.executable, "-ISc", _LAUNCH, str(report), sys.executable, "-m", "protoc_gen_crd", *arguments)
    process = subprocess.Popen(command, cwd=folder, env=environment, start_new_session=True, **streams)
    watch = threading.Timer(6 * SECONDS, os.killpg, (process.pid, signal.SIGKILL))
    watch.start()
    process.wait()
    watch.cancel()
    if process.returncode:
        return process.returncode, 6.0 * SECONDS, 0.0
    status, seconds, memory = report.read_text().split()
    return int(status), float(seconds), float(memory)


def measured(arguments: Sequence[str], folder: Path, report: Path) -> tuple[str, float, float]:
    """Return the output and exit status of a command, its processor time in seconds, and its peak memory in MiB."""
    with report.open("wb") as sink:
        status, seconds, memory = watched(arguments, folder, report.with_suffix(".taken"), stdout=sink, stderr=sink)
    return f"{report.read_text(encoding='utf-8', errors='replace')}[{status}]\n", seconds, memory
