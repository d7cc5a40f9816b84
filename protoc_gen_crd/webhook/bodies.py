"""The bodies of requests, read within limits, and what is answered where they are not taken on.

What is left of the body of a request that is turned away is read and thrown away, within limits as well: a connection
that is closed while its client still sends is reset, and the client never sees why.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from protoc_gen_crd.base.record import Record

TEXT = "text/plain; charset=utf-8"
_RETRY = ("retry-after", "1")  # seconds
_PIECE = 1 << 18  # bytes of an answer that are sent at a time
_THROWN = 4  # of the longest bodies, so much of one is thrown away

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
    body: bytes | bytearray
    type: str = TEXT
    headers: tuple[tuple[str, str], ...] = ()
    reason: str = ""

    def pieces(self) -> Iterator[bytes]:
        """The body, in parts to send one after another."""
        for at in range(0, max(len(self.body), 1), _PIECE):
            yield bytes(self.body[at : at + _PIECE])


class EndedError(Exception):
    """The client is gone."""


class RefusedError(Exception):
    """A request that is not taken on."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.reason)
        self.response = response


def busy(text: str) -> Response:
    """What is answered to be asked again."""
    return Response(503, f"{text}\n".encode(), headers=(_RETRY,), reason="busy")


class Body:
    """The body of one request."""

    def __init__(self, scope: Scope, receive: Exchange, limits: Limits) -> None:
        self._receive, self._limits = receive, limits
        given = {name: value for name, value in scope["headers"] if name in (b"content-length", b"expect")}
        length = given.get(b"content-length", b"")
        self._length = int(length) if length.isdigit() else 0
        self._ended = False
        self._silent = b"expect" in given  # nothing comes before it is asked for

    async def read(self, take: Callable[[int], None]) -> bytearray:
        """All of it. Raises RefusedError where it is too long or too slow, and as `take` does of bytes, EndedError."""
        if self._length > self._limits.body:
            raise RefusedError(self._too_long())
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._chunks(take)
        except TimeoutError:
            self._silent = True
            slow = Response(408, b"the body came too slowly\n", reason="slow")
            raise RefusedError(slow) from None

    async def _chunks(self, take: Callable[[int], None]) -> bytearray:
        data, self._silent = bytearray(), False
        while not self._ended:
            chunk = await self._next()
            if len(data) + len(chunk) > self._limits.body:
                raise RefusedError(self._too_long())
            take(len(chunk))
            data += chunk
        return data

    async def _next(self) -> bytes:
        message = await self._receive()
        if message["type"] == "http.disconnect":
            raise EndedError
        self._ended = not message.get("more_body")
        chunk: bytes = message["body"]
        return chunk

    async def throw_away(self) -> bool:
        """Read what is left of it; whether that was all, so that another request may come on the connection."""
        if self._ended:
            return True
        left = _THROWN * self._limits.body
        with suppress(TimeoutError, EndedError):
            async with asyncio.timeout(self._limits.seconds):
                while not (self._ended or self._silent) and left > 0:
                    left -= len(await self._next())
        return self._ended

    def _too_long(self) -> Response:
        text = f"a body may have {self._limits.body:,} bytes\n"
        return Response(413, text.encode(), reason="large")
