"""A command as validator: each line that it is given is a document as JSON, each line that it prints is its answer.

A command that dies is started again for the next document; one that does not answer in time is ended.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import signal
import subprocess
import threading
from contextlib import suppress
from typing import IO

from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.testing.fuzz.external_validator import (
    ExternalVerdict,
    ValidationRequest,
    ValidatorError,
    ValidatorOptions,
    parse_verdict,
    shorten,
)

_MAX_RESPONSE_SIZE = 1 << 24  # bytes of an answer


class CommandValidator:
    """Runs the command when it is first asked. Raises ValueError for a line that is none."""

    def __init__(self, line: str, access: ValidatorOptions) -> None:
        self._words = shlex.split(line)
        if not self._words:
            raise ValueError("a command must not be empty")
        self._timeout = access.timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue()

    def validate(self, request: ValidationRequest) -> ExternalVerdict:
        """See External."""
        process = self._process or self._start()
        try:
            self._write(process, json.dumps(request.document).encode() + b"\n")
            line = self._lines.get(timeout=self._timeout)
        except queue.Empty:
            self.close()
            raise ValidatorError(f"it must answer within {self._timeout} s, found no answer") from None
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise ValidatorError(self._describe_exit(process, line))
        try:
            return parse_verdict(parse_json(line.decode("utf-8", "replace")))
        except ValueError:
            self.close()
            raise ValidatorError(f"it must answer in JSON, found {shorten(line.decode('utf-8', 'replace'))}") from None

    def _write(self, process: subprocess.Popen[bytes], data: bytes) -> None:
        """Write in time: a command that does not read must not stop us."""
        writer = threading.Thread(target=_write_data, args=(process.stdin, data), daemon=True)
        writer.start()
        writer.join(self._timeout)
        if writer.is_alive():
            raise queue.Empty

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's own
                self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise ValidatorError(f"it must be a command that runs, found {error}") from None
        self._process, self._lines = process, queue.Queue()
        threading.Thread(target=_read_lines, args=(process.stdout, self._lines), daemon=True).start()
        return process

    def _describe_exit(self, process: subprocess.Popen[bytes], line: bytes) -> str:
        """What became of a process that answers no more."""
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
        status = process.returncode
        self.close()
        if line:
            return f"it must end each answer with a line break, found {shorten(line.decode('utf-8', 'replace'))}"
        how = f"with status {status}" if status is None or status >= 0 else f"by signal {-status}"
        return f"it must answer, found that it ended {how}" if status is not None else "it must answer, found no more"

    def close(self) -> None:
        """End the command with all that it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()
        process.wait()
        with suppress(OSError):
            process.stdin.close() if process.stdin else None


def _write_data(stream: IO[bytes], data: bytes) -> None:
    with suppress(OSError, ValueError):
        stream.write(data)
        stream.flush()


def _read_lines(stream: IO[bytes], lines: queue.Queue[bytes]) -> None:
    """Hand on line after line; what is no line is the end."""
    with suppress(OSError, ValueError), stream:
        while line := stream.readline(_MAX_RESPONSE_SIZE):
            lines.put(line)
            if not line.endswith(b"\n"):
                return
    lines.put(b"")
