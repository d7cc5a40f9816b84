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
from protoc_gen_crd.webhook.connections import Connection
from protoc_gen_crd.webhook.logs import log
from protoc_gen_crd.webhook.tls_context import Certificates

_BACKLOG = 2048
_SHUTDOWN_TIMEOUT = 30  # seconds; an API server does not wait longer for a response
_TICKS_PER_SECOND = 10  # a second

Listener = socket.socket


def listen(address: str, port: int) -> Listener:
    """Open a socket, on all addresses if `address` is empty. Raises OSError or OverflowError."""
    if not address and socket.has_dualstack_ipv6():
        listener = socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
    else:
        (family, *_, socket_address), *_ = socket.getaddrinfo(address or "0.0.0.0", port, type=socket.SOCK_STREAM)  # noqa: S104
        listener = socket.create_server((str(socket_address[0]), int(socket_address[1])), family=family)
    _, limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))  # connections are files
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # asyncio sets it only for sockets that it opens
    return listener


class Timeouts(Record):
    """Seconds to receive a request, seconds that a connection may be idle, grace period after SIGTERM in seconds."""

    request: int
    idle: int
    drain: int


class HttpsServer(uvicorn.Server):
    """A server that is not ready after SIGTERM, and ends after a grace period.

    Clients have the grace period to notice. Responses close their connections meanwhile, so that none is in use at the
    end.
    """

    def __init__(
        self, application: Application, certificates: Certificates, times: Timeouts, supervisor: int = 0
    ) -> None:
        """Configure the server. It ends if the process with the id `supervisor` ends; 0 for none."""
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
        SSLProtocol.max_size = 65_536  # buffer size of each connection, by default four times as much

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen like uvicorn, with time limits for TLS handshakes and shutdowns."""
        loop = asyncio.get_running_loop()
        self.lifespan = self.config.lifespan_class(self.config)

        def make_connection() -> asyncio.Protocol:
            return self.config.http_protocol_class(config=self.config, server_state=self.server_state, app_state={})  # type: ignore[call-arg]

        self.servers = [
            await loop.create_server(
                make_connection, sock=listener, ssl=self._certificates.context, backlog=_BACKLOG,
                ssl_handshake_timeout=self._times.request, ssl_shutdown_timeout=self._times.request,
            )
            for listener in sockets or ()
        ]  # fmt: skip
        self.started = True
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            signal.signal(signal.SIGHUP, self.handle_exit)  # uvicorn handles the other signals
        log(logging.INFO, "ready", port=sockets[0].getsockname()[1] if sockets else 0)

    async def on_tick(self, counter: int) -> bool:
        """Reload the certificate each second, and end after the grace period."""
        if counter % _TICKS_PER_SECOND == 0:
            self._certificates.reload_if_changed()
            if self._supervisor and os.getppid() != self._supervisor:
                self._start_drain(f"the supervising process {self._supervisor} has ended")
        if self._end is not None and time.monotonic() >= self._end:
            self.should_exit = True
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, and close the others after their responses."""
        await super().shutdown(sockets)
        log(logging.INFO, "ended", reason=self._reason)

    def handle_exit(self, sig: int, _: FrameType | None) -> None:
        """Start the grace period; end at once after SIGINT or a second signal."""
        if self._end is not None or sig == signal.SIGINT:
            self.should_exit = True
        self._start_drain(signal.Signals(sig).name)

    def _start_drain(self, reason: str) -> None:
        if self._end is None:
            self._reason = reason
            log(logging.INFO, "draining", seconds=self._times.drain, reason=reason)
            self._application.draining = True
            self._end = time.monotonic() + self._times.drain
