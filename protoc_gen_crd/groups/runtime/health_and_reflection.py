"""Health and reflection, from the packages grpcio-health-checking and grpcio-reflection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import grpc
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from . import discovery
from .services import VersionService

_SERVING = health_pb2.HealthCheckResponse.SERVING
_HEALTH = "grpc.health.v1.Health"


def add_health(server: grpc.Server, services: Iterable[VersionService]) -> Any:
    """Add the health service, which reports that all services are ready, and return it."""
    servicer = health.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    for name in ("", *(service.name for service in services)):
        servicer.set(name, _SERVING)
    return servicer


def add_aio_health(server: Any) -> Any:
    """Add the health service of an asyncio server, and return it."""
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    return servicer


async def set_serving(servicer: Any, services: Iterable[VersionService]) -> None:
    """Report that services are ready."""
    for name in ("", *(service.name for service in services)):
        await servicer.set(name, _SERVING)


class MergedPool:
    """A view of several descriptor pools. The first pool with a file or symbol has it."""

    def __init__(self, pools: Sequence[DescriptorPool]) -> None:
        self._pools = pools

    def __getattr__(self, name: str) -> Any:
        """Return a search method, such as FindFileByName, that raises KeyError if no pool has the element."""
        if not name.startswith("Find"):
            raise AttributeError(name)

        def find(*arguments: Any) -> Any:
            for pool in self._pools:
                try:
                    return getattr(pool, name)(*arguments)
                except KeyError:
                    continue
            raise KeyError(arguments[-1])

        return find


def add_reflection(server: Any, services: Sequence[VersionService]) -> None:
    """Add the reflection service for all services of a server."""
    pools = [*(service.pool for service in services), discovery.pool, health_pb2.DESCRIPTOR.pool]
    names = [*(service.name for service in services), discovery.SERVICE, _HEALTH, reflection.SERVICE_NAME]
    reflection.enable_server_reflection(names, server, pool=MergedPool(pools))  # type: ignore[arg-type]
