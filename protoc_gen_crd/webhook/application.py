"""The ASGI application: routes, responses and metrics.

Reviews are processed in time slices, so that the event loop can serve probes, signals and other reviews in between.
Only one long review is processed at a time, to limit memory.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.webhook import metrics, review_json
from protoc_gen_crd.webhook.admission_review import admit_review
from protoc_gen_crd.webhook.conversion_review import convert_review, list_ignored_data_labels
from protoc_gen_crd.webhook.http_bodies import (
    ClientDisconnectedError,
    Exchange,
    RequestBody,
    RequestLimits,
    RequestRejectedError,
    Scope,
)
from protoc_gen_crd.webhook.http_responses import HttpResponse, make_busy_response
from protoc_gen_crd.webhook.logs import log, log_failures
from protoc_gen_crd.webhook.review_types import MalformedError, ReviewAnswer, ServedKinds

_JSON = "application/json"
_MAX_BODIES = 2  # bodies of the maximum size that are in memory at a time, including responses
_SHORT_BODY = 1 << 18  # bytes of a body that is processed concurrently with others
_TIME_SLICE = 0.004  # seconds
_TAIL = b"]}}"  # follows the converted objects


class Application:
    """The ASGI application that serves some kinds."""

    def __init__(self, kinds: ServedKinds, limits: RequestLimits) -> None:
        self.draining = False
        self._kinds, self._limits = kinds, limits
        metrics.add_series(metrics.IGNORED_CONVERSION_DATA, list_ignored_data_labels(kinds))
        self._waiting = self._reserved = 0
        self._long_review_lock = asyncio.Lock()
        self._reviews: dict[str, Callable[[review_json.MemberReader], Iterator[ReviewAnswer | None]]] = {
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
        with _MemoryReservation(self) as reservation:
            try:
                response = await self._respond(scope, receive, body, reservation)
            except RequestRejectedError as error:
                response = error.response
                reservation.resize(0)
            except ClientDisconnectedError:
                metrics.REJECTED.labels("gone").inc()
                return
            except Exception:  # noqa: BLE001 - a defect must not end the server
                log(logging.ERROR, "request failed", path=path if path in self._reviews else "", exc_info=True)
                response = HttpResponse(500, b"internal error, see the log of the webhook\n")
            label = path if path in self._reviews or path in self._pages else "other"
            metrics.REQUESTS.labels(label, str(response.code)).inc()
            if response.reason:
                metrics.REJECTED.labels(response.reason).inc()
            reservation.resize(len(response.body))
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
        self, scope: Scope, receive: Exchange, body: RequestBody, reservation: _MemoryReservation
    ) -> HttpResponse:
        path, method = scope["path"], scope["method"]
        make_page, answer = self._pages.get(path), self._reviews.get(path)
        if make_page is not None:
            return make_page() if method in ("GET", "HEAD") else _make_method_not_allowed("GET, HEAD")
        if answer is None:
            return HttpResponse(404, b"not found\n")
        if method != "POST":
            return _make_method_not_allowed("POST")
        metrics.IN_FLIGHT.inc()
        try:
            data = await body.read(reservation.extend)
            return await self._process_review(path, answer, data, receive)
        finally:
            metrics.IN_FLIGHT.dec()

    async def _process_review(
        self,
        path: str,
        answer: Callable[[review_json.MemberReader], Iterator[ReviewAnswer | None]],
        data: review_json.Data,
        receive: Exchange,
    ) -> HttpResponse:
        if self._waiting >= self._limits.reviews:
            raise RequestRejectedError(make_busy_response("too many reviews are waiting"))
        self._waiting += 1
        steps = answer(lambda: review_json.read_members(data))
        try:
            await asyncio.sleep(0)  # count reviews that have arrived meanwhile, and serve connections
            if len(data) <= _SHORT_BODY:
                return _make_response(path, await _finish_review(steps, None))
            async with self._long_review_lock:
                disconnect = asyncio.ensure_future(receive())
                try:
                    return _make_response(path, await _finish_review(steps, disconnect))
                finally:
                    disconnect.cancel()
        except MalformedError as error:
            return HttpResponse(400, f"{error}\n".encode(), reason="malformed")
        finally:
            self._waiting -= 1

    def reserve(self, count: int) -> bool:
        """Reserve memory for a number of bytes. Return False, without a reservation, if it exceeds the limit."""
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
        """Reserve more bytes. Raises RequestRejectedError if the limit is exceeded."""
        if not self._application.reserve(count):
            raise RequestRejectedError(make_busy_response("too many bytes are being read"))
        self.size += count

    def resize(self, count: int) -> None:
        """Set the number of reserved bytes, without a check of the limit."""
        self._application.release(self.size - count)
        self.size = count


async def _finish_review(steps: Iterator[ReviewAnswer | None], disconnect: asyncio.Future[Any] | None) -> ReviewAnswer:
    """Process a review in time slices and return its answer. Raises ClientDisconnectedError."""
    end = time.perf_counter() + _TIME_SLICE
    for step in steps:
        if step is not None:
            return step
        if time.perf_counter() > end:
            await asyncio.sleep(0)
            end = time.perf_counter() + _TIME_SLICE
            if disconnect is not None and disconnect.done() and disconnect.result()["type"] == "http.disconnect":
                raise ClientDisconnectedError
    raise ClientDisconnectedError


def _make_response(path: str, answer: ReviewAnswer) -> HttpResponse:
    """Build the response of a review; record metrics and log failures."""
    body: review_json.Data = review_json.encode_json(answer.body)
    if objects := answer.converted_objects:
        objects[:0] = body.removesuffix(_TAIL)
        objects += _TAIL
        body = objects
    _record_metrics(path, answer)
    log_failures(path, answer.body["response"]["uid"], answer.failures)
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
