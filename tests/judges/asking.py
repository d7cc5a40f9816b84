"""A judge that is asked ahead: a batch of requests waits in its pipe while ours are still being answered."""

from __future__ import annotations

import json
import subprocess
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

Request = dict[str, Any]
_BOUNDED = ("sh", "-c", 'ulimit -v 4000000; exec "$0"')  # some requests make lists as long as there is memory
PATIENCE = 60.0  # seconds for one batch


class Judge:
    """A program that answers a JSON line with a JSON line; started again where a request makes it end."""

    def __init__(self, program: str) -> None:
        self.program, self.ended = program, 0
        self._worker = ThreadPoolExecutor(1)
        self._process: subprocess.Popen[str] | None = None

    def validate(self, requests: list[Request]) -> Future[list[dict[str, Any] | None]]:
        """The answers to come, None for a request that ended the program."""
        return self._worker.submit(
            self._answers, [json.dumps(request, separators=(",", ":")) + "\n" for request in requests]
        )

    def answers(self, requests: list[Request]) -> list[dict[str, Any] | None]:
        """The answers, waited for."""
        return self.validate(requests).result()

    def close(self) -> None:
        """End the program."""
        self._worker.shutdown()
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _answers(self, lines: list[str]) -> list[dict[str, Any] | None]:
        answers: list[dict[str, Any] | None] = []
        while len(answers) < len(lines):
            answers += self._read(lines[len(answers) :])
            if len(answers) < len(lines):
                answers.append(None)
                self.ended += 1
                self._process = None
        return answers

    def _read(self, lines: list[str]) -> list[dict[str, Any] | None]:
        """The answers until the program ends."""
        process = self._process = self._process or self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        timer = threading.Timer(PATIENCE, process.kill)
        writer = threading.Thread(target=_write, args=(process, lines))
        timer.start()
        writer.start()
        answers: list[dict[str, Any] | None] = []
        for _ in lines:
            line = process.stdout.readline()
            if not line.endswith("\n"):
                process.kill()
                process.wait()
                break
            answers.append(json.loads(line))
        timer.cancel()
        writer.join()
        return answers

    def _started(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [*_BOUNDED, self.program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )  # fmt: skip


def _write(process: subprocess.Popen[str], lines: list[str]) -> None:
    assert process.stdin is not None
    try:
        process.stdin.writelines(lines)
        process.stdin.flush()
    except BrokenPipeError:
        return
