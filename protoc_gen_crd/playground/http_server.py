"""The local HTTP server of `explore`: pages from memory, and answers of the playground.

It listens on the loopback address, and every path begins with a random token. Other sites cannot use it: a request
needs a local Host, against DNS rebinding, and a post needs the page's own Origin and the media type of JSON, against
cross-site request forgery. No path of a request names a file.
"""

from __future__ import annotations

import json
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.base.record import Record

ADDRESS = "127.0.0.1"
_STACK_SIZE = 64 * 2**20  # bytes for nested manifests, as in the main thread
_CHUNK_SIZE = 2**16
_JSON, _HTML, _TEXT = "application/json", "text/html; charset=utf-8", "text/plain; charset=utf-8"
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}

Answer = Callable[[Mapping[str, Any]], Any]


class ServerLimits(Record):
    """Limits: bytes of a body, requests in progress, seconds to receive a request."""

    body: int
    requests: int
    seconds: int


class Routes(Record):
    """The content of the server by path: `get_page` returns HTML or None, `answers` handle posts of JSON."""

    get_page: Callable[[str], str | None]
    answers: Mapping[str, Answer]


class RequestError(Exception):
    """A rejected request: the status code, and the reason."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class LocalServer(ThreadingHTTPServer):
    """The server. Raises OSError or OverflowError if the port cannot be used; 0 picks a free one."""

    daemon_threads = True
    request_queue_size = 64
    allow_reuse_address = True

    def __init__(self, port: int, limits: ServerLimits) -> None:
        self.limits, self.routes = limits, Routes(lambda _: None, {})
        self.token = secrets.token_urlsafe(24)
        self.slots = threading.BoundedSemaphore(limits.requests)
        threading.stack_size(_STACK_SIZE)
        super().__init__((ADDRESS, port), _Handler)

    def server_bind(self) -> None:
        """Bind without looking up the name of the address."""
        super(ThreadingHTTPServer, self).server_bind()

    @property
    def address(self) -> str:
        """The address to open, with the token."""
        return f"http://{ADDRESS}:{self.server_address[1]}/{self.token}/"

    @property
    def hosts(self) -> tuple[str, str]:
        """The values of Host that are accepted."""
        return f"{ADDRESS}:{self.server_address[1]}", f"localhost:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a client that disconnects."""


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: LocalServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "protoc-gen-crd", ""

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(self.server.limits.seconds)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, *_: Any) -> None:
        """Log nothing: paths contain the token."""

    def do_GET(self) -> None:
        """Send a page."""
        self._respond(self._get_page)

    def do_POST(self) -> None:
        """Answer a question of the page."""
        self._respond(self._answer)

    def _respond(self, handle: Callable[[str], tuple[str, str]]) -> None:
        if not self.server.slots.acquire(blocking=False):
            self._send(503, _TEXT, "too many requests\n")
            return
        try:
            self._send(200, *handle(self._check_request()))
        except RequestError as error:
            self.close_connection = True  # the body may be unread
            self._send(error.code, _TEXT, f"{error}\n")
        finally:
            self.server.slots.release()

    def _check_request(self) -> str:
        """Return the path after the token. Raises RequestError."""
        if self.headers.get_all("Host", []) not in ([host] for host in self.server.hosts):
            raise RequestError(421, "unexpected Host header: open the address that the command prints")
        path = self.path.partition("?")[0]
        token, slash, name = path.removeprefix("/").partition("/")
        if not slash or not compare_digest(token.encode("utf-8", "replace"), self.server.token.encode()):
            raise RequestError(404, "not found: open the address that the command prints")
        return name

    def _get_page(self, name: str) -> tuple[str, str]:
        page = self.server.routes.get_page(name or "index.html")
        if page is None:
            raise RequestError(404, "not found")
        return _HTML, page

    def _answer(self, name: str) -> tuple[str, str]:
        answer = self.server.routes.answers.get(name)
        if answer is None:
            raise RequestError(404, "not found")
        if self.headers.get("Origin") != f"http://{self.headers['Host']}":
            raise RequestError(403, "requests of other origins are rejected")
        if self.headers.get_content_type() != _JSON:
            raise RequestError(415, f"expected {_JSON}")
        try:
            question = parse_json(self._read_body().decode())
        except ValueError as error:
            raise RequestError(400, f"invalid JSON: {error}") from None
        if not isinstance(question, dict) or not all(isinstance(value, str) for value in question.values()):
            raise RequestError(400, "expected an object with strings")
        return _JSON, json.dumps(answer(question))

    def _read_body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            raise RequestError(411, "expected a Content-Length")
        if int(length) > self.server.limits.body:
            raise RequestError(413, f"the body exceeds {self.server.limits.body:,} bytes")
        data, deadline = bytearray(), time.monotonic() + self.server.limits.seconds
        try:
            while len(data) < int(length) and time.monotonic() < deadline:
                chunk = self.rfile.read1(min(_CHUNK_SIZE, int(length) - len(data)))
                if not chunk:
                    break
                data += chunk
        except TimeoutError:
            pass
        if len(data) < int(length):
            raise RequestError(408, "timed out before the whole body was received")
        return bytes(data)

    def _send(self, code: int, content_type: str, body: str) -> None:
        data = body.encode("utf-8", "replace")
        self.send_response(code)
        for name, value in {**_HEADERS, "Content-Type": content_type, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)
