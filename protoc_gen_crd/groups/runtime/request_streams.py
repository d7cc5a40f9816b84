"""Streams of requests that a client converts from the hub."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

import grpc

Source = TypeVar("Source")
Target = TypeVar("Target")


class _ConvertedStream(Generic[Source, Target]):
    """Converts requests, and remembers the error that ends them: grpcio only cancels the call then."""

    def __init__(self, convert: Callable[[Source], Target]) -> None:
        self._convert = convert
        self._error: Exception | None = None

    @contextmanager
    def reraise(self) -> Iterator[None]:
        """Raise the error that ended the requests, instead of the error of the canceled call."""
        try:
            yield
        except (grpc.RpcError, CancelledError):
            if self._error is None:
                raise
            raise self._error from None


class RequestStream(_ConvertedStream[Source, Target]):
    """A stream of requests of a client with threads."""

    def __init__(self, convert: Callable[[Source], Target], requests: Iterator[Source]) -> None:
        super().__init__(convert)
        self._requests = iter(requests)

    def __iter__(self) -> Iterator[Target]:
        return self

    def __next__(self) -> Target:
        try:
            return self._convert(next(self._requests))
        except StopIteration:
            raise
        except Exception as error:
            self._error = error
            raise


class AioRequestStream(_ConvertedStream[Source, Target]):
    """A stream of requests of a client with asyncio."""

    def __init__(self, convert: Callable[[Source], Target], requests: AsyncIterator[Source]) -> None:
        super().__init__(convert)
        self._requests = aiter(requests)

    def __aiter__(self) -> AsyncIterator[Target]:
        return self

    async def __anext__(self) -> Target:
        try:
            return self._convert(await anext(self._requests))
        except StopAsyncIteration:
            raise
        except Exception as error:
            self._error = error
            raise
