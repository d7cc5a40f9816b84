"""The HTTPS server of one process, with certificate reload and graceful shutdown."""

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
_SHUTDOWN_TIMEOUT = 30  # seconds, which is how long an API server waits for one
_TICKS_PER_SECOND = 10  # a second

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


class Timeouts(Record):
    """Seconds: for a request to be there, of a connection without one, between the wish to end and the end."""

    request: int
    idle: int
    drain: int


class HttpsServer(uvicorn.Server):
    """Serves on a socket until it is told to end; then it is not ready at once, and ends some seconds later.

    The seconds are for whoever sends requests to notice. Meanwhile answers close their connections, so that none is
    used when it ends.
    """

    def __init__(
        self, application: Application, certificates: Certificates, times: Timeouts, supervisor: int = 0
    ) -> None:
        """`supervisor` is the process without which this one ends, 0 for none."""
        protocol = type("_Connection", (Connection,), {"seconds": times.request})
        config = uvicorn.Config(
            application, http=protocol, loop="asyncio", ws="none", lifespan="off", log_config=None, access_log=False,
            proxy_headers=False, server_header=False, timeout_keep_alive=times.idle,
            timeout_graceful_shutdown=_SHUTDOWN_TIMEOUT,
        )  # fmt: skip
        super().__init__(config)
        self._application, self._certificates, self._times = application, certificates, times
        self._supervisor = supervisor
        self._reason = "failure"
        self._end: float | None = None
        SSLProtocol.max_size = 65_536  # a buffer of each connection, which would have four times as much

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen; what uvicorn does, with a limit on the time that TLS may take to begin."""
        loop = asyncio.get_running_loop()
        self.lifespan = self.config.lifespan_class(self.config)

        def make_connection() -> asyncio.Protocol:
            return self.config.http_protocol_class(config=self.config, server_state=self.server_state, app_state={})  # type: ignore[call-arg]

        self.servers = [
            await loop.create_server(
                make_connection, sock=each, ssl=self._certificates.context, backlog=_BACKLOG,
                ssl_handshake_timeout=self._times.request, ssl_shutdown_timeout=self._times.request,
            )
            for each in sockets or ()
        ]  # fmt: skip
        self.started = True
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            signal.signal(signal.SIGHUP, self.handle_exit)  # uvicorn handles the other signals
        log(logging.INFO, "ready", port=sockets[0].getsockname()[1] if sockets else 0)

    async def on_tick(self, counter: int) -> bool:
        """Look after the certificate each second, and end in time."""
        if counter % _TICKS_PER_SECOND == 0:
            self._certificates.reload_if_changed()
            if self._supervisor and os.getppid() != self._supervisor:
                self._start_drain(f"the supervising process {self._supervisor} has ended")
        if self._end is not None and time.monotonic() >= self._end:
            self.should_exit = True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, and end those that are there after their answer."""
        await super().shutdown(sockets)
        log(logging.INFO, "ended", reason=self._reason)

    def handle_exit(self, sig: int, _: FrameType | None) -> None:
        """Begin to end; at once where somebody at a terminal wants it, or wants it again."""
        if self._end is not None or sig == signal.SIGINT:
            self.should_exit = True
        self._start_drain(signal.Signals(sig).name)

    def _start_drain(self, reason: str) -> None:
        if self._end is None:
            self._reason = reason
            log(logging.INFO, "draining", seconds=self._times.drain, reason=reason)
            self._application.draining = True
            self._end = time.monotonic() + self._times.drain
