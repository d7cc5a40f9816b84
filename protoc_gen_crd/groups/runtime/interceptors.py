"""Interceptors that report the end of each call to observers: the log, and metrics. They never see contents."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import grpc
import grpc.aio

from .services import VersionService

LOG = logging.getLogger("grpc_groups")
_KINDS = {
    (False, False): grpc.unary_unary_rpc_method_handler,
    (False, True): grpc.unary_stream_rpc_method_handler,
    (True, False): grpc.stream_unary_rpc_method_handler,
    (True, True): grpc.stream_stream_rpc_method_handler,
}


class Call(NamedTuple):
    """A call that has ended. `code` is the name of its status; `is_deprecated` is true for old versions and RPCs."""

    group: str
    version: str
    rpc: str
    code: str
    seconds: float
    is_deprecated: bool


Observer = Callable[[Call], None]


def log_call(call: Call) -> None:
    """Write a call to the log."""
    level = logging.INFO if call.code in ("OK", "CANCELLED") else logging.WARNING
    LOG.log(level, "%s/%s/%s %s %.3f s", call.group, call.version, call.rpc, call.code, call.seconds)


class _Reporter:
    """Reports the calls of the services of groups. Calls of other services are not reported."""

    def __init__(self, services: Iterable[VersionService], observers: tuple[Observer, ...]) -> None:
        self._services = {service.name: service for service in services}
        self._observers = observers

    def find(self, call: Any) -> tuple[VersionService, str] | None:
        """Return the service and the RPC of a call of `/package.Service/Rpc`; None for other services."""
        name, _, rpc = call.method.removeprefix("/").partition("/")
        service = self._services.get(name)
        if service is None or rpc not in service.handlers:
            return None
        return service.select_version(call.invocation_metadata or ()), rpc

    @contextmanager
    def report(self, target: tuple[VersionService, str], context: Any) -> Iterator[None]:
        """Report a call when the block ends, with the status of its context."""
        service, rpc = target
        start, code = time.perf_counter(), ""
        try:
            yield
        except Exception:
            code = _get_code(context) or ("CANCELLED" if _is_canceled(context) else "UNKNOWN")
            raise
        except BaseException:  # a cancelled task, or a stream that is closed
            code = "CANCELLED"
            raise
        finally:
            is_deprecated = bool(service.deprecated) or rpc in service.deprecated_rpcs
            seconds = time.perf_counter() - start
            call = Call(service.group, service.version, rpc, code or _get_code(context) or "OK", seconds, is_deprecated)
            for observer in self._observers:
                observer(call)


def _is_canceled(context: Any) -> bool:
    """Return whether the client has left the call of a server with threads."""
    return hasattr(context, "is_active") and not context.is_active()


def _get_code(context: Any) -> str:
    """Return the name of the status of a call; empty if it has none yet."""
    code = context.code()
    if isinstance(code, int) and code:
        code = next((each for each in grpc.StatusCode if each.value[0] == code), None)
    return code.name if isinstance(code, grpc.StatusCode) else ""


class GroupInterceptor(grpc.ServerInterceptor):
    """An interceptor of servers with threads."""

    def __init__(self, services: Iterable[VersionService], *observers: Observer) -> None:
        self._reporter = _Reporter(services, observers)

    def intercept_service(self, continuation: Callable[[Any], Any], handler_call_details: Any) -> Any:
        """Return the handler of a call that reports its end."""
        handler = continuation(handler_call_details)
        target = self._reporter.find(handler_call_details)
        if handler is None or target is None:
            return handler
        reporter = self._reporter

        def answer(request: Any, context: Any) -> Any:
            with reporter.report(target, context):
                return _get_behavior(handler)(request, context)

        def stream(request: Any, context: Any) -> Iterator[Any]:
            with reporter.report(target, context):
                yield from _get_behavior(handler)(request, context)

        return _copy_handler(handler, stream if handler.response_streaming else answer)


class AioGroupInterceptor(grpc.aio.ServerInterceptor):
    """An interceptor of servers with asyncio."""

    def __init__(self, services: Iterable[VersionService], *observers: Observer) -> None:
        self._reporter = _Reporter(services, observers)

    async def intercept_service(self, continuation: Callable[[Any], Awaitable[Any]], handler_call_details: Any) -> Any:
        """Return the handler of a call that reports its end."""
        handler = await continuation(handler_call_details)
        target = self._reporter.find(handler_call_details)
        if handler is None or target is None:
            return handler
        reporter = self._reporter

        async def answer(request: Any, context: Any) -> Any:
            with reporter.report(target, context):
                return await _get_behavior(handler)(request, context)

        async def stream(request: Any, context: Any) -> AsyncIterator[Any]:
            with reporter.report(target, context):
                async for response in _get_behavior(handler)(request, context):
                    yield response

        return _copy_handler(handler, stream if handler.response_streaming else answer)


def _get_behavior(handler: Any) -> Callable[[Any, Any], Any]:
    behaviors: tuple[Any, ...] = (
        handler.unary_unary,
        handler.unary_stream,
        handler.stream_unary,
        handler.stream_stream,
    )
    behavior: Callable[[Any, Any], Any] = next(each for each in behaviors if each is not None)
    return behavior


def _copy_handler(handler: Any, behavior: Callable[[Any, Any], Any]) -> Any:
    make: Any = _KINDS[bool(handler.request_streaming), bool(handler.response_streaming)]
    return make(behavior, handler.request_deserializer, handler.response_serializer)
