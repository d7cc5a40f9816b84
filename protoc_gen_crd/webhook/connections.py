"""Connections with timeouts, so that slow clients cannot exhaust the server."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from protoc_gen_crd.webhook import metrics

_MAX_HEADER_SIZE = 65_536  # bytes of a request before its body
_MAX_BUFFERED_SIZE = 65_536  # bytes that are buffered until the next iteration


class _BufferedTransport:
    """A transport that sends consecutive writes in one piece.

    The head of a response alone would wake the client, which then waits for the body while other processes run.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._buffer: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Buffer data until the next iteration of the event loop; send it at once if it is long."""
        if not self._buffer:
            self._loop.call_soon(self.flush)
        self._buffer.append(data)
        if len(data) > _MAX_BUFFERED_SIZE:
            self.flush()

    def flush(self) -> None:
        """Send the buffered data."""
        chunks, self._buffer = self._buffer, []
        if chunks:
            self._transport.write(b"".join(chunks))

    def close(self) -> None:
        """Send the buffered data and close the transport."""
        self.flush()
        self._transport.close()


class Connection(HttpToolsProtocol):
    """One connection. `seconds` limits the time for the headers of a request and for reading a response."""

    seconds = 10

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._deadline: asyncio.TimerHandle | None = None
        self._write_deadline: asyncio.TimerHandle | None = None
        self._received = 0  # bytes of incomplete headers

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the time limit of the first request."""
        super().connection_made(_BufferedTransport(transport, self.loop))  # type: ignore[arg-type]
        self._deadline = self._schedule_end()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel all time limits."""
        for timer in (self._deadline, self._write_deadline):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Start the time limit of the headers with their first byte."""
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
        """End the time limit of the headers."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        """Send the response at once."""
        self.transport.flush()  # type: ignore[attr-defined]
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Start the time limit of a client that does not read the response."""
        self._write_deadline = self._schedule_end()
        super().pause_writing()

    def resume_writing(self) -> None:
        """End the time limit, since the client reads again."""
        if self._write_deadline is not None:
            self._write_deadline.cancel()
            self._write_deadline = None
        super().resume_writing()

    def _schedule_end(self) -> asyncio.TimerHandle:
        return self.loop.call_later(self.seconds, self._end)

    def _end(self, reason: str = "slow") -> None:
        metrics.REJECTED.labels(reason).inc()
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Count a request that is not HTTP."""
        metrics.REJECTED.labels("malformed").inc()
        super().send_400_response(msg)
