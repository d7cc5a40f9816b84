"""What is served at which path, as an ASGI application: reads bodies within limits, and tells what became of them.

Reviews are worked at one after another: they need the interpreter to themselves. Between two of them the loop looks
after connections, so that probes are answered while others wait.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.webhook import metrics, wire
from protoc_gen_crd.webhook.admissions import admit_review
from protoc_gen_crd.webhook.conversions import convert_review, unwritable
from protoc_gen_crd.webhook.logs import log, log_failures
from protoc_gen_crd.webhook.review import Answer, Kinds, MalformedError

_JSON, _TEXT = "application/json", "text/plain; charset=utf-8"
_RETRY = "1"  # seconds
_BODIES = 2  # of the longest, so many in memory at a time

Scope = dict[str, Any]
Exchange = Callable[..., Any]


class Limits(Record):
    """How much is taken on: bytes of a body, reviews that wait or are worked at, seconds until a request is there."""

    body: int
    reviews: int
    seconds: int


class Response(Record):
    """A status code with its body and further headers; `reason` where the request was not answered as it wanted."""

    code: int
    body: bytes
    type: str = _TEXT
    headers: tuple[tuple[str, str], ...] = ()
    reason: str = ""


class _EndedError(Exception):
    """The client is gone."""


class _RefusedError(Exception):
    """A request that is not taken on."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.reason)
        self.response = response


class Application:
    """All that is served of some kinds."""

    def __init__(self, kinds: Kinds, limits: Limits) -> None:
        self.draining = False
        self._kinds, self._limits = kinds, limits
        self._waiting = self._held = 0
        self._turn = asyncio.Lock()
        self._reviews: dict[str, Callable[[Any], Answer]] = {
            "/convert": lambda review: convert_review(review, kinds),
            "/validate": lambda review: admit_review(review, kinds),
        }
        self._pages: dict[str, Callable[[], Response]] = {
            "/healthz": lambda: Response(200, b"ok\n"),
            "/readyz": lambda: Response(503, b"draining\n") if self.draining else Response(200, b"ok\n"),
            "/metrics": lambda: Response(200, metrics.page(), metrics.CONTENT_TYPE),
        }

    async def __call__(self, scope: Scope, receive: Exchange, send: Exchange) -> None:
        """Answer one request."""
        path, start = scope["path"], time.perf_counter()
        try:
            response = await self._answer(scope, receive)
        except _RefusedError as error:
            response = error.response
        except _EndedError:
            metrics.REFUSED.labels("gone").inc()
            return
        except Exception:  # noqa: BLE001 - whatever it is, the next request must be answered
            log(logging.ERROR, "a request failed", path=path if path in self._reviews else "", exc_info=True)
            response = Response(500, b"the webhook failed; its log tells where\n")
        label = path if path in self._reviews or path in self._pages else "other"
        metrics.REQUESTS.labels(label, str(response.code)).inc()
        if response.reason:
            metrics.REFUSED.labels(response.reason).inc()
        await self._send(response, send)
        if path in self._reviews:
            metrics.SECONDS.labels(path).observe(time.perf_counter() - start)

    async def _send(self, response: Response, send: Exchange) -> None:
        headers = [("content-type", response.type), ("content-length", str(len(response.body))), *response.headers]
        if self.draining:
            headers.append(("connection", "close"))
        encoded = [(name.encode(), value.encode()) for name, value in headers]
        await send({"type": "http.response.start", "status": response.code, "headers": encoded})
        await send({"type": "http.response.body", "body": response.body})

    async def _answer(self, scope: Scope, receive: Exchange) -> Response:
        path, method = scope["path"], scope["method"]
        page, answer = self._pages.get(path), self._reviews.get(path)
        if page is not None:
            return page() if method in ("GET", "HEAD") else _not_allowed("GET, HEAD")
        if answer is None:
            return Response(404, b"there is nothing here\n")
        if method != "POST":
            return _not_allowed("POST")
        metrics.IN_FLIGHT.inc()
        body = _Body(self, scope)
        try:
            return await self._worked(path, answer, await body.read(receive))
        finally:
            body.forget()
            metrics.IN_FLIGHT.dec()

    async def _worked(self, path: str, answer: Callable[[Any], Answer], data: bytes) -> Response:
        if self._waiting >= self._limits.reviews:
            raise _RefusedError(_busy("too many reviews are waiting"))
        self._waiting += 1
        try:
            async with self._turn:
                await asyncio.sleep(0)  # let those that have come meanwhile be counted, and connections be looked after
                return self._response(path, answer, data)
        finally:
            self._waiting -= 1

    def _response(self, path: str, answer: Callable[[Any], Answer], data: bytes) -> Response:
        try:
            review = wire.read(data)
            made = answer(review)
        except MalformedError as error:
            return Response(400, f"{error}\n".encode(), reason="malformed")
        try:
            body = wire.written(made.body)
        except ValueError:
            made = unwritable(review, made, wire.written)
            body = wire.written(made.body)
        _record(path, made)
        log_failures(path, review["request"]["uid"], made.failures)
        return Response(200, body, _JSON)

    # Of bodies.

    @property
    def limits(self) -> Limits:
        """How much is taken on."""
        return self._limits

    def hold(self, count: int) -> bool:
        """Make room for so many bytes, if there is any; less than none gives room back."""
        self._held += count
        if self._held > _BODIES * self._limits.body:
            self._held -= count
            return False
        return True


class _Body:
    """The body of one request, and the room that it takes."""

    def __init__(self, application: Application, scope: Scope) -> None:
        self._application, self._held = application, 0
        given = [value for name, value in scope["headers"] if name == b"content-length"]
        self._length = int(given[0]) if given and given[0].isdigit() else 0

    async def read(self, receive: Exchange) -> bytes:
        """All of it. Raises _RefusedError for one that is too long or too slow."""
        if self._length > self._application.limits.body:
            raise _RefusedError(self._too_long())
        try:
            async with asyncio.timeout(self._application.limits.seconds):
                return await self._read(receive)
        except TimeoutError:
            closing = (("connection", "close"),)
            slow = Response(408, b"the body came too slowly\n", headers=closing, reason="slow")
            raise _RefusedError(slow) from None

    async def _read(self, receive: Exchange) -> bytes:
        chunks: list[bytes] = []
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _EndedError
            chunk = message["body"]
            if self._held + len(chunk) > self._application.limits.body:
                raise _RefusedError(self._too_long())
            if not self._application.hold(len(chunk)):
                raise _RefusedError(_busy("too much is being read"))
            self._held += len(chunk)
            chunks.append(chunk)
            if not message.get("more_body"):
                return b"".join(chunks)

    def _too_long(self) -> Response:
        text = f"a body may have {self._application.limits.body:,} bytes\n"
        return Response(413, text.encode(), headers=(("connection", "close"),), reason="large")

    def forget(self) -> None:
        """Give the room back."""
        self._application.hold(-self._held)


def _record(path: str, answer: Answer) -> None:
    """Count what became of a review."""
    if path == "/validate":
        for labels, count in answer.counts.items():
            metrics.ADMISSIONS.labels(*labels).inc(count)
        for failure in answer.failures:
            metrics.ADMISSION_FAILURES.labels(*failure.labels[:3], failure.reason).inc()
        return
    for labels, count in answer.counts.items():
        metrics.CONVERSIONS.labels(*labels).inc(count)
    for failure in answer.failures:
        metrics.CONVERSION_FAILURES.labels(*failure.labels, failure.reason).inc()
    for labels, count in answer.ignored.items():
        metrics.STASHES_IGNORED.labels(*labels).inc(count)


def _busy(text: str) -> Response:
    return Response(503, f"{text}\n".encode(), headers=(("retry-after", _RETRY),), reason="busy")


def _not_allowed(methods: str) -> Response:
    return Response(405, f"the method must be {methods}\n".encode(), headers=(("allow", methods),))
