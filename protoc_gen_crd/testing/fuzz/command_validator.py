"""A command as validator. Each line of its input is a document as JSON; each line of its output is an answer.

A command that exits is restarted for the next document. A command that does not answer in time is killed.
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

from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.testing.fuzz.external_validator import (
    ValidationRequest,
    ValidatorError,
    ValidatorOptions,
    parse_verdict,
    shorten,
)

_MAX_RESPONSE_SIZE = 1 << 24  # bytes of an answer


class CommandValidator:
    """Runs the command on first use. Raises ValueError for an invalid command line."""

    def __init__(self, line: str, access: ValidatorOptions) -> None:
        self._words = shlex.split(line)
        if not self._words:
            raise ValueError("command is empty")
        self._timeout = access.timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes] = queue.Queue()

    def validate(self, request: ValidationRequest) -> Verdict:
        """Validate a document; see ExternalValidator."""
        process = self._process or self._start()
        try:
            self._write(process, json.dumps(request.document).encode() + b"\n")
            line = self._lines.get(timeout=self._timeout)
        except queue.Empty:
            self.close()
            raise ValidatorError(f"no answer within {self._timeout} s") from None
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            raise ValidatorError(self._describe_exit(process, line))
        try:
            return parse_verdict(parse_json(line.decode("utf-8", "replace")))
        except ValueError:
            self.close()
            raise ValidatorError(f"answer is not JSON: {shorten(line.decode('utf-8', 'replace'))}") from None

    def _write(self, process: subprocess.Popen[bytes], data: bytes) -> None:
        """Write with a time limit, since the command may not read its input."""
        writer = threading.Thread(target=_write_data, args=(process.stdin, data), daemon=True)
        writer.start()
        writer.join(self._timeout)
        if writer.is_alive():
            raise queue.Empty

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(  # noqa: S603 - the user's command
                self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except (OSError, ValueError) as error:
            raise ValidatorError(f"cannot run the command: {error}") from None
        self._process, self._lines = process, queue.Queue()
        threading.Thread(target=_read_lines, args=(process.stdout, self._lines), daemon=True).start()
        return process

    def _describe_exit(self, process: subprocess.Popen[bytes], line: bytes) -> str:
        """Describe why a process does not answer anymore."""
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
        status = process.returncode
        self.close()
        if line:
            return f"answer does not end with a line break: {shorten(line.decode('utf-8', 'replace'))}"
        how = f"with status {status}" if status is None or status >= 0 else f"by signal {-status}"
        return f"command ended {how}" if status is not None else "command closed its standard output"

    def close(self) -> None:
        """Kill the command and its child processes."""
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
    """Pass on lines until the end of the stream. An incomplete line is the last one."""
    with suppress(OSError, ValueError), stream:
        while line := stream.readline(_MAX_RESPONSE_SIZE):
            lines.put(line)
            if not line.endswith(b"\n"):
                return
    lines.put(b"")
