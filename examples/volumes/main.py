"""Serves the service of volumes with asyncio, in all microversions, until it is interrupted."""

import asyncio
import sys

sys.path.insert(0, "gen")

from groups.volume.registry import list_aio_services
from groups.volume.server import Server
from groups.runtime.serving import AioGroupServer


async def main(endpoint: str) -> None:
    """Serve all microversions on one endpoint, such as localhost:50051."""
    server = AioGroupServer(list_aio_services(Server()), endpoint)
    await server.start()
    try:
        await server.wait()
    finally:
        await server.stop()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
