"""A pool of processes that serve on one socket, are replaced when they die, and end together."""

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
_MIN_LIFETIME = 5.0  # seconds: a worker that dies sooner is not replaced at once


class WorkerPool:
    """A pool of `count` processes that run `work` until it returns. A process that dies is replaced."""

    def __init__(self, count: int, work: Callable[[], None]) -> None:
        self._count, self._work = count, work
        self._started: dict[int, float] = {}
        self._ending = False

    def run(self) -> None:
        """Run the workers until a signal to this process ends them all."""
        for number in _SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # nohup ignores SIGHUP
                signal.signal(number, self._handle_signal)
        metrics.remove_worker(os.getpid())  # the supervisor does not serve, and uses no certificate
        for _ in range(self._count):
            self._fork()
        while self._started:
            pid, status = os.wait()
            started = self._started.pop(pid, None)
            if started is None:  # a child of the process before serve replaced it, or one that process 1 inherited
                continue
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
        """Run the work in a new process and return the exit status."""
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
