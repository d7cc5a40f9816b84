"""Versioned gRPC API groups against a plain servicer of the newest version: CPU of the server, and conversions alone.

The message has 1 KB, a rename, a widened number, and a list of 10 messages. The client is a process of its own, and
rounds of the plain servicer and of the group alternate.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent import futures
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import grpc.aio

from tests.support.groups import Package, generate_package, import_package

_CALLS, _ROUNDS = 1000, 9
_SECONDS = 0.5
_PROTO = """syntax = "proto3"; package echo.{version}; {imports}
service Echo {{ rpc Do(Message) returns (Message); }}
message Message {{ string id = 1; string {text}; {number} count = 3; repeated Item items = 4; }}
message Item {{ string name = 1; {number} size = 2; string kind = 3; }}
"""
_RENAMED = 'body = 2 [(protoc_gen_crd.v1.field).conversion = {renamed_from: "text"}]'
_IMPORT = 'import "protoc_gen_crd/v1/options.proto";'
PROTOS = {
    "echo/v1/api.proto": _PROTO.format(version="v1", imports="", text="text = 2", number="int32"),
    "echo/v2/api.proto": _PROTO.format(version="v2", imports=_IMPORT, text=_RENAMED, number="int64"),
}
_TEXTS = {"v1": "text", "v2": "body"}
_CLIENT = """
import sys, grpc
port, path, count, data = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), bytes.fromhex(sys.argv[4])
with grpc.insecure_channel(f"localhost:{port}") as channel:
    call = channel.unary_unary(path)
    for _ in range(count):
        call(data)
"""


class Measured(NamedTuple):
    """A result, and what it should be."""

    name: str
    value: float
    limit: str


def groups(folder: Path) -> Iterator[Measured]:
    """Yield the results."""
    name, _ = generate_package(PROTOS, folder)
    with import_package(folder, name, "echo") as package:
        for version in _TEXTS:
            rate = measure_conversions(package, version)
            yield Measured(f"group conversions, {version}", rate, "at least 30,000/s, goal 60,000/s")
        for version, ratio in asyncio.run(measure_aio(package)).items():
            yield Measured(f"group server, asyncio, {version}", ratio, "at most 1.30 times plain, goal 1.15")
        for version, ratio in measure_threads(package).items():
            yield Measured(f"group server, threads, {version}", ratio, "at most 1.40 times plain, goal 1.20")


def make_message(package: Package, version: str) -> Any:
    """Return a message of 1 KB."""
    messages = package.load(f"{version}.messages")
    items = [messages.Item(name="n" * 30, size=number, kind="k" * 8) for number in range(10)]
    return messages.Message(id="x" * 20, count=7, items=items, **{_TEXTS[version]: "t" * 540})


def measure_conversions(package: Package, version: str) -> float:
    """Return the conversions to the hub and back in a second of CPU time, in the best of some rounds."""
    messages, conversions = package.load(f"{version}.messages"), package.load(f"{version}.conversions")
    message, best = make_message(package, version), 0.0
    for _ in range(5):
        start, count = time.process_time(), 0
        while time.process_time() - start < _SECONDS:
            for _ in range(200):
                conversions.message_from_hub(conversions.message_to_hub(message), messages.Message())
            count += 200
        best = max(best, count / (time.process_time() - start))
    return best


def make_plain_handlers(package: Package, answer: Any) -> dict[str, Any]:
    kind = package.load("v2.messages").Message
    return {"Do": grpc.unary_unary_rpc_method_handler(answer, kind.FromString, kind.SerializeToString)}


def add_plain(server: Any, handlers: dict[str, Any]) -> int:
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("echo.v2.Echo", handlers),))
    server.add_registered_method_handlers("echo.v2.Echo", handlers)
    return int(server.add_insecure_port("localhost:0"))


def make_command(package: Package, port: int, version: str) -> tuple[str, ...]:
    data = make_message(package, version).SerializeToString().hex()
    return (sys.executable, "-c", _CLIENT, str(port), f"/echo.{version}.Echo/Do", str(_CALLS), data)


async def measure_aio(package: Package) -> Mapping[str, float]:
    """Return the median ratio of CPU time per call for each version, with asyncio."""

    async def answer(request: Any, _: object) -> Any:
        return request

    class Server:
        async def do(self, request: Any, context: object, version: object) -> Any:
            return request

    async def measure(port: int, version: str) -> float:
        start = time.process_time()
        process = await asyncio.create_subprocess_exec(*make_command(package, port, version))
        assert await process.wait() == 0
        return time.process_time() - start

    plain = grpc.aio.server()
    plain_port = add_plain(plain, make_plain_handlers(package, answer))
    services = package.load("registry").list_aio_services(Server())
    group = package.runtime("serving").AioGroupServer(services, "localhost:0", extensions=())
    await plain.start()
    await group.start()
    ratios: dict[str, float] = {}
    for version in _TEXTS:
        pairs = [
            (await measure(plain_port, "v2"), await measure(group.ports["localhost:0"], version))
            for _ in range(_ROUNDS)
        ]
        ratios[version] = statistics.median(ours / theirs for theirs, ours in pairs)
    await plain.stop(0)
    await group.stop(0)
    return ratios


def measure_threads(package: Package) -> Mapping[str, float]:
    """Return the median ratio of CPU time per call for each version, with threads."""

    class Server:
        def do(self, request: Any, context: object, version: object) -> Any:
            return request

    def measure(port: int, version: str) -> float:
        start = time.process_time()
        subprocess.run(make_command(package, port, version), check=True)
        return time.process_time() - start

    plain = grpc.server(futures.ThreadPoolExecutor(16))
    plain_port = add_plain(plain, make_plain_handlers(package, lambda request, _: request))
    services = package.load("registry").list_services(Server())
    group = package.runtime("serving").GroupServer(services, "localhost:0", extensions=())
    plain.start()
    group.start()
    ratios: dict[str, float] = {}
    for version in _TEXTS:
        pairs = [(measure(plain_port, "v2"), measure(group.ports["localhost:0"], version)) for _ in range(_ROUNDS)]
        ratios[version] = statistics.median(ours / theirs for theirs, ours in pairs)
    plain.stop(0)
    group.stop(0)
    return ratios
