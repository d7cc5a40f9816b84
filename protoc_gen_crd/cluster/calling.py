"""Requests at a rate, and again where a server asks for it or breaks down. For several threads.

Source: k8s.io/client-go rest/with_retry.go, the API conventions on 429 and Retry-After.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api import (
    JSON,
    SERVER_ERROR,
    TOO_MANY_REQUESTS,
    Api,
    ClusterError,
    DisconnectedError,
    Reply,
)

_OVERLOADED = (TOO_MANY_REQUESTS, 503)


class Patience(Record):
    """How often to ask again, by what went wrong, and the seconds between, which double."""

    overloaded: int = 30
    broken: int = 2  # a webhook that fails for one object does so again
    disconnected: int = 7  # a server that starts anew takes a minute
    first: float = 0.5
    longest: float = 30.0

    def pause(self, attempt: int) -> float:
        """Seconds before the attempt after this one."""
        return min(self.first * 2.0**attempt, self.longest)


class Caller:
    """An Api that waits: `rate` requests a second at most, 0 for no limit; `stop` ends all waiting."""

    def __init__(
        self, api: Api, rate: int = 0, patience: Patience | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._api, self._patience, self._clock = api, patience or Patience(), clock
        self._gap = 1 / rate if rate else 0.0
        self._next = clock()
        self._lock = Lock()
        self._stopped = Event()
        self._reached = False

    def stop(self) -> None:
        """Let no further request go out."""
        self._stopped.set()

    def wait(self, seconds: float) -> None:
        """Sleep until then or the stop. Raises ClusterError where it has come."""
        if self._stopped.wait(seconds) if seconds > 0 else self._stopped.is_set():
            raise ClusterError("stopped")

    def call(self, method: str, path: str, body: object = None, *, content: str = JSON, accept: str = JSON) -> Reply:
        """See Api; the last answer where it does not get better."""
        attempt = 0
        while True:
            self.wait(self._turn())
            try:
                reply = self._api.call(method, path, body, content=content, accept=accept)
            except DisconnectedError:
                if not self._reached or attempt >= self._patience.disconnected:
                    raise
                self.wait(self._patience.pause(attempt))
            else:
                self._reached = True
                if attempt >= self._tries(reply.code):
                    return reply
                self._hold(reply, attempt)
            attempt += 1

    def _tries(self, code: int) -> int:
        if code in _OVERLOADED:
            return self._patience.overloaded
        return self._patience.broken if code >= SERVER_ERROR else 0

    def _turn(self) -> float:
        """Seconds until this request may go out; the next one goes behind it."""
        with self._lock:
            now = self._clock()
            turn = max(self._next, now)
            self._next = turn + self._gap
            return turn - now

    def _hold(self, reply: Reply, attempt: int) -> None:
        """Wait as the server says; where it is overloaded, with all other requests."""
        pause = self._patience.pause(attempt) if reply.retry_after is None else reply.retry_after
        if reply.code in _OVERLOADED:
            with self._lock:
                self._next = max(self._next, self._clock() + pause)
        else:
            self.wait(pause)
