"""An HTTP/2 client that sends requests which gRPC clients cannot send: arbitrary frames and headers."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import ConnectionTerminated, DataReceived, ResponseReceived, StreamEnded, StreamReset, TrailersReceived
from h2.exceptions import ProtocolError

Header = tuple[bytes, bytes]
_SECONDS = 120  # until a server counts as silent


class Answer(NamedTuple):
    """The end of a request: its headers and trailers, and why it ended: `trailers`, `reset`, `closed`, or `silence`."""

    headers: dict[bytes, bytes]
    end: str

    @property
    def status(self) -> int | None:
        """The status of gRPC, None without one."""
        return int(self.headers[b"grpc-status"]) if b"grpc-status" in self.headers else None


class Http2Client:
    """A connection to a server."""

    def __init__(self, port: int) -> None:
        config = H2Configuration(
            validate_outbound_headers=False, normalize_outbound_headers=False, validate_inbound_headers=False,
            header_encoding=None,
        )  # fmt: skip
        self.connection = H2Connection(config)
        self.socket = socket.create_connection(("localhost", port), timeout=_SECONDS)
        self.connection.initiate_connection()
        self.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.socket.close()

    def flush(self) -> None:
        """Send the pending bytes of the connection."""
        self.socket.sendall(self.connection.data_to_send())

    def start(self, headers: Sequence[Header], data: bytes | None = None, *, ends: bool = True) -> int:
        """Send a request and return the number of its stream."""
        stream = self.connection.get_next_available_stream_id()
        self.connection.send_headers(stream, headers, end_stream=data is None and ends)
        if data is not None:
            self.connection.send_data(stream, data, end_stream=ends)
        self.flush()
        return stream

    def reset(self, stream: int) -> None:
        """Reset a stream."""
        self.connection.reset_stream(stream, ErrorCodes.CANCEL)
        self.flush()

    def wait(self, stream: int, seconds: float = _SECONDS) -> Answer:
        """Return the answer on a stream, `silence` if there is none for some seconds."""
        headers: dict[bytes, bytes] = {}
        deadline = time.monotonic() + seconds
        self.socket.settimeout(seconds)
        while time.monotonic() < deadline:
            try:
                data = self.socket.recv(65536)
                events = self.connection.receive_data(data) if data else []
                self.flush()
            except TimeoutError:
                break
            except (OSError, ProtocolError):
                return Answer(headers, "closed")
            if not data:
                return Answer(headers, "closed")
            for event in events:
                if end := _read_event(event, stream, headers):
                    return Answer(headers, end)
        return Answer(headers, "silence")


def _read_event(event: Any, stream: int, headers: dict[bytes, bytes]) -> str:
    """Add the headers of an event, and return how the request ended, or an empty string."""
    if isinstance(event, ConnectionTerminated):
        return "closed"
    if getattr(event, "stream_id", None) != stream:
        return ""
    if isinstance(event, (ResponseReceived, TrailersReceived)):
        headers.update(event.headers)
    if isinstance(event, StreamReset):
        return "reset"
    if isinstance(event, StreamEnded):
        return "trailers"
    return "data" if isinstance(event, DataReceived) and b"grpc-status" in headers else ""
