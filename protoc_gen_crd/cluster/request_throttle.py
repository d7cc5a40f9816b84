"""Requests at a rate, and again where a server asks for it or breaks down. For several threads.

Source: k8s.io/client-go rest/with_retry.go, the API conventions on 429 and Retry-After.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import (
    JSON,
    SERVER_ERROR,
    TOO_MANY_REQUESTS,
    ApiReply,
    ApiServer,
    ClusterError,
    DisconnectedError,
)

_OVERLOADED = (TOO_MANY_REQUESTS, 503)


class RetryPolicy(Record):
    """Retries by cause, with exponential backoff in seconds."""

    overloaded_retries: int = 30
    server_error_retries: int = 2  # a webhook that fails for one object does so again
    disconnected_retries: int = 7  # a server that starts anew takes a minute
    first_delay: float = 0.5
    max_delay: float = 30.0

    def compute_delay(self, attempt: int) -> float:
        """Seconds before the attempt after this one."""
        return min(self.first_delay * 2.0**attempt, self.max_delay)


class RequestThrottle:
    """An Api that waits: `rate` requests a second at most, 0 for no limit; `stop` ends all waiting."""

    def __init__(
        self,
        api: ApiServer,
        rate: int = 0,
        retry_policy: RetryPolicy | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._api, self._retry_policy, self._clock = api, retry_policy or RetryPolicy(), clock
        self._interval = 1 / rate if rate else 0.0
        self._next = clock()
        self._lock = Lock()
        self._stopped = Event()
        self._was_reached = False

    def stop(self) -> None:
        """Stop all further requests."""
        self._stopped.set()

    def wait(self, seconds: float) -> None:
        """Sleep until then or the stop. Raises ClusterError where it has come."""
        if self._stopped.wait(seconds) if seconds > 0 else self._stopped.is_set():
            raise ClusterError("stopped")

    def call(self, method: str, path: str, body: object = None, *, content: str = JSON, accept: str = JSON) -> ApiReply:
        """See Api; the last answer where it does not get better."""
        attempt = 0
        while True:
            self.wait(self._schedule())
            try:
                reply = self._api.call(method, path, body, content=content, accept=accept)
            except DisconnectedError:
                if not self._was_reached or attempt >= self._retry_policy.disconnected_retries:
                    raise
                self.wait(self._retry_policy.compute_delay(attempt))
            else:
                self._was_reached = True
                if attempt >= self._count_retries(reply.code):
                    return reply
                self._back_off(reply, attempt)
            attempt += 1

    def _count_retries(self, code: int) -> int:
        if code in _OVERLOADED:
            return self._retry_policy.overloaded_retries
        return self._retry_policy.server_error_retries if code >= SERVER_ERROR else 0

    def _schedule(self) -> float:
        """Seconds until this request may go out; the next one goes behind it."""
        with self._lock:
            now = self._clock()
            turn = max(self._next, now)
            self._next = turn + self._interval
            return turn - now

    def _back_off(self, reply: ApiReply, attempt: int) -> None:
        """Wait as the server says; where it is overloaded, with all other requests."""
        pause = self._retry_policy.compute_delay(attempt) if reply.retry_after is None else reply.retry_after
        if reply.code in _OVERLOADED:
            with self._lock:
                self._next = max(self._next, self._clock() + pause)
        else:
            self.wait(pause)
