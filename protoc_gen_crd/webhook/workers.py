"""Several processes that serve on one socket, kept at their number, and ended together."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Callable
from types import FrameType

from protoc_gen_crd.webhook import metrics
from protoc_gen_crd.webhook.logs import log

_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_SHORT = 5.0  # seconds: who lived no longer is not replaced at once


class Workers:
    """Runs `work` in so many processes, in each until it returns, and anew in place of one that dies."""

    def __init__(self, count: int, work: Callable[[], None]) -> None:
        self._count, self._work = count, work
        self._started: dict[int, float] = {}
        self._ending = False

    def run(self) -> None:
        """Return when all have ended, which a signal to this process brings about."""
        for number in _SIGNALS:
            signal.signal(number, self._end)
        metrics.forget(os.getpid())  # which serves nothing, and has no certificate in use
        for _ in range(self._count):
            self._fork()
        while self._started:
            pid, status = os.wait()
            started = self._started.pop(pid)
            metrics.forget(pid)
            if not self._ending:
                log(logging.ERROR, "a worker died", worker=pid, status=os.waitstatus_to_exitcode(status))
                if time.monotonic() - started < _SHORT:
                    time.sleep(1)
                self._fork()

    def _fork(self) -> None:
        pid = os.fork()
        if pid == 0:
            try:
                self._work()
            finally:
                os._exit(0)
        self._started[pid] = time.monotonic()
        if self._ending:
            os.kill(pid, signal.SIGTERM)

    def _end(self, number: int, _: FrameType | None) -> None:
        self._ending = True
        for pid in self._started:
            os.kill(pid, number)
