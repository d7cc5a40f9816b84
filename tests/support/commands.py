"""Commands of pages: protoc-gen-crd runs in this process, and a shell runs everything else."""

from __future__ import annotations

import io
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

from protoc_gen_crd.__main__ import run as run_program

# Characters of commands that a shell runs.
_SPECIAL = "$`*\\~\n"


def run_command(
    command: str, folder: Path, environment: Mapping[str, str], *, buffered: bool = False
) -> tuple[int, str]:
    """Return the exit status and the output of a command, standard error included.

    With `buffered`, standard output is buffered as in a pipe; otherwise, lines are in the order of their output.
    """
    simple = _parse_simple(command)
    if simple is None:
        return run_in_shell(command, folder, environment)
    return _run_here(*simple, folder, environment, buffered=buffered)


def run_in_shell(command: str, folder: Path, environment: Mapping[str, str]) -> tuple[int, str]:
    """Return the exit status and the output of a command that a shell runs."""
    run = subprocess.run(
        ["sh", "-ec", command], cwd=folder, env=environment, check=False, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return run.returncode, run.stdout


def _run_here(
    arguments: list[str], source: str, target: str, folder: Path, environment: Mapping[str, str], *, buffered: bool
) -> tuple[int, str]:
    data = (folder / source).read_bytes() if source else b""
    stderr, written = io.BytesIO(), io.BytesIO()
    errors = io.TextIOWrapper(stderr, "utf-8", write_through=True)
    sink: io.BytesIO | _Pipe = written if target else _Pipe(stderr) if buffered else stderr
    output = io.TextIOWrapper(cast("io.BytesIO", sink), "utf-8", write_through=True)
    before = Path.cwd()
    os.chdir(folder)
    try:
        with (
            patch.dict(os.environ, environment, clear=True),
            patch.object(sys, "argv", arguments),
            patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data))),
            redirect_stdout(output),
            redirect_stderr(errors),
        ):
            status = _get_status(run_program)
    finally:
        os.chdir(before)
    output.flush()
    if target:
        (folder / target).write_bytes(written.getvalue())
    shown = stderr.getvalue().decode()
    for stream in (output, errors):
        stream.detach()  # else the end of one would close the buffer of the other
    return status, shown


class _Pipe(io.BufferedIOBase):
    """Standard output to a pipe: it is written when it is flushed, or when the buffer is full."""

    def __init__(self, target: io.BytesIO) -> None:
        self._target, self._buffer = target, b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._buffer += bytes(data)
        if len(self._buffer) > io.DEFAULT_BUFFER_SIZE:
            self.flush()
        return len(data)

    def flush(self) -> None:
        self._target.write(self._buffer)
        self._buffer = b""


def _get_status(program: Callable[[], int]) -> int:
    try:
        return program()
    except SystemExit as end:  # --help
        return end.code if isinstance(end.code, int) else 0


def _parse_simple(command: str) -> tuple[list[str], str, str] | None:
    """Return arguments, input file and output file of a command that needs no shell; None for others."""
    command = command.rstrip("\n")
    if not command.startswith("protoc-gen-crd ") or any(special in command for special in _SPECIAL):
        return None
    words = shlex.shlex(command, posix=True, punctuation_chars="<>|&;()")
    words.whitespace_split = True
    words.commenters = ""
    arguments, files = [], {"<": "", ">": ""}
    tokens = iter(words)
    for token in tokens:
        if token in files:
            files[token] = next(tokens)
        elif set(token) <= set("<>|&;()") and token:
            return None
        else:
            arguments.append(token)
    return arguments, files["<"], files[">"]
