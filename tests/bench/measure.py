"""Runs commands as whole processes: wall time and peak memory, the stub before each, ratios pair by pair."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

PAIRS = int(os.environ.get("PAIRS", "10"))  # of runs for each row
STUB = (sys.executable, str(Path(__file__).with_name("stub.py")))


class Result(NamedTuple):
    """Medians over the pairs: the stub's wall time in seconds, the ratio to it, peak memory in MiB."""

    stub: float
    ratio: float
    memory: float


def measure(command: tuple[str, ...], request: bytes, stub_request: bytes, pairs: int, work: Path) -> Result:
    """Run stub and command in turn, `pairs` times after one warm-up. Raises CalledProcessError if the command fails."""
    files = work / "stub.binpb", work / "request.binpb"
    for file, data in zip(files, (stub_request, request), strict=True):
        file.write_bytes(data)
    run_once(command, files[1])
    rows = [(run_once(STUB, files[0]), run_once(command, files[1])) for _ in range(pairs)]
    ratios = [ours[0] / stub[0] for stub, ours in rows]
    return Result(
        statistics.median(stub[0] for stub, _ in rows),
        statistics.median(ratios),
        statistics.median(ours[1] for _, ours in rows),
    )


def run_once(command: tuple[str, ...], request: Path) -> tuple[float, float]:
    """(wall seconds, peak MiB) of one run, started by a process of its own: a peak counts what the starter holds."""
    starter = (sys.executable, __file__, str(request), *command)
    seconds, mebibytes = subprocess.run(starter, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return float(seconds), float(mebibytes)


def _start(request: str, *command: str) -> int:
    """Run a command on a request, and print what `run_once` returns; its exit status, but 0 where it has findings."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with Path(request).open("rb") as stdin, Path(os.devnull).open("wb") as sink:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=stdin, stdout=sink, stderr=sink, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        elapsed = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    print(elapsed, usage.ru_maxrss / 1024)
    return 0 if process.returncode == 1 else process.returncode


if __name__ == "__main__":
    sys.exit(_start(*sys.argv[1:]))
