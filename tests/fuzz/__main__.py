"""Run all fuzzers, each in a process of its own with a limit on its memory.

    python -m tests.fuzz [--seconds N] [--seed N] [--only NAME] [--index N] [--input FILE]

An input that crashes or hangs the process is a failure too, and the fuzzer continues with the next one. Exit status 1
for a failure.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from .harness import Fuzzer, attempt
from .isolation import isolated
from .surfaces import FUZZERS

FOUND = Path(".fuzz")  # where inputs of failures are saved


def main() -> int:
    """Run the fuzzers of the arguments."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="time for all fuzzers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=FUZZERS, action="append", help="a fuzzer, may be repeated")
    parser.add_argument("--index", type=int, help="run one input of one fuzzer")
    parser.add_argument("--input", type=Path, help="run the content of a file with one fuzzer")
    arguments = parser.parse_args()
    fuzzers = [FUZZERS[name] for name in arguments.only or FUZZERS]
    if arguments.index is not None or arguments.input is not None:
        (fuzzer,) = fuzzers
        return _one(
            fuzzer, arguments.input.read_bytes() if arguments.input else fuzzer.input(arguments.seed, arguments.index)
        )
    failed = [_all(fuzzer, arguments.seed, arguments.seconds / len(fuzzers)) for fuzzer in fuzzers]
    return int(any(failed))


def _one(fuzzer: Fuzzer, data: bytes) -> int:
    started = time.process_time()
    failure = attempt(fuzzer, data, repeat=True)
    print(f"{data!r}\n{time.process_time() - started:.2f} s\n{failure[1] if failure else fuzzer.run(data)}")
    return int(failure is not None)


def _all(fuzzer: Fuzzer, seed: int, seconds: float) -> bool:
    fuzzer.input(seed, 0)  # loads the test data once, for all processes and all fuzzers
    report = isolated(fuzzer, seed, seconds)
    print(f"{fuzzer.name}: {report.count:,} inputs of seed {seed}, {len(report.failures)} failures", flush=True)
    for failure in report.failures:
        FOUND.mkdir(exist_ok=True)
        path = FOUND / f"{fuzzer.name}-{seed}-{failure.index}"
        path.write_bytes(failure.data)
        print(f"{failure}\n  saved: {path}", flush=True)
    return bool(report.failures)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)
