"""Request bodies, read within limits.

The rest of the body of a rejected request is read and discarded, within limits as well. Otherwise the connection would
be reset while the client still sends, and the client would not see the response.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.webhook.http_responses import HttpResponse

_MAX_DRAINED_BODIES = 4  # maximum sizes of a body, up to which the rest of a body is discarded

Scope = dict[str, Any]
Exchange = Callable[..., Any]


class RequestLimits(Record):
    """Limits: bytes of a body, reviews in progress or waiting, seconds to receive a request."""

    body: int
    reviews: int
    seconds: int


class ClientDisconnectedError(Exception):
    """The client has disconnected."""


class RequestRejectedError(Exception):
    """A rejected request."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__(response.reason)
        self.response = response


class RequestBody:
    """The body of one request."""

    def __init__(self, scope: Scope, receive: Exchange, limits: RequestLimits) -> None:
        self._receive, self._limits = receive, limits
        headers = {name: value for name, value in scope["headers"] if name in (b"content-length", b"expect")}
        length = headers.get(b"content-length", b"")
        self._length = int(length) if length.isdigit() else 0
        self._ended = False
        self._is_unsent = b"expect" in headers  # the client sends the body only after it is requested

    async def read(self, reserve: Callable[[int], None]) -> bytearray:
        """Read the whole body; `reserve` is called with the size of each chunk.

        Raises RequestRejectedError if the body is too long or too slow, ClientDisconnectedError, and as `reserve` does.
        """
        if self._length > self._limits.body:
            raise RequestRejectedError(self._make_too_large_response())
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._read_chunks(reserve)
        except TimeoutError:
            self._is_unsent = True
            response = HttpResponse(408, b"the body came too slowly\n", reason="slow")
            raise RequestRejectedError(response) from None

    async def _read_chunks(self, reserve: Callable[[int], None]) -> bytearray:
        data, self._is_unsent = bytearray(), False
        while not self._ended:
            chunk = await self._receive_chunk()
            if len(data) + len(chunk) > self._limits.body:
                raise RequestRejectedError(self._make_too_large_response())
            reserve(len(chunk))
            data += chunk
        return data

    async def _receive_chunk(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnectedError
        self._ended = not message.get("more_body")
        chunk: bytes = message["body"]
        return chunk

    async def drain(self) -> bool:
        """Discard the rest of the body. Return whether it was complete, so that the connection can be used again."""
        if self._ended:
            return True
        remaining = _MAX_DRAINED_BODIES * self._limits.body
        with suppress(TimeoutError, ClientDisconnectedError):
            async with asyncio.timeout(self._limits.seconds):
                while not (self._ended or self._is_unsent) and remaining > 0:
                    remaining -= len(await self._receive_chunk())
        return self._ended

    def _make_too_large_response(self) -> HttpResponse:
        message = f"the body exceeds the limit of {self._limits.body:,} bytes\n"
        return HttpResponse(413, message.encode(), reason="large")
