"""Streams of requests in clients of groups: an error in a request is raised as it is, not as a canceled call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import grpc
import grpc.aio
import pytest

from tests.support.group_servers import serve_aio
from tests.support.groups import Package, generate_package, import_package

API = """syntax = "proto3";
package work.{version};
service Work {{
  rpc Send(stream Task) returns (Task);
  rpc Talk(stream Task) returns (stream Task);
}}
message Task {{ string name = 1; {field} }}
"""
RPCS = ("send", "talk")


class Server:
    """A server that returns requests, and fails by name."""

    async def send(self, requests: Any, context: Any, version: Any) -> Any:
        return [await self._answer(request, context) async for request in requests][-1]

    async def talk(self, requests: Any, context: Any, version: Any) -> Any:
        async for request in requests:
            yield await self._answer(request, context)

    async def _answer(self, request: Any, context: Any) -> Any:
        if request.name == "abort":
            await context.abort(grpc.StatusCode.ABORTED, "no")
        return request


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("work")
    fields = {"v1": "", "v2": "string label = 2;"}
    protos = {f"work/{name}/api.proto": API.format(version=name, field=field) for name, field in fields.items()}
    name, findings = generate_package(protos, folder)
    assert findings == []
    with import_package(folder, name, "work") as package:
        yield package


@pytest.fixture(scope="module")
def port(package: Package) -> Iterator[int]:
    with serve_aio(package, Server()) as port:
        yield port


def call(package: Package, port: int, rpc: str, requests: Iterator[Any]) -> list[str]:
    """Call an RPC in v1 and return the names of the answers."""
    version = package.load("hub").Version.V1
    with grpc.insecure_channel(f"localhost:{port}") as channel:
        client = package.load("client").connect(channel, ceiling=version)
        answers = getattr(client, rpc)(requests, timeout=60)
        return [answer.name for answer in (answers if rpc == "talk" else [answers])]


def call_aio(package: Package, port: int, rpc: str, requests: Iterator[Any]) -> list[str]:
    """Call an RPC in v1 with asyncio and return the names of the answers."""

    async def iterate() -> AsyncIterator[Any]:
        for request in requests:
            yield request

    async def run() -> list[str]:
        version = package.load("hub").Version.V1
        async with grpc.aio.insecure_channel(f"localhost:{port}") as channel:
            client = await package.load("client").connect_aio(channel, ceiling=version)
            answers = getattr(client, rpc)(iterate(), timeout=60)
            return [answer.name async for answer in answers] if rpc == "talk" else [(await answers).name]

    return asyncio.run(run())


@pytest.mark.parametrize("call", [call, call_aio])
@pytest.mark.parametrize("rpc", RPCS)
def test_requests_are_converted(package: Package, port: int, call: Any, rpc: str) -> None:
    hub = package.load("hub")
    names = call(package, port, rpc, iter([hub.Task("a"), hub.Task("b")]))
    assert names == (["a", "b"] if rpc == "talk" else ["b"])


@pytest.mark.parametrize("call", [call, call_aio])
@pytest.mark.parametrize("rpc", RPCS)
def test_a_field_that_the_version_does_not_have_is_an_error(package: Package, port: int, call: Any, rpc: str) -> None:
    hub, error = package.load("hub"), package.runtime("values").ConversionError
    with pytest.raises(error, match="label: version v1 does not have the field"):
        call(package, port, rpc, iter([hub.Task("a"), hub.Task("b", "x"), hub.Task("c")]))


@pytest.mark.parametrize("call", [call, call_aio])
@pytest.mark.parametrize("rpc", RPCS)
def test_an_error_of_the_source_of_requests_is_raised(package: Package, port: int, call: Any, rpc: str) -> None:
    def iterate() -> Iterator[Any]:
        yield package.load("hub").Task("a")
        raise LookupError("no more tasks")

    with pytest.raises(LookupError, match="no more tasks"):
        call(package, port, rpc, iterate())


@pytest.mark.parametrize("call", [call, call_aio])
@pytest.mark.parametrize("rpc", RPCS)
def test_an_error_of_the_server_keeps_its_status(package: Package, port: int, call: Any, rpc: str) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        call(package, port, rpc, iter([package.load("hub").Task("abort")]))
    assert caught.value.code() is grpc.StatusCode.ABORTED


@pytest.mark.parametrize("rpc", RPCS)
def test_a_task_can_be_canceled(package: Package, port: int, rpc: str) -> None:
    async def wait() -> AsyncIterator[Any]:
        yield package.load("hub").Task("a")
        await asyncio.sleep(60)

    async def consume(client: Any) -> None:
        answers = getattr(client, rpc)(wait())
        if rpc == "talk":
            async for _ in answers:
                pass
        else:
            await answers

    async def run() -> None:
        async with grpc.aio.insecure_channel(f"localhost:{port}") as channel:
            client = await package.load("client").connect_aio(channel, ceiling=package.load("hub").Version.V1)
            task = asyncio.create_task(consume(client))
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(run())


def test_a_range_without_a_common_version_names_those_of_both_sides(package: Package, port: int) -> None:
    hub, clients = package.load("hub"), package.runtime("clients")
    with (
        grpc.insecure_channel(f"localhost:{port}") as channel,
        pytest.raises(clients.VersionError, match="the server has v1, v2; the client accepts none"),
    ):
        package.load("client").connect(channel, floor=hub.Version.V2, ceiling=hub.Version.V1)
