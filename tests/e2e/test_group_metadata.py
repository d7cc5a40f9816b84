"""Trailing metadata over real sockets: deprecation notices stay beside the metadata that handlers set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import grpc
import pytest

from tests.support.group_servers import serve_aio, serve_threads
from tests.support.groups import Package, generate_package, import_package

API = """syntax = "proto3";
package work.{version};
{notice}
service Work {{
  rpc Do(Task) returns (Task);
  rpc Watch(Task) returns (stream Task);
  rpc Send(stream Task) returns (Task);
  rpc Talk(stream Task) returns (stream Task);
}}
message Task {{
  string name = 1;
  string size = 2 {option};
  string place = 3 {option};
}}
"""
FILES = {
    "work/v1/api.proto": API.format(version="v1", notice="// Deprecated: Use v2.", option=""),
    "work/v2/api.proto": API.format(version="v2", notice="", option="[deprecated = true]"),
}
VERSION_NOTICE = ("deprecation", "version v1 is deprecated: Use v2.")
FIELD_NOTICES = [("deprecation", f"field {name} is deprecated: Do not use.") for name in ("size", "place")]
KINDS = {"Do": "unary_unary", "Watch": "unary_stream", "Send": "stream_unary", "Talk": "stream_stream"}
OWN = ("own", "1")


class Status(NamedTuple):
    """A status with trailing metadata, as of the package grpcio-status."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: tuple[tuple[str, str], ...]


def set_metadata(name: str, context: Any) -> None:
    """Set the trailing metadata that the name of a task requires."""
    if name.startswith("append"):
        context.set_trailing_metadata((*(context.trailing_metadata() or ()), OWN))
    elif name.startswith("set"):
        context.set_trailing_metadata((OWN,))
    elif name.startswith("clear"):
        context.set_trailing_metadata(())
    if name.endswith("raise"):
        raise RuntimeError("secret")


class Server:
    """A server with threads."""

    def do(self, request: Any, context: Any, version: Any) -> Any:
        set_metadata(request.name, context)
        if request.name.endswith("abort"):
            context.abort(grpc.StatusCode.ABORTED, "no")
        if request.name.endswith("status"):
            context.abort_with_status(Status(grpc.StatusCode.ABORTED, "no", (OWN,)))
        return request

    def watch(self, request: Any, context: Any, version: Any) -> Iterator[Any]:
        yield request
        yield self.do(request, context, version)

    def send(self, requests: Iterator[Any], context: Any, version: Any) -> Any:
        return [self.do(request, context, version) for request in requests][-1]

    def talk(self, requests: Iterator[Any], context: Any, version: Any) -> Iterator[Any]:
        for request in requests:
            yield request
            yield self.do(request, context, version)


class AioServer:
    """A server with asyncio."""

    async def do(self, request: Any, context: Any, version: Any) -> Any:
        set_metadata(request.name, context)
        if request.name.endswith("abort"):
            await context.abort(grpc.StatusCode.ABORTED, "no")
        if request.name == "abort with metadata":
            await context.abort(grpc.StatusCode.ABORTED, "no", (OWN,))
        if request.name.endswith("status"):
            await context.abort_with_status(Status(grpc.StatusCode.ABORTED, "no", (OWN,)))
        return request

    async def watch(self, request: Any, context: Any, version: Any) -> Any:
        yield request
        yield await self.do(request, context, version)

    async def send(self, requests: Any, context: Any, version: Any) -> Any:
        return [await self.do(request, context, version) async for request in requests][-1]

    async def talk(self, requests: Any, context: Any, version: Any) -> Any:
        async for request in requests:
            yield request
            yield await self.do(request, context, version)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("work")
    name, findings = generate_package(FILES, folder)
    assert [finding.message for finding in findings] == []
    with import_package(folder, name, "work") as package:
        yield package


@pytest.fixture(params=["threads", "asyncio"])
def serve(request: pytest.FixtureRequest) -> Any:
    """Return the function that serves a group, and the server."""
    return (serve_threads, Server()) if request.param == "threads" else (serve_aio, AioServer())


@pytest.fixture
def channel(package: Package, serve: Any) -> Iterator[grpc.Channel]:
    start, server = serve
    with start(package, server) as port, grpc.insecure_channel(f"localhost:{port}") as channel:
        yield channel


def call(
    package: Package, channel: grpc.Channel, version: str, rpc: str, **fields: str
) -> tuple[str, list[tuple[str, str]]]:
    """Return the status of a call and its trailing metadata."""
    messages = package.load(f"{version}.messages")
    kind, request = KINDS[rpc], messages.Task(**fields)
    method = getattr(channel, kind)(f"/work.{version}.Work/{rpc}", request_serializer=messages.Task.SerializeToString)
    argument = iter([request]) if kind.startswith("stream") else request
    try:
        if kind.endswith("stream"):
            state = method(argument, timeout=60)
            list(state)
        else:
            _, state = method.with_call(argument, timeout=60)
    except grpc.RpcError as error:
        state = error
    return state.code().name, [(entry.key, entry.value) for entry in state.trailing_metadata()]


@pytest.mark.parametrize("rpc", KINDS)
@pytest.mark.parametrize(
    ("name", "code", "own"),
    [
        ("", "OK", []),
        ("set", "OK", [OWN]),
        ("append", "OK", [OWN]),
        ("clear", "OK", []),
        ("abort", "ABORTED", []),
        ("set, abort", "ABORTED", [OWN]),
        ("status", "ABORTED", [OWN]),
        ("raise", "INTERNAL", []),
        ("set, raise", "INTERNAL", [OWN]),
    ],
)
def test_the_notice_stays(package: Package, channel: grpc.Channel, rpc: str, name: str, code: str, own: Any) -> None:
    assert call(package, channel, "v1", rpc, name=name) == (code, [VERSION_NOTICE, *own])
    assert call(package, channel, "v2", rpc, name=name) == (code, own)


def test_the_metadata_of_abort_is_merged(package: Package) -> None:
    with serve_aio(package, AioServer()) as port, grpc.insecure_channel(f"localhost:{port}") as channel:
        for rpc in KINDS:
            outcome = call(package, channel, "v1", rpc, name="abort with metadata")
            assert outcome == ("ABORTED", [VERSION_NOTICE, OWN])


@pytest.mark.parametrize("name", ["set", "append", "set, abort", "set, raise"])
def test_several_notices_stay(package: Package, channel: grpc.Channel, name: str) -> None:
    for rpc in ("Do", "Watch"):
        _, metadata = call(package, channel, "v2", rpc, name=name, size="1", place="x")
        assert metadata == [*FIELD_NOTICES, OWN]


def test_metadata_of_an_interceptor_stays_until_the_handler_sets_its_own(package: Package) -> None:
    class Interceptor(grpc.ServerInterceptor):
        def intercept_service(self, continuation: Any, handler_call_details: Any) -> Any:
            handler = continuation(handler_call_details)

            def answer(request: Any, context: Any) -> Any:
                context.set_trailing_metadata((("trace", "1"),))
                return handler.unary_unary(request, context)

            return grpc.unary_unary_rpc_method_handler(
                answer, handler.request_deserializer, handler.response_serializer
            )

    with (
        serve_threads(package, Server(), interceptors=[Interceptor()]) as port,
        grpc.insecure_channel(f"localhost:{port}") as channel,
    ):
        assert call(package, channel, "v1", "Do") == ("OK", [VERSION_NOTICE, ("trace", "1")])
        assert call(package, channel, "v1", "Do", name="set") == ("OK", [VERSION_NOTICE, OWN])
