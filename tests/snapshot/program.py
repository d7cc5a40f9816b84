"""Runs of the installed program, each in a forked process, through the entry point that the console script uses."""

from __future__ import annotations

import gc
import hashlib
import importlib
import os
import pkgutil
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, NamedTuple

TIMEOUT = 120  # seconds for one run


class Run(NamedTuple):
    """One run of the program: its arguments; a plugin run has none."""

    arguments: Sequence[str] = ()
    stdin: bytes = b""


class Case(NamedTuple):
    """A folder of input files and the runs that take place in a copy of it."""

    name: str
    folder: Path | None
    runs: Sequence[Run]
    ignored: Sequence[str] = ()  # names in the folder that are no input


class Output(NamedTuple):
    """The exit code and the streams of one run."""

    status: int
    stdout: bytes
    stderr: bytes


class Result(NamedTuple):
    """The output of each run of a case, and the files that the runs wrote or changed."""

    outputs: list[Output]
    files: dict[str, bytes]


def import_program() -> None:
    """Import every module of the program, so that forked runs need not."""
    root = _entry_point().module.partition(".")[0]
    for module in pkgutil.walk_packages(importlib.import_module(root).__path__, f"{root}."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


@cache
def _entry_point() -> EntryPoint:
    (entry,) = entry_points(group="console_scripts", name="protoc-gen-crd")
    return entry


def execute(case: Case) -> Result:
    """Run a case in a copy of its folder."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "case"
        if case.folder is None:
            folder.mkdir()
        else:
            shutil.copytree(case.folder, folder, ignore=shutil.ignore_patterns(*case.ignored))
        (folder.parent / ".git").mkdir()  # the search for settings files ends here
        before = _files(folder)
        outputs = [_execute(run, folder) for run in case.runs]
        after = _files(folder)
        return Result(outputs, {path: data for path, data in after.items() if before.get(path) != data})


def _files(folder: Path) -> dict[str, bytes]:
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _execute(run: Run, folder: Path) -> Output:
    main = _entry_point().load()
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        stdin.write(run.stdin)
        stdin.seek(0)
        child = os.fork()
        if not child:
            _become(run, folder, [stream.fileno() for stream in (stdin, stdout, stderr)], main)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        stdout.seek(0)
        stderr.seek(0)
        return Output(status, stdout.read(), stderr.read())


def _become(run: Run, folder: Path, streams: Sequence[int], main: Callable[[], Any]) -> None:
    """Turn this forked process into a run of the program. Does not return."""
    try:
        gc.freeze()  # otherwise garbage collection would copy the shared memory
        os.chdir(folder)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 - to the end of the run
            for number, mode in enumerate("rww")
        )
        sys.argv = ["protoc-gen-crd", *run.arguments]
        signal.alarm(TIMEOUT)
        status = main()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status or 0)
    finally:
        os._exit(70)


def checksum(data: bytes) -> str:
    """Return the checksum that identifies some content in a snapshot."""
    return hashlib.sha256(data).hexdigest()[:16]
