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

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_MIN_LIFETIME = 5.0  # seconds: who lived no longer is not replaced at once


class WorkerPool:
    """Runs `work` in so many processes, in each until it returns, and anew in place of one that dies."""

    def __init__(self, count: int, work: Callable[[], None]) -> None:
        self._count, self._work = count, work
        self._started: dict[int, float] = {}
        self._ending = False

    def run(self) -> None:
        """Return when all have ended, which a signal to this process brings about."""
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
                signal.signal(number, self._handle_signal)
        metrics.remove_worker(os.getpid())  # which serves nothing, and has no certificate in use
        for _ in range(self._count):
            self._fork()
        while self._started:
            pid, status = os.wait()
            started = self._started.pop(pid)
            metrics.remove_worker(pid)
            if not self._ending:
                log(logging.ERROR, "worker died", worker=pid, status=os.waitstatus_to_exitcode(status))
                if time.monotonic() - started < _MIN_LIFETIME:
                    time.sleep(1)
                self._fork()

    def _fork(self) -> None:
        pid = os.fork()
        if pid == 0:
            os._exit(self._run_child())
        self._started[pid] = time.monotonic()
        if self._ending:
            os.kill(pid, signal.SIGTERM)

    def _run_child(self) -> int:
        """Do the work in a new process; the exit status."""
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)  # the supervisor's handler would end the other workers
        if self._ending:
            return 0
        try:
            self._work()
        except Exception:  # noqa: BLE001 - the supervisor replaces the worker
            log(logging.ERROR, "worker failed", exc_info=True)
            return 1
        return 0

    def _handle_signal(self, number: int, _: FrameType | None) -> None:
        if not self._ending:
            log(logging.INFO, "stopping the workers", reason=signal.Signals(number).name)
        self._ending = True
        for pid in self._started:
            os.kill(pid, number)
