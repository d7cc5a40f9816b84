"""The HTTPS server of one process: listens, takes up certificates, and ends without leaving a request unanswered."""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import signal
import socket
import time
from asyncio.sslproto import SSLProtocol
from types import FrameType

import uvicorn

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.webhook.application import Application
from protoc_gen_crd.webhook.certificates import Certificates
from protoc_gen_crd.webhook.connections import Connection
from protoc_gen_crd.webhook.logs import log

_BACKLOG = 2048
_LAST_ANSWERS = 30  # seconds, which is how long an API server waits for one
_TICKS = 10  # a second

Listener = socket.socket


def listen(address: str, port: int) -> Listener:
    """A socket to serve on, of all addresses where none is given. Raises OSError or OverflowError."""
    if not address and socket.has_dualstack_ipv6():
        made = socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
    else:
        (family, *_, place), *_ = socket.getaddrinfo(address or "0.0.0.0", port, type=socket.SOCK_STREAM)  # noqa: S104
        made = socket.create_server((str(place[0]), int(place[1])), family=family)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # connections are files
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio does not for connections of a given socket
    return made


class Times(Record):
    """Seconds: for a request to be there, of a connection without one, between the wish to end and the end."""

    request: int
    idle: int
    drain: int


class Server(uvicorn.Server):
    """Serves on a socket until it is told to end; then it is not ready at once, and ends some seconds later.

    The seconds are for whoever sends requests to notice. Meanwhile answers close their connections, so that none is
    used when it ends.
    """

    def __init__(self, application: Application, certificates: Certificates, times: Times) -> None:
        protocol = type("_Connection", (Connection,), {"seconds": times.request})
        config = uvicorn.Config(
            application, http=protocol, loop="asyncio", ws="none", lifespan="off", log_config=None, access_log=False,
            proxy_headers=False, server_header=False, timeout_keep_alive=times.idle,
            timeout_graceful_shutdown=_LAST_ANSWERS,
        )  # fmt: skip
        super().__init__(config)
        self._application, self._certificates, self._times = application, certificates, times
        self._parent = os.getppid()
        self._end: float | None = None
        SSLProtocol.max_size = 65_536  # a buffer of each connection, which would have four times as much

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; what uvicorn does, with a limit on the time that TLS may take to begin."""
        loop = asyncio.get_running_loop()
        self.lifespan = self.config.lifespan_class(self.config)

        def connection() -> asyncio.Protocol:
            return self.config.http_protocol_class(config=self.config, server_state=self.server_state, app_state={})  # type: ignore[call-arg]

        self.servers = [
            await loop.create_server(
                connection, sock=each, ssl=self._certificates.context, backlog=_BACKLOG,
                ssl_handshake_timeout=self._times.request, ssl_shutdown_timeout=self._times.request,
            )
            for each in sockets or ()
        ]  # fmt: skip
        self.started = True
        log(logging.INFO, "ready", port=sockets[0].getsockname()[1] if sockets else 0)

    async def on_tick(self, counter: int) -> bool:
        """Look after the certificate each second, and end in time."""
        if counter % _TICKS == 0:
            self._certificates.check()
            if os.getppid() != self._parent:
                self.handle_exit(signal.SIGTERM, None)
        if self._end is not None and time.monotonic() >= self._end:
            self.should_exit = True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, and end those that are there after their answer."""
        await super().shutdown(sockets)
        log(logging.INFO, "ended")

    def handle_exit(self, sig: int, _: FrameType | None) -> None:
        """Begin to end; at once where somebody at a terminal wants it, or wants it again."""
        if self._end is not None or sig == signal.SIGINT:
            self.should_exit = True
        if self._end is None:
            log(logging.INFO, "not ready any more", seconds=self._times.drain)
            self._application.draining = True
            self._end = time.monotonic() + self._times.drain
