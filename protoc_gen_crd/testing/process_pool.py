"""Files judged one after the other, or by several processes at once. Results come in the order of the files.

Processes are forked, since they have the CRDs then, and each is told from the start which files are its own: nothing is
shared, so nothing can be waited for in vain. Where a system cannot fork, there is one process.
"""

from __future__ import annotations

import gc
import os
import pickle
from collections.abc import Iterator, Sequence
from typing import IO

from protoc_gen_crd.testing.run_summary import FileResult
from protoc_gen_crd.testing.session import Session

_MIN_PARALLEL_FILES = 2  # files that are not worth a process
_SOFTWARE_ERROR = 70  # sysexits.h: an internal software error


def validate_files(session: Session, jobs: int) -> Iterator[FileResult]:
    """The results of all files. Raises RuntimeError where a process dies, which has told why."""
    jobs = min(jobs, len(session.files))
    if jobs < _MIN_PARALLEL_FILES or not hasattr(os, "fork"):
        yield from map(session.validate_file, session.files)
        return
    gc.freeze()  # or collecting would copy the memory that is shared
    workers = [_start_process(session, session.files[index::jobs]) for index in range(jobs)]
    try:
        for index in range(len(session.files)):
            yield _read_result(workers[index % jobs][1])
    finally:
        for process, results in workers:
            results.close()
            os.waitpid(process, 0)


def _start_process(session: Session, files: Sequence[str]) -> tuple[int, IO[bytes]]:
    """A process that judges these files, and where its results come from."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, os.fdopen(reading, "rb")
    os.close(reading)
    status = _SOFTWARE_ERROR
    try:
        with os.fdopen(writing, "wb") as results:
            for file in files:
                pickle.dump(session.validate_file(file), results)
                results.flush()
        status = 0
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # nobody waits for the rest
    except BaseException:  # noqa: BLE001 - what is left of a bug here is what is printed
        from traceback import print_exc  # noqa: PLC0415

        print_exc()
    finally:
        os._exit(status)


def _read_result(results: IO[bytes]) -> FileResult:
    try:
        found: FileResult = pickle.load(results)  # noqa: S301 - from our own process
    except EOFError:
        raise RuntimeError("a validation process died unexpectedly") from None
    return found
