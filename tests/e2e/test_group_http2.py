"""Servers of groups against clients that send malformed metadata and frames: they end the request, and keep running."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from tests.support.groups import Package, generate_package, import_package
from tests.support.serving import PATIENCE, until

http2_client = pytest.importorskip("tests.support.http2_client", reason="h2 is not installed", exc_type=ImportError)

Options = Sequence[tuple[str, int]]
PROTO = """syntax = "proto3";
package echo.{version};
service Echo {{ rpc Do(Task) returns (Task); rpc Watch(stream Task) returns (stream Task); }}
message Task {{ string name = 1; }}
"""
HEADERS = {
    b":method": b"POST", b":scheme": b"http", b":path": b"/echo.v1.Echo/Do", b":authority": b"localhost",
    b"te": b"trailers", b"content-type": b"application/grpc",
}  # fmt: skip
TASK = b"\x0a\x01a"
FRAME = b"\x00" + len(TASK).to_bytes(4, "big") + TASK
# All but UNKNOWN, which handlers have for errors that nobody expected.
STATUSES = {code.value[0] for code in grpc.StatusCode if code is not grpc.StatusCode.UNKNOWN}
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
FATAL = "a path that is not text"  # for the asyncio server of grpcio
# Headers to replace or, without a value, to leave out; the body; and whether the request may succeed all the same.
MALFORMED: dict[str, tuple[dict[bytes, bytes | None], bytes | None, bool]] = {
    "metadata that is not base64": ({b"trace-bin": b"%%%"}, FRAME, True),
    "metadata that is not text": ({b"note": b"\xff\xfe\x00\x01"}, FRAME, True),
    "a name in upper case": ({b"Note": b"a"}, FRAME, True),
    "a name with a space": ({b"a note": b"a"}, FRAME, True),
    "an empty name": ({b"": b"a"}, FRAME, True),
    "a reserved name": ({b"grpc-status": b"0", b"grpc-message": b"%zz"}, FRAME, True),
    "a line break": ({b"note": b"a\r\nb: c"}, FRAME, True),
    "large metadata": ({b"note": b"x" * 100_000}, FRAME, True),
    "a timeout that is no number": ({b"grpc-timeout": b"soon"}, FRAME, True),
    "a timeout in the past": ({b"grpc-timeout": b"-1S"}, FRAME, True),
    "no path": ({b":path": None}, FRAME, False),
    "an unknown path": ({b":path": b"/echo.v9.Echo/Do"}, FRAME, False),
    FATAL: ({b":path": b"/\xff\xff"}, FRAME, False),
    "no method": ({b":method": None}, FRAME, False),
    "GET": ({b":method": b"GET"}, FRAME, False),
    "no content type": ({b"content-type": None}, FRAME, True),
    "a content type of JSON": ({b"content-type": b"application/json"}, FRAME, True),
    "no te": ({b"te": None}, FRAME, True),
    "an unknown encoding": ({b"grpc-encoding": b"zip"}, FRAME, True),
    "no body": ({}, None, False),
    "half a frame": ({}, FRAME[:-1], False),
    "half a header of a frame": ({}, FRAME[:3], False),
    "a frame of 4 GB": ({}, b"\x00\xff\xff\xff\xff" + TASK, False),
    "a compressed frame without an encoding": ({}, b"\x01" + FRAME[1:], False),
    "an unknown flag": ({}, b"\x07" + FRAME[1:], True),
    "a message that is not protobuf": ({}, b"\x00\x00\x00\x00\x02\xff\xff", False),
    "a string that is not UTF-8": ({}, b"\x00\x00\x00\x00\x03\x0a\x01\xff", False),
    "two messages": ({}, FRAME + FRAME, True),
}
# An asyncio server requests one call after the other, so that calls wait. By default, grpcio rejects calls randomly if
# more than 1,000 wait, and all if 3,000 do.
LONG_QUEUE = [
    ("grpc.server.max_pending_requests", 100_000),
    ("grpc.server.max_pending_requests_hard_limit", 100_000),
]
INCOMPLETE = ("no body", "half a frame", "half a header of a frame")
CONNECTIONS = {
    "no preface": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "random bytes": bytes(range(256)) * 16,
    "half a preface": PREFACE[:9],
    "frames without settings": PREFACE + b"\x00\x00\x01\x00\x01\x00\x00\x00\x01a",
    "headers that are not HPACK": PREFACE + SETTINGS + b"\x00\x00\x04\x01\x05\x00\x00\x00\x01\xff\xff\xff\xff",
    "a frame that is too large": PREFACE + SETTINGS + b"\xff\xff\xff\x00\x00\x00\x00\x00\x01",
    "an unknown frame": PREFACE + SETTINGS + b"\x00\x00\x00\xee\xff\x00\x00\x00\x01",
    "a window of zero": PREFACE + SETTINGS + b"\x00\x00\x04\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00",
    "a stream of the server": PREFACE + SETTINGS + b"\x00\x00\x00\x01\x05\x00\x00\x00\x02",
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("echo")
    protos = {f"echo/{version}/api.proto": PROTO.format(version=version) for version in ("v1", "v2")}
    name, findings = generate_package(protos, folder)
    assert findings == []
    with import_package(folder, name, "echo") as package:
        yield package


def serve_threads(package: Package, options: Options = ()) -> Iterator[int]:
    class Server:
        def do(self, request: Any, context: object, version: object) -> Any:
            return request

        def watch(self, requests: Iterator[Any], context: object, version: object) -> Iterator[Any]:
            yield from requests

    services = list(package.load("registry").list_services(Server()))
    interceptor = package.runtime("interceptors").GroupInterceptor(services, package.runtime("interceptors").log_call)
    serving = package.runtime("serving")
    group = serving.GroupServer(services, "localhost:0", interceptors=[interceptor], options=options)
    group.start()
    yield group.ports["localhost:0"]
    group.stop(0)


def serve_asyncio(package: Package, options: Options = (), endpoint: str = "localhost:0") -> Iterator[int]:
    class Server:
        async def do(self, request: Any, context: object, version: object) -> Any:
            return request

        async def watch(self, requests: Any, context: object, version: object) -> Any:
            async for request in requests:
                yield request

    ports: list[int] = []
    started, stopping = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def run() -> None:
        services = list(package.load("registry").list_aio_services(Server()))
        interceptors = package.runtime("interceptors")
        interceptor = interceptors.AioGroupInterceptor(services, interceptors.log_call)
        serving = package.runtime("serving")
        group = serving.AioGroupServer(services, endpoint, interceptors=[interceptor], options=options)
        await group.start()
        ports.append(group.ports[endpoint])
        started.set()
        await stopping.wait()
        await group.stop(0)

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    assert started.wait(PATIENCE)
    yield ports[0]
    loop.call_soon_threadsafe(stopping.set)
    thread.join(PATIENCE)
    loop.close()


@pytest.fixture(scope="module", params=[serve_threads, serve_asyncio])
def port(request: pytest.FixtureRequest, package: Package) -> Iterator[int]:
    yield from request.param(package)


@pytest.fixture
def is_asyncio(request: pytest.FixtureRequest) -> bool:
    """Return whether the server of this test uses asyncio."""
    return request.node.callspec.params["port"] is serve_asyncio


def call_versions(address: str) -> Iterator[grpc.StatusCode]:
    """Yield the statuses of the calls of a client of each version."""
    with grpc.insecure_channel(address) as channel:
        for version in ("v1", "v2"):
            call: Any = channel.unary_unary(f"/echo.{version}.Echo/Do")
            try:
                assert call(TASK, timeout=PATIENCE, wait_for_ready=True) == TASK
                yield grpc.StatusCode.OK
            except grpc.RpcError as error:
                yield error.code()


def check_service(port: int) -> None:
    """Check that the server answers a client of each version."""
    assert list(call_versions(f"localhost:{port}")) == [grpc.StatusCode.OK] * 2


def check_replacement(address: str, caplog: pytest.LogCaptureFixture) -> None:
    """Check that the server is replaced and answers again. grpcio may cancel a call that comes in between."""
    assert until(lambda: "is replaced" in caplog.text)
    assert until(lambda: set(call_versions(address)) == {grpc.StatusCode.OK})


def make_headers(changes: dict[bytes, bytes | None]) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in {**HEADERS, **changes}.items() if value is not None]


def test_a_correct_request_is_answered(port: int) -> None:
    with http2_client.Http2Client(port) as client:
        answer = client.wait(client.start(make_headers({}), FRAME))
    assert (answer.status, answer.end) == (0, "trailers")


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_request_ends(port: int, is_asyncio: bool, name: str, caplog: pytest.LogCaptureFixture) -> None:
    changes, body, may_succeed = MALFORMED[name]
    caplog.set_level(logging.ERROR)
    with http2_client.Http2Client(port) as client:
        # With asyncio, grpcio waits for the client to leave if a request has no whole message.
        answer = client.wait(client.start(make_headers(changes), body), seconds=1 if name in INCOMPLETE else PATIENCE)
    assert answer.end != "silence" or name in INCOMPLETE
    assert answer.status is None or answer.status in STATUSES, answer
    assert may_succeed or answer.status != 0, answer
    assert b"Traceback" not in answer.headers.get(b"grpc-message", b"")
    if name == FATAL and is_asyncio:
        check_replacement(f"localhost:{port}", caplog)
    check_service(port)


@pytest.mark.parametrize("name", CONNECTIONS)
def test_a_malformed_connection_is_closed(port: int, name: str) -> None:
    with socket.create_connection(("localhost", port)) as raw:
        raw.sendall(CONNECTIONS[name])
        check_service(port)
    check_service(port)


@pytest.mark.parametrize("ends", ["reset", "close", "abort"])
def test_clients_that_leave_in_the_middle_of_a_stream(port: int, ends: str) -> None:
    for _ in range(20):
        with http2_client.Http2Client(port) as client:
            stream = client.start(make_headers({b":path": b"/echo.v2.Echo/Watch"}), FRAME + FRAME[:4], ends=False)
            if ends == "reset":
                client.reset(stream)
            if ends == "abort":  # the connection is reset, not closed
                client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    check_service(port)


def reset_streams(port: int) -> None:
    """Open and reset streams as fast as possible, as in CVE-2023-44487."""
    with http2_client.Http2Client(port) as client:
        try:
            for _ in range(2000):
                client.reset(client.start(make_headers({}), FRAME[:5], ends=False))
        except OSError:
            pass  # the server may close the connection


def test_calls_after_many_resets_are_answered_or_canceled(port: int) -> None:
    reset_streams(port)
    assert set(call_versions(f"localhost:{port}")) <= {grpc.StatusCode.OK, grpc.StatusCode.CANCELLED}


@pytest.mark.parametrize("serve", [serve_threads, serve_asyncio])
def test_calls_after_many_resets_are_answered_with_a_long_queue(package: Package, serve: Any) -> None:
    server = serve(package, LONG_QUEUE)
    port = next(server)
    reset_streams(port)
    check_service(port)
    assert list(server) == []


def test_open_streams_continue_when_a_server_is_replaced(
    port: int, is_asyncio: bool, caplog: pytest.LogCaptureFixture
) -> None:
    requests: SimpleQueue[bytes | None] = SimpleQueue()
    with grpc.insecure_channel(f"localhost:{port}") as channel:
        watch: Any = channel.stream_stream("/echo.v2.Echo/Watch")
        for _ in range(2):
            responses = watch(iter(requests.get, None), timeout=PATIENCE, wait_for_ready=True)
            requests.put(TASK)
            assert next(responses) == TASK
            with http2_client.Http2Client(port) as client:
                client.wait(client.start(make_headers({b":path": b"/\xff\xff"}), FRAME))
            if is_asyncio:
                check_replacement(f"localhost:{port}", caplog)
            check_service(port)
            requests.put(TASK)
            requests.put(None)
            assert list(responses) == [TASK]
            caplog.clear()


def test_a_replaced_server_has_its_unix_socket(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def connect(_: object, timeout: float | None = None) -> socket.socket:
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(timeout)
        client.connect(str(tmp_path / "s"))
        return client

    server = serve_asyncio(package, endpoint=f"unix:{tmp_path / 's'}")
    next(server)
    monkeypatch.setattr(socket, "create_connection", connect)
    for _ in range(3):
        with http2_client.Http2Client(0) as client:
            client.wait(client.start(make_headers({b":path": b"/\xff\xff"}), FRAME))
        check_replacement(f"unix:{tmp_path / 's'}", caplog)
        caplog.clear()
    assert list(server) == []
