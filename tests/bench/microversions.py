"""Microversions against a plain servicer: CPU of the server in every number, and the selection of a body.

The message has 1 KB, a renamed field, a widened number, and a list of 10 messages, as in `groups.py`.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
import timeit
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import grpc
import grpc.aio

from tests.bench.groups import Measured
from tests.support.groups import Package, generate_package, import_package

_CALLS, _ROUNDS = 1000, 9
_NUMBERS = ("3.0", "3.1", "3.2", "3.3")
_PROTO = """syntax = "proto3"; package echo; import "protoc_gen_crd/v1/options.proto";
service Echo {
  option (protoc_gen_crd.v1.service).microversions = {minimum: "3.0" maximum: "3.3"};
  rpc Do(Message) returns (Message);
}
message Message {
  string id = 1;
  string text = 2 [(protoc_gen_crd.v1.field).until = "3.1"];
  string body = 3 [(protoc_gen_crd.v1.field) = {since: "3.2" conversion: {renamed_from: "text"}}];
  int32 count = 4 [(protoc_gen_crd.v1.field).until = "3.1"];
  int64 total = 5 [(protoc_gen_crd.v1.field) = {since: "3.2" conversion: {renamed_from: "count"}}];
  repeated Item items = 6;
  string note = 7 [(protoc_gen_crd.v1.field).since = "3.3"];
}
message Item { string name = 1; int64 size = 2; string kind = 3; }
"""
_CLIENT = """
import sys, grpc
port, count, data, version = int(sys.argv[1]), int(sys.argv[2]), bytes.fromhex(sys.argv[3]), sys.argv[4]
with grpc.insecure_channel(f"localhost:{port}") as channel:
    call = channel.unary_unary("/echo.Echo/Do")
    for _ in range(count):
        call(data, metadata=(("api-version", f"echo {version}"),))
"""


def microversions(folder: Path) -> Iterator[Measured]:
    """Yield the results."""
    name, _ = generate_package({"echo/echo.proto": _PROTO}, folder)
    with import_package(folder, name, "echo") as package:
        for number, ratio in asyncio.run(measure_aio(package)).items():
            yield Measured(f"microversion {number}, asyncio", ratio, "at most 1.30 times plain, goal 1.15")
        yield Measured("selection of a body, us", measure_selection(package), "at most 1")


def make_message(package: Package, number: str) -> Any:
    """Return a message of 1 KB."""
    messages = package.load(f"v{number.replace('.', '_')}.messages")
    items = [messages.Item(name="n" * 30, size=index, kind="k" * 8) for index in range(10)]
    own = {"text": "t" * 540, "count": 7} if number < "3.2" else {"body": "t" * 540, "total": 7}
    return messages.Message(id="x" * 20, items=items, **own)


async def measure_aio(package: Package) -> Mapping[str, float]:
    """Return the median ratio of CPU time per call for each number, with asyncio."""

    async def answer(request: Any, _: object) -> Any:
        return request

    class Server:
        async def do(self, request: Any, context: object, version: object) -> Any:
            return request

    async def measure(port: int, number: str) -> float:
        data = make_message(package, number).SerializeToString().hex()
        start = time.process_time()
        arguments = (sys.executable, "-c", _CLIENT, str(port), str(_CALLS), data, number)
        process = await asyncio.create_subprocess_exec(*arguments)
        assert await process.wait() == 0
        return time.process_time() - start

    kind = package.load("v3_3.messages").Message
    handler = grpc.unary_unary_rpc_method_handler(answer, kind.FromString, kind.SerializeToString)
    plain = grpc.aio.server()
    plain.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("echo.Echo", {"Do": handler}),))
    plain_port = plain.add_insecure_port("localhost:0")
    services = package.load("registry").list_aio_services(Server())
    group = package.runtime("serving").AioGroupServer(services, "localhost:0", extensions=())
    await plain.start()
    await group.start()
    ratios: dict[str, float] = {}
    for number in _NUMBERS:
        pairs = [
            (await measure(plain_port, "3.3"), await measure(group.ports["localhost:0"], number))
            for _ in range(_ROUNDS)
        ]
        ratios[number] = statistics.median(ours / theirs for theirs, ours in pairs)
    await plain.stop(0)
    await group.stop(0)
    return ratios


def measure_selection(package: Package) -> float:
    """Return the additional CPU time of a method with bodies, in microseconds, in the best of some rounds."""
    versions, hub = package.load("versions"), package.load("hub")

    class Server:
        @versions.api_version(until="3.1")  # type: ignore[untyped-decorator]
        def do(self, request: object, context: object, version: object) -> int:
            return 1

        @do.api_version("3.2")  # type: ignore[untyped-decorator]
        def _(self, request: object, context: object, version: object) -> int:
            return 2

        def plain(self, request: object, context: object, version: object) -> int:
            return 2

    server, version, count = Server(), hub.Version.V3_3, 100_000

    def measure(method: str) -> float:
        code = f"server.{method}(None, None, version)"
        names = {"server": server, "version": version}
        return min(timeit.repeat(code, timer=time.process_time, repeat=7, number=count, globals=names))

    return (measure("do") - measure("plain")) / count * 1e6
