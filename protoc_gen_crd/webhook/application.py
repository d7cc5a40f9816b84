"""The ASGI application: routes, responses and metrics.

Reviews are worked at in slices, between which the loop looks after all else: probes, signals, other reviews. Of long
ones there is one at a time, so that memory is bounded.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.webhook import metrics, review_json
from protoc_gen_crd.webhook.admission_review import admit_review
from protoc_gen_crd.webhook.conversion_review import convert_review
from protoc_gen_crd.webhook.http_bodies import (
    ClientDisconnectedError,
    Exchange,
    HttpResponse,
    RequestBody,
    RequestLimits,
    RequestRejectedError,
    Scope,
    make_busy_response,
)
from protoc_gen_crd.webhook.logs import log, log_failures
from protoc_gen_crd.webhook.review import MalformedError, ReviewAnswer, ServedKinds

_JSON = "application/json"
_MAX_BODIES = 2  # of the longest, so many in memory at a time, answers among them
_SHORT_BODY = 1 << 18  # bytes of a body that is worked at beside others
_TIME_SLICE = 0.004  # seconds
_TAIL = b"]}}"  # behind the converted objects

MemberReader = Callable[[], Iterator[tuple[str, Any]]]


class Application:
    """All that is served of some kinds."""

    def __init__(self, kinds: ServedKinds, limits: RequestLimits) -> None:
        self.draining = False
        self._kinds, self._limits = kinds, limits
        self._waiting = self._reserved = 0
        self._long_review_lock = asyncio.Lock()
        self._reviews: dict[str, Callable[[MemberReader], Iterator[ReviewAnswer | None]]] = {
            "/convert": lambda members: convert_review(members, kinds),
            "/validate": lambda members: admit_review(members, kinds),
        }
        self._pages: dict[str, Callable[[], HttpResponse]] = {
            "/healthz": lambda: HttpResponse(200, b"ok\n"),
            "/readyz": lambda: HttpResponse(503, b"draining\n") if self.draining else HttpResponse(200, b"ok\n"),
            "/metrics": lambda: HttpResponse(200, metrics.render_metrics(), metrics.CONTENT_TYPE),
        }

    async def __call__(self, scope: Scope, receive: Exchange, send: Exchange) -> None:
        """Answer one request."""
        path, start = scope["path"], time.perf_counter()
        body = RequestBody(scope, receive, self._limits)
        with _MemoryReservation(self) as room:
            try:
                response = await self._respond(scope, receive, body, room)
            except RequestRejectedError as error:
                response = error.response
                room.resize(0)
            except ClientDisconnectedError:
                metrics.REJECTED.labels("gone").inc()
                return
            except Exception:  # noqa: BLE001 - whatever it is, the next request must be answered
                log(logging.ERROR, "request failed", path=path if path in self._reviews else "", exc_info=True)
                response = HttpResponse(500, b"internal error, see the log of the webhook\n")
            label = path if path in self._reviews or path in self._pages else "other"
            metrics.REQUESTS.labels(label, str(response.code)).inc()
            if response.reason:
                metrics.REJECTED.labels(response.reason).inc()
            room.resize(len(response.body))
            await self._send(response, send, close=self.draining or not await body.drain())
        if path in self._reviews:
            metrics.SECONDS.labels(path).observe(time.perf_counter() - start)

    async def _send(self, response: HttpResponse, send: Exchange, *, close: bool) -> None:
        headers = [("content-type", response.type), ("content-length", str(len(response.body))), *response.headers]
        if close:
            headers.append(("connection", "close"))
        encoded = [(name.encode(), value.encode()) for name, value in headers]
        await send({"type": "http.response.start", "status": response.code, "headers": encoded})
        left = len(response.body)
        for piece in response.split_body():
            left -= len(piece)
            await send({"type": "http.response.body", "body": piece, "more_body": left > 0})

    async def _respond(
        self, scope: Scope, receive: Exchange, body: RequestBody, room: _MemoryReservation
    ) -> HttpResponse:
        path, method = scope["path"], scope["method"]
        page, answer = self._pages.get(path), self._reviews.get(path)
        if page is not None:
            return page() if method in ("GET", "HEAD") else _make_method_not_allowed("GET, HEAD")
        if answer is None:
            return HttpResponse(404, b"not found\n")
        if method != "POST":
            return _make_method_not_allowed("POST")
        metrics.IN_FLIGHT.inc()
        try:
            data = await body.read(room.extend)
            return await self._process_review(path, answer, data, receive)
        finally:
            metrics.IN_FLIGHT.dec()

    async def _process_review(
        self,
        path: str,
        answer: Callable[[MemberReader], Iterator[ReviewAnswer | None]],
        data: review_json.Data,
        receive: Exchange,
    ) -> HttpResponse:
        if self._waiting >= self._limits.reviews:
            raise RequestRejectedError(make_busy_response("too many reviews are waiting"))
        self._waiting += 1
        steps = answer(lambda: review_json.read_members(data))
        try:
            await asyncio.sleep(0)  # let those that have come meanwhile be counted, and connections be looked after
            if len(data) <= _SHORT_BODY:
                return _make_response(path, await _finish_review(steps, None))
            async with self._long_review_lock:
                gone = asyncio.ensure_future(receive())
                try:
                    return _make_response(path, await _finish_review(steps, gone))
                finally:
                    gone.cancel()
        except MalformedError as error:
            return HttpResponse(400, f"{error}\n".encode(), reason="malformed")
        finally:
            self._waiting -= 1

    def reserve(self, count: int) -> bool:
        """Make room for so many bytes; False, with room for none, where that is more than there is."""
        self._reserved += count
        if self._reserved <= _MAX_BODIES * self._limits.body:
            return True
        self._reserved -= count
        return False

    def release(self, count: int) -> None:
        """Release reserved bytes; a negative count reserves them without a check."""
        self._reserved -= count


class _MemoryReservation:
    """The memory reserved for one request: its body, then its response until it is sent."""

    def __init__(self, application: Application) -> None:
        self._application, self.size = application, 0

    def __enter__(self) -> _MemoryReservation:
        return self

    def __exit__(self, *_: object) -> None:
        self.resize(0)

    def extend(self, count: int) -> None:
        """Have so much more. Raises RefusedError where there is no room."""
        if not self._application.reserve(count):
            raise RequestRejectedError(make_busy_response("too many bytes are being read"))
        self.size += count

    def resize(self, count: int) -> None:
        """Have so much and no more, of what is there already."""
        self._application.release(self.size - count)
        self.size = count


async def _finish_review(steps: Iterator[ReviewAnswer | None], gone: asyncio.Future[Any] | None) -> ReviewAnswer:
    """The answer at which work arrives, slice by slice, unless the client leaves."""
    end = time.perf_counter() + _TIME_SLICE
    for step in steps:
        if step is not None:
            return step
        if time.perf_counter() > end:
            await asyncio.sleep(0)
            end = time.perf_counter() + _TIME_SLICE
            if gone is not None and gone.done() and gone.result()["type"] == "http.disconnect":
                raise ClientDisconnectedError
    raise ClientDisconnectedError


def _make_response(path: str, made: ReviewAnswer) -> HttpResponse:
    """Build the response of a review; record metrics and log failures."""
    body: review_json.Data = review_json.encode_json(made.body)
    if objects := made.converted_objects:
        objects[:0] = body.removesuffix(_TAIL)
        objects += _TAIL
        body = objects
    _record_metrics(path, made)
    log_failures(path, made.body["response"]["uid"], made.failures)
    return HttpResponse(200, body, _JSON)


def _record_metrics(path: str, answer: ReviewAnswer) -> None:
    """Record the metrics of a review."""
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
    for labels, count in answer.ignored_data.items():
        metrics.IGNORED_CONVERSION_DATA.labels(*labels).inc(count)


def _make_method_not_allowed(methods: str) -> HttpResponse:
    return HttpResponse(405, f"method not allowed, use {methods}\n".encode(), headers=(("allow", methods),))
