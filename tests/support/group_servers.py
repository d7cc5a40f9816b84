"""Servers of generated groups in tests: an asyncio server in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.groups import Package
from tests.support.serving import PATIENCE


@contextmanager
def serve_aio(package: Package, server: Any, **options: Any) -> Iterator[int]:
    """Serve a group with asyncio on a free port."""
    serving, registry = package.runtime("serving"), package.load("registry")
    loop = asyncio.new_event_loop()

    async def start() -> Any:
        asyncio.set_event_loop(loop)
        group = serving.AioGroupServer(registry.list_aio_services(server), "localhost:0", **options)
        await group.start()
        return group

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    group = asyncio.run_coroutine_threadsafe(start(), loop).result(PATIENCE)
    try:
        yield group.ports["localhost:0"]
    finally:
        asyncio.run_coroutine_threadsafe(_stop(group), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(PATIENCE)
        loop.close()


async def _stop(group: Any) -> None:
    """Stop a server, and end its calls that clients left open."""
    await group.stop(0)
    calls = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)


@contextmanager
def serve_threads(package: Package, server: Any, **options: Any) -> Iterator[int]:
    """Serve a group with threads on a free port."""
    serving, registry = package.runtime("serving"), package.load("registry")
    group = serving.GroupServer(registry.list_services(server), "localhost:0", **options)
    group.start()
    try:
        yield group.ports["localhost:0"]
    finally:
        group.stop(0)


class SyncServer:
    """A server for threads with the methods of an asyncio server."""

    def __init__(self, server: Any) -> None:
        self._server = server

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._server, name)

        def call(request: Any, context: Any, version: Any) -> Any:
            result = method(request, _AioContext(context), version)
            return asyncio.run(result) if asyncio.iscoroutine(result) else iter(asyncio.run(_collect(result)))

        return call


class _AioContext:
    def __init__(self, context: Any) -> None:
        self._context = context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    async def abort(self, code: Any, details: str) -> None:
        self._context.abort(code, details)


async def _collect(items: Any) -> list[Any]:
    return [item async for item in items]
