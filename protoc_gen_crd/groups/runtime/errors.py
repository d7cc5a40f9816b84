"""Errors of servers as statuses, and streams that are closed in any case."""

from __future__ import annotations

import logging
import uuid
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, NoReturn, TypeVar

import grpc
import grpc.aio

from .unknown_fields import InvalidMessage, UnknownFields
from .values import INVALID_ARGUMENT, ConversionError

LOG = logging.getLogger("grpc_groups")
Item = TypeVar("Item")
Source = TypeVar("Source")
Target = TypeVar("Target")


def abort(context: grpc.ServicerContext, error: Exception, rpc: str) -> NoReturn:
    """End a call with the status of an error. A call that the handler or the client ended keeps its status."""
    if _is_ended(context, error):
        raise error
    code, details = get_status(error, rpc)
    context.abort(code, details)
    raise error


async def abort_aio(context: grpc.aio.ServicerContext[Any, Any], error: Exception, rpc: str) -> None:
    """End a call with the status of an error. A call that the handler ended keeps its status."""
    if isinstance(error, grpc.aio.AbortError):
        raise error
    code, details = get_status(error, rpc)
    await context.abort(code, details)


def _is_ended(context: grpc.ServicerContext, error: Exception) -> bool:
    """Return whether the handler has called `abort`, which raises a bare Exception, or the client has left the call."""
    state = getattr(context, "_state", None)
    return bool(getattr(state, "aborted", False)) or error in getattr(state, "rpc_errors", ())


def get_status(error: Exception, rpc: str) -> tuple[grpc.StatusCode, str]:
    """Return the status of an error: its own, that of a value that does not fit, or INTERNAL with an id in the log."""
    if isinstance(error, ConversionError):
        return grpc.StatusCode[error.code], str(error)
    code = error.code() if isinstance(error, grpc.RpcError) and hasattr(error, "code") else None
    if isinstance(code, grpc.StatusCode) and code is not grpc.StatusCode.OK:
        details = error.details() if hasattr(error, "details") else ""
        return code, str(details or "")
    number = uuid.uuid4().hex
    LOG.error("error %s in %s", number, rpc, exc_info=error)
    return grpc.StatusCode.INTERNAL, f"internal error {number}"


def check_request(request: Item) -> Item:
    """Return a request that could be parsed. The parser replaces other requests by the reason."""
    if isinstance(request, InvalidMessage):
        raise ConversionError(request.reason, code="INTERNAL")
    if isinstance(request, UnknownFields):
        raise ConversionError(f"unknown fields: {', '.join(request.names)}", code=INVALID_ARGUMENT)
    return request


def convert_stream(convert: Callable[[Source], Target], requests: Iterable[Source]) -> Iterator[Target]:
    """Convert a stream of requests."""
    for request in requests:
        yield convert(check_request(request))


async def convert_stream_aio(
    convert: Callable[[Source], Target], requests: AsyncIterator[Source]
) -> AsyncIterator[Target]:
    """Convert a stream of requests."""
    async for request in requests:
        yield convert(check_request(request))


@contextmanager
def closing(stream: Iterator[Item]) -> Iterator[Iterator[Item]]:
    """Close a generator of responses at the end of a call, even if the client has left."""
    try:
        yield stream
    finally:
        if isinstance(stream, Generator):
            stream.close()


@asynccontextmanager
async def closing_aio(stream: AsyncIterator[Item]) -> AsyncIterator[AsyncIterator[Item]]:
    """Close an asynchronous generator of responses at the end of a call, even if the client has left."""
    try:
        yield stream
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
