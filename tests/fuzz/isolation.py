"""A campaign in a separate process, which may end by a crash, a hang within C code or too much memory."""

from __future__ import annotations

import faulthandler
import mmap
import os
import pickle
import resource
import signal
import struct
import sys
import tempfile
import time
from pathlib import Path

from .harness import Failure, Fuzzer, Report, campaign

MEMORY = 3 << 30  # bytes of address space
_START_PATIENCE = 90.0  # seconds until the first input
_PATIENCE = 90.0  # seconds without a new input, with minimization
_NUMBER = struct.Struct("q")
_STARTING = -1


def isolated(fuzzer: Fuzzer, seed: int, seconds: float) -> Report:
    """Run a campaign for a number of seconds; if an input ends the process, continue after it in another one."""
    end, first = time.monotonic() + seconds, 0
    count, failures = 0, dict[str, Failure]()
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
            report, index, status = _process(fuzzer, seed, first, end, Path(folder, "report"))
        if report is not None:
            count += report.count
            failures |= {failure.key: failure for failure in report.failures if failure.key not in failures}
        if not status or index == _STARTING:
            if status:
                failures["starting"] = Failure(fuzzer.name, seed, 0, f"the fuzzer cannot start: {status}", "", b"")
            break
        count += index + 1 - first - (report.count if report else 0)
        key = f"the process ends: {status}"
        failures.setdefault(key, Failure(fuzzer.name, seed, index, key, "", fuzzer.input(seed, index)))
        first = index + 1
    return Report(fuzzer.name, count, tuple(failures.values()))


def _process(fuzzer: Fuzzer, seed: int, first: int, end: float, path: Path) -> tuple[Report | None, int, str]:
    """Return the report of a process, its last input, and how it ended; empty if it completed."""
    with mmap.mmap(-1, _NUMBER.size) as shared:
        _NUMBER.pack_into(shared, 0, _STARTING)
        sys.stdout.flush()
        child = os.fork()
        if not child:
            _run(fuzzer, seed, first, end, path, shared)
        status = _watch(child, shared, end)
        (index,) = _NUMBER.unpack_from(shared, 0)
    return pickle.loads(path.read_bytes()) if path.exists() else None, index, status  # noqa: S301 - our own


def _run(fuzzer: Fuzzer, seed: int, first: int, end: float, path: Path, shared: mmap.mmap) -> None:
    status = 1
    try:
        faulthandler.disable()  # the parent reports how the process ends
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        failures: list[Failure] = []

        def save(report: Report) -> None:
            path.with_suffix(".new").write_bytes(pickle.dumps(report))
            path.with_suffix(".new").replace(path)

        def keep(failure: Failure) -> None:
            failures.append(failure)
            save(Report(fuzzer.name, failure.index - first, tuple(failures)))

        save(
            campaign(
                fuzzer, seed, seconds=end - time.monotonic(), first=first,
                on_input=lambda index: _NUMBER.pack_into(shared, 0, index), on_failure=keep,
            )
        )  # fmt: skip
        status = 0
    except BaseException as error:
        sys.excepthook(type(error), error, error.__traceback__)
    finally:
        sys.stderr.flush()
        os._exit(status)


def _watch(child: int, shared: mmap.mmap, end: float) -> str:
    """Return the exit of a process, which is stopped if it starts no new input for too long."""
    last, since = _STARTING, time.monotonic()
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            code = os.waitstatus_to_exitcode(status)
            return "" if not code else f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"
        (index,) = _NUMBER.unpack_from(shared, 0)
        now = time.monotonic()
        if index != last:
            last, since = index, now
        elif now - since > (_START_PATIENCE if index == _STARTING else _PATIENCE):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return f"no end after {_PATIENCE:.0f} s"
        time.sleep(0.2 if now < end else 0.02)
