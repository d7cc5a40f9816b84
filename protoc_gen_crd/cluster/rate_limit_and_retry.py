"""Rate limit and retries of requests, safe for several threads.

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
    server_error_retries: int = 2  # a webhook that fails for an object usually fails again
    disconnected_retries: int = 7  # the restart of a server takes a minute
    first_delay: float = 0.5
    max_delay: float = 30.0

    def compute_delay(self, attempt: int) -> float:
        """Return the seconds before the attempt after this one."""
        return min(self.first_delay * 2.0**attempt, self.max_delay)


class RequestThrottle:
    """An ApiServer with at most `rate` requests per second, 0 for no limit, and retries; `stop` ends all waits."""

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
        """Sleep for some seconds. Raises ClusterError after `stop`."""
        if self._stopped.wait(seconds) if seconds > 0 else self._stopped.is_set():
            raise ClusterError("stopped")

    def call(self, method: str, path: str, body: object = None, *, content: str = JSON, accept: str = JSON) -> ApiReply:
        """Send a request with retries, and return the last reply. See ApiServer."""
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
        """Return the seconds until this request may be sent, and schedule the next one after it."""
        with self._lock:
            now = self._clock()
            start = max(self._next, now)
            self._next = start + self._interval
            return start - now

    def _back_off(self, reply: ApiReply, attempt: int) -> None:
        """Wait as the server requires; if it is overloaded, delay all requests."""
        pause = self._retry_policy.compute_delay(attempt) if reply.retry_after is None else reply.retry_after
        if reply.code in _OVERLOADED:
            with self._lock:
                self._next = max(self._next, self._clock() + pause)
        else:
            self.wait(pause)
