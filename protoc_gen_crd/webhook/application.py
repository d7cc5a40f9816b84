"""What is served at which path, as an ASGI application, and what is told of it.

Reviews are worked at in slices, between which the loop looks after all else: probes, signals, other reviews. Of long
ones there is one at a time, so that memory is bounded.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.webhook import metrics, wire
from protoc_gen_crd.webhook.admissions import admit_review
from protoc_gen_crd.webhook.bodies import Body, EndedError, Exchange, Limits, RefusedError, Response, Scope, busy
from protoc_gen_crd.webhook.conversions import convert_review
from protoc_gen_crd.webhook.logs import log, log_failures
from protoc_gen_crd.webhook.review import Answer, Kinds, MalformedError

_JSON = "application/json"
_BODIES = 2  # of the longest, so many in memory at a time, answers among them
_SHORT = 1 << 18  # bytes of a body that is worked at beside others
_SLICE = 0.004  # seconds
_TAIL = b"]}}"  # behind the converted objects

Members = Callable[[], Iterator[tuple[str, Any]]]


class Application:
    """All that is served of some kinds."""

    def __init__(self, kinds: Kinds, limits: Limits) -> None:
        self.draining = False
        self._kinds, self._limits = kinds, limits
        self._waiting = self._held = 0
        self._turn = asyncio.Lock()
        self._reviews: dict[str, Callable[[Members], Iterator[Answer | None]]] = {
            "/convert": lambda members: convert_review(members, kinds),
            "/validate": lambda members: admit_review(members, kinds),
        }
        self._pages: dict[str, Callable[[], Response]] = {
            "/healthz": lambda: Response(200, b"ok\n"),
            "/readyz": lambda: Response(503, b"draining\n") if self.draining else Response(200, b"ok\n"),
            "/metrics": lambda: Response(200, metrics.page(), metrics.CONTENT_TYPE),
        }

    async def __call__(self, scope: Scope, receive: Exchange, send: Exchange) -> None:
        """Answer one request."""
        path, start = scope["path"], time.perf_counter()
        body = Body(scope, receive, self._limits)
        with _Room(self) as room:
            try:
                response = await self._answer(scope, receive, body, room)
            except RefusedError as error:
                response = error.response
                room.keep(0)
            except EndedError:
                metrics.REFUSED.labels("gone").inc()
                return
            except Exception:  # noqa: BLE001 - whatever it is, the next request must be answered
                log(logging.ERROR, "a request failed", path=path if path in self._reviews else "", exc_info=True)
                response = Response(500, b"the webhook failed; its log tells where\n")
            label = path if path in self._reviews or path in self._pages else "other"
            metrics.REQUESTS.labels(label, str(response.code)).inc()
            if response.reason:
                metrics.REFUSED.labels(response.reason).inc()
            room.keep(len(response.body))
            await self._send(response, send, close=self.draining or not await body.throw_away())
        if path in self._reviews:
            metrics.SECONDS.labels(path).observe(time.perf_counter() - start)

    async def _send(self, response: Response, send: Exchange, *, close: bool) -> None:
        headers = [("content-type", response.type), ("content-length", str(len(response.body))), *response.headers]
        if close:
            headers.append(("connection", "close"))
        encoded = [(name.encode(), value.encode()) for name, value in headers]
        await send({"type": "http.response.start", "status": response.code, "headers": encoded})
        left = len(response.body)
        for piece in response.pieces():
            left -= len(piece)
            await send({"type": "http.response.body", "body": piece, "more_body": left > 0})

    async def _answer(self, scope: Scope, receive: Exchange, body: Body, room: _Room) -> Response:
        path, method = scope["path"], scope["method"]
        page, answer = self._pages.get(path), self._reviews.get(path)
        if page is not None:
            return page() if method in ("GET", "HEAD") else _not_allowed("GET, HEAD")
        if answer is None:
            return Response(404, b"there is nothing here\n")
        if method != "POST":
            return _not_allowed("POST")
        metrics.IN_FLIGHT.inc()
        try:
            data = await body.read(room.take)
            return await self._worked(path, answer, data, receive)
        finally:
            metrics.IN_FLIGHT.dec()

    async def _worked(
        self, path: str, answer: Callable[[Members], Iterator[Answer | None]], data: wire.Data, receive: Exchange
    ) -> Response:
        if self._waiting >= self._limits.reviews:
            raise RefusedError(busy("too many reviews are waiting"))
        self._waiting += 1
        steps = answer(lambda: wire.members(data))
        try:
            await asyncio.sleep(0)  # let those that have come meanwhile be counted, and connections be looked after
            if len(data) <= _SHORT:
                return _response(path, await _last(steps, None))
            async with self._turn:
                gone = asyncio.ensure_future(receive())
                try:
                    return _response(path, await _last(steps, gone))
                finally:
                    gone.cancel()
        except MalformedError as error:
            return Response(400, f"{error}\n".encode(), reason="malformed")
        finally:
            self._waiting -= 1

    def hold(self, count: int) -> bool:
        """Make room for so many bytes; False, with room for none, where that is more than there is."""
        self._held += count
        if self._held <= _BODIES * self._limits.body:
            return True
        self._held -= count
        return False

    def free(self, count: int) -> None:
        """Give room back; take it whether or not it is there where the count is negative."""
        self._held -= count


class _Room:
    """The room that one request takes: its body, then its answer until that is sent."""

    def __init__(self, application: Application) -> None:
        self._application, self.held = application, 0

    def __enter__(self) -> _Room:
        return self

    def __exit__(self, *_: object) -> None:
        self.keep(0)

    def take(self, count: int) -> None:
        """Have so much more. Raises RefusedError where there is no room."""
        if not self._application.hold(count):
            raise RefusedError(busy("too much is being read"))
        self.held += count

    def keep(self, count: int) -> None:
        """Have so much and no more, of what is there already."""
        self._application.free(self.held - count)
        self.held = count


async def _last(steps: Iterator[Answer | None], gone: asyncio.Future[Any] | None) -> Answer:
    """The answer at which work arrives, slice by slice, unless the client leaves."""
    end = time.perf_counter() + _SLICE
    for step in steps:
        if step is not None:
            return step
        if time.perf_counter() > end:
            await asyncio.sleep(0)
            end = time.perf_counter() + _SLICE
            if gone is not None and gone.done() and gone.result()["type"] == "http.disconnect":
                raise EndedError
    raise EndedError


def _response(path: str, made: Answer) -> Response:
    """What is sent, with everything told of it."""
    body: wire.Data = wire.written(made.body)
    if objects := made.objects:
        objects[:0] = body.removesuffix(_TAIL)
        objects += _TAIL
        body = objects
    _record(path, made)
    log_failures(path, made.body["response"]["uid"], made.failures)
    return Response(200, body, _JSON)


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


def _not_allowed(methods: str) -> Response:
    return Response(405, f"the method must be {methods}\n".encode(), headers=(("allow", methods),))
