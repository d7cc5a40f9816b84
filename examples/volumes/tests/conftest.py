"""Fixtures of the tests: a running server with one volume."""

import asyncio
import threading
from collections.abc import Iterator

import grpc
import pytest
from groups.runtime.serving import AioGroupServer
from groups.volume import hub, registry
from groups.volume.server import Server

pytest_plugins = ["groups.runtime.testing"]


@pytest.fixture
def channel() -> Iterator[grpc.Channel]:
    """Serve all microversions, and connect to the server."""
    metadata = {"team": "storage"}
    volume = hub.Volume("data", 2048, metadata, hub.VolumeStatus.AVAILABLE, "storage-1")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def start() -> AioGroupServer:
        server = AioGroupServer(registry.list_aio_services(Server([volume])), "localhost:0")
        await server.start()
        return server

    server = asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    with grpc.insecure_channel(f"localhost:{server.ports['localhost:0']}") as channel:
        yield channel
    asyncio.run_coroutine_threadsafe(server.stop(0), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()
