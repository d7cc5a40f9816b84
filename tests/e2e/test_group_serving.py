"""Servers of groups with clients that misbehave, with interceptors, TLS, and hand-written functions."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent import futures
from typing import Any

import grpc
import grpc.aio
import pytest
from prometheus_client import CollectorRegistry

from tests.support.groups import Package, generate_package, import_package
from tests.support.serving import CERTIFICATES, PATIENCE, until

API = """syntax = "proto3";
package work.{version};
import "protoc_gen_crd/v1/options.proto";
{above}
service Work {{
  {service}
  rpc Do(Task) returns (Task);
  // Deprecated: Use Do.
  rpc DoAll(stream Task) returns (Task) {{ option deprecated = true; }}
  rpc Watch(Task) returns (stream Task);
}}
message Task {{
  {fields}
}}
{types}
"""
OLD = API.format(
    version="v1",
    above="// Deprecated: Use v2.",
    service='option (protoc_gen_crd.v1.service).unknown_fields = "reject";',
    fields="string name = 1; Size size = 2; string when = 3;",
    types="message Size { string text = 1; string unit = 2; }",
)
NEW = API.format(
    version="v2",
    above="",
    service="",
    fields="""string name = 1; Size size = 2; int64 when = 4 [(protoc_gen_crd.v1.field).conversion = {
      function: {from: "parse_time" to: "format_time"}}]; string old = 5 [deprecated = true];""",
    types="""message Size {
      option (protoc_gen_crd.v1.message).type_conversion = {function: {from: "upgrade_size" to: "downgrade_size"}};
      int64 bytes = 1; string unit = 2; }""",
)
FUNCTIONS = """
from . import hub

def parse_time(value):
    return int(value.removesuffix("s") or 0)

def format_time(value):
    return f"{value}s"

def upgrade_size(source, derived):
    size = derived(source)
    size.bytes_ = int(source.text)
    return size

def downgrade_size(source, derived):
    size = derived(source)
    size.text = str(source.bytes_)
    return size
"""


class Server:
    """A server that answers with its requests, and fails by name."""

    def __init__(self, hub: Any) -> None:
        self.hub = hub
        self.received, self.closed = threading.Event(), threading.Event()

    def do(self, request: Any, context: grpc.ServicerContext, version: Any) -> Any:
        if request.name == "abort":
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, "not now")
        if request.name == "fail":
            raise RuntimeError("secret")
        return request

    def do_all(self, requests: Iterator[Any], context: object, version: Any) -> Any:
        names = []
        for request in requests:
            self.received.set()
            names.append(request.name)
        return self.hub.Task("+".join(names))

    def watch(self, request: Any, context: object, version: Any) -> Iterator[Any]:
        try:
            while True:
                yield request
                time.sleep(0.01)
        finally:
            self.closed.set()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("work")
    name, findings = generate_package({"work/v1/api.proto": OLD, "work/v2/api.proto": NEW}, folder)
    assert [finding.message for finding in findings] == []
    (folder / name / "work" / "functions.py").write_text(FUNCTIONS)
    with import_package(folder, name, "work") as package:
        yield package


@pytest.fixture
def server(package: Package) -> Server:
    return Server(package.load("hub"))


Serve = Any  # a function that returns a channel; `port` is the port of the last server


@pytest.fixture
def serve(package: Package, server: Server) -> Iterator[Serve]:
    """Serve the group and return a channel to it."""
    stops: list[Callable[[], None]] = []

    def start(credentials: grpc.ServerCredentials | None = None, root: bytes = b"", **options: Any) -> Any:
        services = list(package.load("registry").list_services(server))
        observers = options.pop("observers", ())
        interceptors = [package.runtime("interceptors").GroupInterceptor(services, *observers)]
        group = package.runtime("serving").GroupServer(
            services, "localhost:0", credentials=credentials, interceptors=interceptors, **options
        )
        group.start()
        start.port = group.ports["localhost:0"]  # type: ignore[attr-defined]
        address = f"localhost:{group.ports['localhost:0']}"
        channel = (
            grpc.secure_channel(address, grpc.ssl_channel_credentials(root)) if root else grpc.insecure_channel(address)
        )
        stops.extend((channel.close, lambda: group.stop(0)))
        return channel

    yield start
    for stop in stops:
        stop()


def do(package: Package, channel: Any, version: str = "v2", **fields: Any) -> Any:
    messages = package.load(f"{version}.messages")
    call = channel.unary_unary(
        f"/work.{version}.Work/Do",
        request_serializer=messages.Task.SerializeToString,
        response_deserializer=messages.Task.FromString,
    )
    return call(messages.Task(**fields))


def get_status(package: Package, channel: Any, version: str = "v2", **fields: Any) -> tuple[str, str]:
    with pytest.raises(grpc.RpcError) as error:
        do(package, channel, version, **fields)
    return error.value.code().name, str(error.value.details())


def test_functions_convert_fields_and_messages(package: Package, serve: Serve) -> None:
    channel = serve()
    task = {"name": "a", "size": {"text": "12", "unit": "B"}, "when": "5s"}
    assert do(package, channel, "v1", **task) == package.load("v1.messages").Task(**task)
    assert get_status(package, channel, "v1", when="soon") == (
        "INVALID_ARGUMENT", "when: invalid literal for int() with base 10: 'soon'",
    )  # fmt: skip


def test_errors_of_handlers(package: Package, serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    channel = serve()
    assert get_status(package, channel, name="abort") == ("FAILED_PRECONDITION", "not now")
    code, details = get_status(package, channel, name="fail")
    assert (code, "secret" in details) == ("INTERNAL", False)
    assert details.removeprefix("internal error ") in caplog.text
    assert "RuntimeError: secret" in caplog.text


def test_unknown_fields_are_dropped_and_counted_or_rejected(package: Package, serve: Serve) -> None:
    channel = serve()
    counts = package.runtime("unknown_fields").COUNTS
    data = package.load("v2.messages").Task(name="a").SerializeToString() + b"\x98\x06\x01" + b"\x12\x03\x98\x06\x01"
    answer = channel.unary_unary("/work.v2.Work/Do")(data)
    assert package.load("v2.messages").Task.FromString(answer) == package.load("v2.messages").Task(name="a", size={})
    assert counts["work/v2/Do"] == 2
    with pytest.raises(grpc.RpcError) as error:
        channel.unary_unary("/work.v1.Work/Do")(data)
    assert (error.value.code(), error.value.details()) == (
        grpc.StatusCode.INVALID_ARGUMENT, "unknown fields: 99, 99",
    )  # fmt: skip


def test_clients_that_misbehave_do_not_stop_the_server(package: Package, serve: Serve, server: Server) -> None:
    channel = serve()
    with socket.create_connection(("localhost", serve.port)) as raw:
        raw.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(range(256)))
    call = channel.unary_unary("/work.v2.Work/Do")
    for data, code in ((b"\xff\xff", "INTERNAL"), (bytes(100 * 2**20), "RESOURCE_EXHAUSTED")):
        with pytest.raises(grpc.RpcError) as error:
            call(data)
        assert error.value.code().name == code
    stream = channel.unary_stream("/work.v2.Work/Watch")(b"")
    next(stream)
    stream.cancel()
    assert server.closed.wait(PATIENCE)

    def requests() -> Iterator[bytes]:
        yield b""
        raise RuntimeError("the client ends in the middle of the stream")

    with pytest.raises(grpc.RpcError):
        channel.stream_unary("/work.v2.Work/DoAll")(requests())
    assert do(package, channel, name="still").name == "still"


def test_a_client_that_leaves_a_stream_of_requests_is_no_error(
    package: Package, serve: Serve, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[Any] = []
    channel, messages = serve(observers=(calls.append,)), package.load("v2.messages")
    stopped = threading.Event()

    def requests() -> Iterator[Any]:
        yield messages.Task(name="a")
        stopped.wait(PATIENCE)

    send = channel.stream_unary("/work.v2.Work/DoAll", request_serializer=messages.Task.SerializeToString)
    future = send.future(requests())
    assert server.received.wait(PATIENCE)
    future.cancel()
    assert until(lambda: bool(calls))
    stopped.set()
    assert [call.rpc for call in calls] == ["DoAll"]
    # grpcio may report the end of the stream before its cancellation. The handler then returns normally.
    assert calls[0].code in ("CANCELLED", "OK")
    assert [record for record in caplog.records if record.name.startswith("grpc")] == []


def test_calls_are_observed(package: Package, serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    registry = CollectorRegistry()
    calls: list[Any] = []
    metrics = package.runtime("metrics").Metrics(registry)
    channel = serve(observers=(metrics, calls.append, package.runtime("interceptors").log_call))
    caplog.set_level(logging.INFO)
    do(package, channel, "v1", name="private")
    get_status(package, channel, name="abort")
    messages = package.load("v2.messages")
    client = package.load("v2.client").Client(channel)
    with pytest.warns(DeprecationWarning, match="RPC DoAll is deprecated: Use Do."):
        assert client.do_all(iter([messages.Task(name="a"), messages.Task(name="b")])).name == "a+b"
    stream = client.watch(messages.Task())
    next(stream)
    stream.cancel()
    assert until(lambda: len(calls) >= 4)
    assert [(call.version, call.rpc, call.code, call.is_deprecated) for call in calls] == [
        ("v1", "Do", "OK", True),
        ("v2", "Do", "FAILED_PRECONDITION", False),
        ("v2", "DoAll", "OK", True),
        ("v2", "Watch", "CANCELLED", False),
    ]
    labels = {"group": "work", "version": "v2", "rpc": "Do", "code": "FAILED_PRECONDITION"}
    assert registry.get_sample_value("grpc_group_call_seconds_count", labels) == 1
    old = {"group": "work", "version": "v1", "rpc": "Do"}
    assert registry.get_sample_value("grpc_group_deprecated_calls_total", old) == 1
    assert "work/v1/Do OK" in caplog.text
    assert "private" not in caplog.text


def test_deprecations_are_in_the_trailing_metadata(package: Package, serve: Serve) -> None:
    channel, messages = serve(), package.load("v2.messages")
    call = channel.unary_unary("/work.v2.Work/Do", request_serializer=messages.Task.SerializeToString)
    _, outcome = call.with_call(messages.Task(old="x"))
    assert outcome.trailing_metadata() == (("deprecation", "field old is deprecated: Do not use."),)
    _, outcome = call.with_call(messages.Task())
    assert outcome.trailing_metadata() == ()


def test_tls(package: Package, serve: Serve) -> None:
    certificate, key = [(CERTIFICATES / "first" / name).read_bytes() for name in ("tls.crt", "tls.key")]
    credentials = package.runtime("serving").read_credentials(certificate, key)
    channel = serve(credentials, (CERTIFICATES / "ca.crt").read_bytes())
    assert do(package, channel, name="secure").name == "secure"


def test_a_client_falls_back_to_its_floor(package: Package) -> None:
    """Call a server that knows only the oldest version, and no discovery."""
    hub, messages = package.load("hub"), package.load("v1.messages")
    server = grpc.server(futures.ThreadPoolExecutor())
    handler = grpc.unary_unary_rpc_method_handler(
        lambda request, _: request, messages.Task.FromString, messages.Task.SerializeToString
    )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("work.v1.Work", {"Do": handler}),))
    port = server.add_insecure_port("localhost:0")
    server.start()
    with grpc.insecure_channel(f"localhost:{port}") as channel:
        client = package.load("client").connect(channel)
        assert client.version == hub.Version.V1
        assert client.do(hub.Task("a", hub.Size(3, "B"), 7)) == hub.Task("a", hub.Size(3, "B"), 7)
        with pytest.raises(package.runtime("values").ConversionError, match="version v1 does not have the field"):
            client.do(hub.Task("a", old="x"))
    server.stop(0)


def test_a_client_without_a_common_version(package: Package, serve: Serve) -> None:
    hub, clients = package.load("hub"), package.load("client")
    channel = serve()
    with pytest.raises(package.runtime("clients").VersionError, match="the server has v1, v2"):
        clients.connect(channel, floor=hub.Version.V2, ceiling=hub.Version.V1)


class AioServer:
    """The server with asyncio."""

    def __init__(self, hub: Any, closed: list[str]) -> None:
        self.hub = hub
        self.closed = closed

    async def do(self, request: Any, context: Any, version: Any) -> Any:
        if request.name == "abort":
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, "not now")
        if request.name == "fail":
            raise RuntimeError("secret")
        return request

    async def do_all(self, requests: Any, context: Any, version: Any) -> Any:
        return self.hub.Task("+".join([request.name async for request in requests]))

    async def watch(self, request: Any, context: Any, version: Any) -> Any:
        try:
            while True:
                yield request
                await asyncio.sleep(0.001)
        finally:
            self.closed.append(version.label)


async def call_with_errors(package: Package, channel: Any) -> list[tuple[str, str]]:
    """Call handlers that abort and fail; return their status."""
    messages, outcomes = package.load("v2.messages"), []
    for name in ("abort", "fail"):
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await package.load("v2.client").AioClient(channel).do(messages.Task(name=name))
        outcomes.append((error.value.code().name, str(error.value.details())))
    return outcomes


async def leave_streams(package: Package, channel: Any) -> None:
    """Leave a stream of the old version, and one of the client of the group."""
    old, hub = package.load("v1.messages"), package.load("hub")
    stream = channel.unary_stream(
        "/work.v1.Work/Watch",
        request_serializer=old.Task.SerializeToString,
        response_deserializer=old.Task.FromString,
    )(old.Task(name="a", when="3s"))
    assert await anext(aiter(stream)) == old.Task(name="a", when="3s")
    stream.cancel()
    responses = (await package.load("client").connect_aio(channel)).watch(hub.Task("c"))
    assert (await anext(responses)).name == "c"
    await responses.aclose()
    own = package.load("v2.client").AioClient(channel).watch(package.load("v2.messages").Task(name="d"))
    assert (await anext(own)).name == "d"
    await own.aclose()


async def send_stream(package: Package, channel: Any) -> None:
    """Send a stream with the client of the group."""
    hub = package.load("hub")

    async def tasks() -> Any:
        for name in ("a", "b"):
            yield hub.Task(name)

    with pytest.warns(DeprecationWarning, match="RPC DoAll is deprecated"):
        assert (await (await package.load("client").connect_aio(channel)).do_all(tasks())).name == "a+b"


def test_asyncio_servers_report_errors_and_close_streams(package: Package, caplog: pytest.LogCaptureFixture) -> None:
    calls: list[Any] = []
    closed: list[str] = []

    async def run() -> list[tuple[str, str]]:
        services = list(package.load("registry").list_aio_services(AioServer(package.load("hub"), closed)))
        interceptor = package.runtime("interceptors").AioGroupInterceptor(services, calls.append)
        group = package.runtime("serving").AioGroupServer(services, "localhost:0", interceptors=[interceptor])
        await group.start()
        async with grpc.aio.insecure_channel(f"localhost:{group.ports['localhost:0']}") as channel:
            outcomes = await call_with_errors(package, channel)
            await leave_streams(package, channel)
            await send_stream(package, channel)
            async with asyncio.timeout(PATIENCE):
                while len(calls) < 6:
                    await asyncio.sleep(0.01)
        await group.stop(1)
        return outcomes

    aborted, failed = asyncio.run(run())
    assert aborted == ("FAILED_PRECONDITION", "not now")
    assert (failed[0], failed[1].removeprefix("internal error ") in caplog.text) == ("INTERNAL", True)
    assert sorted(closed) == ["v1", "v2", "v2"]
    assert sorted((call.version, call.rpc, call.code) for call in calls) == [
        ("v1", "Watch", "CANCELLED"),
        ("v2", "Do", "FAILED_PRECONDITION"),
        ("v2", "Do", "INTERNAL"),
        ("v2", "DoAll", "OK"),
        ("v2", "Watch", "CANCELLED"),
        ("v2", "Watch", "CANCELLED"),
    ]


def test_a_server_stops_gracefully_after_an_interrupt(package: Package) -> None:
    """Cancel the task that waits for the server, as an interrupt does, and end an open call within the grace period."""

    class SlowServer(AioServer):
        async def do(self, request: Any, context: Any, version: Any) -> Any:
            received.set()
            await ended.wait()
            return request

    received, ended = asyncio.Event(), asyncio.Event()

    async def run() -> Any:
        services = list(package.load("registry").list_aio_services(SlowServer(package.load("hub"), [])))
        group = package.runtime("serving").AioGroupServer(services, "localhost:0")
        await group.start()
        waiting = asyncio.create_task(group.wait())
        async with grpc.aio.insecure_channel(f"localhost:{group.ports['localhost:0']}") as channel:
            method: Any = channel.unary_unary("/work.v2.Work/Do")
            call = method(b"", wait_for_ready=True)
            await asyncio.wait_for(received.wait(), PATIENCE)
            waiting.cancel()
            await asyncio.sleep(0)
            stopping = asyncio.create_task(group.stop(PATIENCE))
            await asyncio.sleep(0.1)
            ended.set()
            await stopping
            return await call

    assert asyncio.run(run()) == b""


def test_many_streams_of_old_and_new_clients(package: Package) -> None:
    """Hold a thousand streams of both versions open at a time, and end each without an error."""
    hub = package.load("hub")

    class ShortServer(AioServer):
        async def watch(self, request: Any, context: Any, version: Any) -> Any:
            for _ in range(3):
                yield hub.Task(request.name, when=version)
                await asyncio.sleep(0.01)

    async def read(channel: Any, version: str, number: int) -> int:
        kind = package.load(f"{version}.messages").Task
        call = channel.unary_stream(
            f"/work.{version}.Work/Watch",
            request_serializer=kind.SerializeToString,
            response_deserializer=kind.FromString,
        )
        return len([response async for response in call(kind(name=str(number))) if response.name == str(number)])

    async def run() -> list[int]:
        services = list(package.load("registry").list_aio_services(ShortServer(hub, [])))
        group = package.runtime("serving").AioGroupServer(services, "localhost:0")
        await group.start()
        async with grpc.aio.insecure_channel(f"localhost:{group.ports['localhost:0']}") as channel:
            counts = await asyncio.gather(*[read(channel, f"v{number % 2 + 1}", number) for number in range(1000)])
        await group.stop(1)
        return counts

    assert asyncio.run(run()) == [3] * 1000
