"""Validation of files in one process or in several. Results are in the order of the files.

Processes are forked, so that they have the CRDs, and each gets its files at the start. Nothing is shared, so there are
no deadlocks. Systems without fork use one process.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Sequence
from typing import IO

from protoc_gen_crd.testing.run_summary import FileResult
from protoc_gen_crd.testing.validation_run import Session

_MIN_PARALLEL_FILES = 2  # fewer files are validated in one process
_SOFTWARE_ERROR = 70  # sysexits.h: an internal software error


def validate_files(session: Session, jobs: int) -> Iterator[FileResult]:
    """Yield the results of all files. Raises RuntimeError if a process dies; it has printed the reason."""
    jobs = min(jobs, len(session.files))
    if jobs < _MIN_PARALLEL_FILES or not hasattr(os, "fork"):
        yield from map(session.validate_file, session.files)
        return
    gc.freeze()  # otherwise garbage collection would copy the shared memory
    workers = [_start_process(session, session.files[index::jobs]) for index in range(jobs)]
    try:
        for index in range(len(session.files)):
            yield _read_result(workers[index % jobs][1])
    finally:
        for process, results in workers:
            results.close()
            os.waitpid(process, 0)


def _start_process(session: Session, files: Sequence[str]) -> tuple[int, IO[bytes]]:
    """Start a process that validates files. Return its id and the stream of its results."""
    import pickle  # noqa: PLC0415 - one process needs no serialization

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
        pass  # the remaining results are not needed
    except BaseException:  # noqa: BLE001 - the traceback is printed
        from traceback import print_exc  # noqa: PLC0415

        print_exc()
    finally:
        os._exit(status)


def _read_result(results: IO[bytes]) -> FileResult:
    import pickle  # noqa: PLC0415 - likewise

    try:
        result: FileResult = pickle.load(results)  # noqa: S301 - from our own process
    except EOFError:
        raise RuntimeError("a validation process died unexpectedly") from None
    return result
