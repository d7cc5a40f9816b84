"""A run of the program as a process of its own: what it prints, and what it takes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from tests.conftest import ROOT

SECONDS, MEBIBYTES = 10, 512  # what any input may take


def measured(arguments: Sequence[str], folder: Path, report: Path) -> tuple[str, float, float]:
    """What a command prints with its exit status behind, its seconds of processor time and its peak memory in MiB."""
    with report.open("wb") as sink:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = (sys.executable, "-m", "protoc_gen_crd", *arguments)
        process = subprocess.Popen(command, stdout=sink, stderr=sink, cwd=folder, env=environment)
        watch = threading.Timer(6 * SECONDS, process.kill)
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        watch.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    text = f"{report.read_text(encoding='utf-8', errors='replace')}[{process.returncode}]\n"
    return text, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024
