"""Streams of responses of a client with asyncio."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, TypeVar

import grpc.aio

Response = TypeVar("Response")


async def read_responses(
    call: grpc.aio.UnaryStreamCall[Any, Response] | grpc.aio.StreamStreamCall[Any, Response],
) -> AsyncGenerator[Response, None]:
    """Yield the responses of a call. Closing the generator cancels the call, which grpcio does not do itself."""
    try:
        async for response in call:
            yield response
    finally:
        call.cancel()
