"""Servers of groups: all versions on one endpoint, or each on its own, with discovery, health, and reflection."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection, Iterable, Sequence
from concurrent import futures
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from . import discovery
from .services import VersionService

HEALTH, REFLECTION = EXTENSIONS = ("health", "reflection")
Options = Sequence[tuple[str, Any]]

_CHECK_SECONDS, _UNLINK_SECONDS = 0.1, 5
_LOGGER = logging.getLogger(__name__)


def _group_by_address(services: Iterable[VersionService], endpoint: str) -> dict[str, list[VersionService]]:
    """Return the services of each address."""
    by_address: dict[str, list[VersionService]] = {}
    for service in services:
        by_address.setdefault(service.format_endpoint(endpoint), []).append(service)
    return by_address


def _register(server: Any, services: Iterable[VersionService], *, is_aio: bool) -> None:
    for service in services:
        server.add_generic_rpc_handlers((service.make_handler(is_aio=is_aio),))
        if not service.microversions:  # handlers that are registered by their names do not depend on the version
            server.add_registered_method_handlers(service.name, dict(service.handlers))


def _add_port(server: Any, address: str, credentials: grpc.ServerCredentials | None) -> int:
    """Bind an address and return its port. Raises RuntimeError if it cannot be bound."""
    port = server.add_secure_port(address, credentials) if credentials else server.add_insecure_port(address)
    return int(port)


async def _wait_for_unlink(address: str) -> None:
    """Wait until a server that failed has removed its Unix socket: later, it would remove that of its replacement."""
    path = Path(address.removeprefix("unix:"))
    deadline = time.monotonic() + _UNLINK_SECONDS
    while address.startswith("unix:") and path.exists() and time.monotonic() < deadline:
        await asyncio.sleep(_CHECK_SECONDS / 10)


class GroupServer:
    """A server with threads. `ports` are the bound ports by address."""

    def __init__(
        self,
        services: Iterable[VersionService],
        endpoint: str,
        *,
        credentials: grpc.ServerCredentials | None = None,
        interceptors: Sequence[grpc.ServerInterceptor] = (),
        threads: int = 16,
        options: Options = (),
        extensions: Collection[str] = EXTENSIONS,
    ) -> None:
        """Bind the endpoint, in which `{group}` and `{version}` are replaced. Raises RuntimeError if that fails."""
        known = list(services)
        self.ports: dict[str, int] = {}
        self._servers: list[grpc.Server] = []
        self._health: list[Any] = []
        for address, group in _group_by_address(known, endpoint).items():
            pool = futures.ThreadPoolExecutor(max_workers=threads)
            server = grpc.server(pool, interceptors=list(interceptors), options=list(options))
            _register(server, [*group, discovery.make_service(group, is_aio=False)], is_aio=False)
            if HEALTH in extensions:
                from .health_and_reflection import add_health

                self._health.append(add_health(server, group))
            if REFLECTION in extensions:
                from .health_and_reflection import add_reflection

                add_reflection(server, group)
            self.ports[address] = _add_port(server, address, credentials)
            self._servers.append(server)

    def start(self) -> None:
        """Start to serve."""
        for server in self._servers:
            server.start()

    def stop(self, grace: float = 5) -> None:
        """Report that the services are not ready, and end after a grace period for open calls, in seconds."""
        for health in self._health:
            health.enter_graceful_shutdown()
        for event in [server.stop(grace) for server in self._servers]:
            event.wait()

    def wait(self) -> None:
        """Wait until the server has stopped."""
        for server in self._servers:
            server.wait_for_termination()


class AioGroupServer:
    """A server with asyncio. `ports` are the bound ports by address.

    The server of an address that fails is replaced within 0.1 s, and its open calls continue: that of grpcio accepts no
    more calls when a client sends a path that is not UTF-8.
    """

    def __init__(
        self,
        services: Iterable[VersionService],
        endpoint: str,
        *,
        credentials: grpc.ServerCredentials | None = None,
        interceptors: Sequence[Any] = (),
        options: Options = (),
        extensions: Collection[str] = EXTENSIONS,
    ) -> None:
        """Bind the endpoint, in which `{group}` and `{version}` are replaced. Raises RuntimeError if that fails."""
        self.ports: dict[str, int] = {}
        self._groups = _group_by_address(services, endpoint)
        self._interceptors = list(interceptors)
        self._options = list(options)
        self._credentials = credentials
        self._extensions = extensions
        self._servers: dict[str, grpc.aio.Server] = {}
        self._health: dict[str, Any] = {}
        self._failed: dict[grpc.aio.Server, asyncio.Task[None]] = {}  # those with open calls
        self._keepers: list[asyncio.Task[None]] = []
        self._stopped = asyncio.Event()
        for address in self._groups:
            self._add_server(address, address)

    def _add_server(self, address: str, bound: str) -> None:
        """Add the server of an address, bound to an address that may have another port."""
        group = self._groups[address]
        server = grpc.aio.server(interceptors=self._interceptors, options=self._options)
        _register(server, [*group, discovery.make_service(group, is_aio=True)], is_aio=True)
        if HEALTH in self._extensions:
            from .health_and_reflection import add_aio_health

            self._health[address] = add_aio_health(server)
        if REFLECTION in self._extensions:
            from .health_and_reflection import add_reflection

            add_reflection(server, group)
        self.ports[address] = _add_port(server, bound, self._credentials)
        self._servers[address] = server

    async def start(self) -> None:
        """Start to serve."""
        for address in self._servers:
            await self._start_server(address)
        self._keepers = [asyncio.create_task(self._keep_running(address)) for address in self._servers]

    async def _start_server(self, address: str) -> None:
        if address in self._health:
            from .health_and_reflection import set_serving

            await set_serving(self._health[address], self._groups[address])
        await self._servers[address].start()

    async def _keep_running(self, address: str) -> None:
        """Replace the server of an address whenever it fails, until it is stopped.

        Raises RuntimeError if the address cannot be bound again.
        """
        while not self._stopped.is_set():
            failed = self._servers[address]
            try:
                await failed.wait_for_termination(_CHECK_SECONDS)
                continue
            except Exception:
                _LOGGER.exception("the server of %s failed and is replaced", address)
            self._failed[failed] = asyncio.create_task(self._wait_for_calls(failed))
            await _wait_for_unlink(address)
            bound = f"{address.removesuffix(':0')}:{self.ports[address]}" if address.endswith(":0") else address
            self._add_server(address, bound)
            await self._start_server(address)
            if self._stopped.is_set():  # in the meantime
                await self._servers[address].stop(0)
        await self._servers[address].wait_for_termination()

    async def _wait_for_calls(self, failed: grpc.aio.Server) -> None:
        """Refer to a server that failed until its calls end: without a reference, they are canceled."""
        with suppress(Exception):  # it has the error of the server again
            await failed.wait_for_termination()
        del self._failed[failed]

    async def stop(self, grace: float = 5) -> None:
        """Report that the services are not ready, and end after a grace period for open calls, in seconds."""
        self._stopped.set()
        for health in list(self._health.values()):
            await health.enter_graceful_shutdown()
        failed = asyncio.gather(*[server.stop(grace) for server in self._failed], return_exceptions=True)
        waiting = list(self._failed.values())
        for server in list(self._servers.values()):
            await server.stop(grace)
        await failed
        await asyncio.gather(*waiting, *self._keepers, return_exceptions=True)

    async def wait(self) -> None:
        """Wait until the server has stopped. A task that is canceled can still stop the server gracefully."""
        await asyncio.shield(asyncio.gather(*self._keepers))


def read_credentials(certificate: bytes, key: bytes, client_ca: bytes | None = None) -> grpc.ServerCredentials:
    """Return the credentials of a server with TLS, in PEM. With a CA of clients, these must have certificates."""
    return grpc.ssl_server_credentials([(key, certificate)], client_ca, require_client_auth=client_ca is not None)
