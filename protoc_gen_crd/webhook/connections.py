"""Connections with timeouts, so that slow clients cannot exhaust the server."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from protoc_gen_crd.webhook import metrics

_MAX_HEADER_SIZE = 65_536  # bytes of a request before its body
_MAX_BUFFERED_SIZE = 65_536  # bytes that wait for what follows them


class _BufferedTransport:
    """A transport that sends what is written at one go in one piece.

    The head of an answer alone would wake the client, which then waits for the body while others have the processor.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._held: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send it with what was written just before, at once if it is long, else soon."""
        if not self._held:
            self._loop.call_soon(self.flush)
        self._held.append(data)
        if len(data) > _MAX_BUFFERED_SIZE:
            self.flush()

    def flush(self) -> None:
        """Send what was written."""
        held, self._held = self._held, []
        if held:
            self._transport.write(b"".join(held))

    def close(self) -> None:
        """Close it when all is sent."""
        self.flush()
        self._transport.close()


class Connection(HttpToolsProtocol):
    """One connection. `seconds` is how long the headers of a request, or a reader of an answer, may take."""

    seconds = 10

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadline: asyncio.TimerHandle | None = None
        self._stuck: asyncio.TimerHandle | None = None
        self._received = 0  # of headers that are not complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The time for the first request begins."""
        super().connection_made(_BufferedTransport(transport, self.loop))  # type: ignore[arg-type]
        self._deadline = self._schedule_end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is waited for any more."""
        for timer in (self._deadline, self._stuck):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """The time for the headers begins with their first byte."""
        if self.transport.is_closing():
            return
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            self._deadline = self._schedule_end()
        self._received += len(data)
        super().data_received(data)
        if self._deadline is None:
            self._received = 0
        elif self._received > _MAX_HEADER_SIZE:
            self._end("large")

    def on_headers_complete(self) -> None:
        """The headers are there in time."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """The answer goes out, before whatever else is to be done."""
        self.transport.flush()  # type: ignore[attr-defined]
        super().on_response_complete()

    def pause_writing(self) -> None:
        """The client does not read what it has asked for."""
        self._stuck = self._schedule_end()
        super().pause_writing()

    def resume_writing(self) -> None:
        """It reads on."""
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
        super().resume_writing()

    def _schedule_end(self) -> asyncio.TimerHandle:
        return self.loop.call_later(self.seconds, self._end)

    def _end(self, reason: str = "slow") -> None:
        metrics.REJECTED.labels(reason).inc()
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """What has come is no HTTP."""
        metrics.REJECTED.labels("malformed").inc()
        super().send_400_response(msg)
