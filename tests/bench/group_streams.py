"""1,000 concurrent streams for a minute, from clients of an old and a new version: errors, and memory of the server.

The server is a process of its own. Every stream sends a message each second and reads the answer. It is run by hand:
`python -m tests.bench.group_streams`.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import grpc.aio

from tests.bench.groups import PROTOS, make_message
from tests.support.groups import Package, generate_package, import_package

_STREAMS, _SECONDS, _WARM_UP = 1000, 60, 15
_SERVER = """
import asyncio, sys
sys.path.insert(0, sys.argv[1])
from importlib import import_module

class Server:
    async def do(self, requests, context, version):
        async for request in requests:
            yield request

async def main():
    services = import_module(sys.argv[2] + ".echo.registry").list_aio_services(Server())
    server = import_module(sys.argv[2] + ".runtime.serving").AioGroupServer(services, "localhost:0", extensions=())
    await server.start()
    print(server.ports["localhost:0"], flush=True)
    await server.wait()

asyncio.run(main())
"""


class StreamResult(NamedTuple):
    """The answers and errors of all streams, and the memory of the server in KiB after the warm-up and in the end."""

    answers: int
    errors: int
    before: int
    after: int


def run(folder: Path, streams: int = _STREAMS, seconds: float = _SECONDS, warm_up: float = _WARM_UP) -> StreamResult:
    """Serve and call; return the result."""
    protos = {
        name: text.replace("(Message) returns (", "(stream Message) returns (stream ") for name, text in PROTOS.items()
    }
    name, _ = generate_package(protos, folder)
    command = [sys.executable, "-c", _SERVER, str(folder), name]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server,
        import_package(folder, name, "echo") as package,
    ):
        assert server.stdout is not None
        port = int(server.stdout.readline())
        try:
            return asyncio.run(_call(package, port, server.pid, streams, seconds, warm_up))
        finally:
            server.terminate()


async def _call(
    package: Package, port: int, process: int, streams: int, seconds: float, warm_up: float
) -> StreamResult:
    end, counts = time.monotonic() + seconds, [0, 0]
    channels = [grpc.aio.insecure_channel(f"localhost:{port}", options=[("grpc.use_local_subchannel_pool", 1)])
                for _ in range(20)]  # fmt: skip

    async def send(data: bytes, delay: float) -> AsyncIterator[bytes]:
        await asyncio.sleep(delay)
        while time.monotonic() < end:
            yield data
            await asyncio.sleep(1)

    async def stream(number: int) -> None:
        version = ("v1", "v2")[number % 2]
        call: Any = channels[number % len(channels)].stream_stream(f"/echo.{version}.Echo/Do")
        data = make_message(package, version).SerializeToString()
        try:
            async for answer in call(send(data, number / streams)):
                counts[0 if answer == data else 1] += 1
        except grpc.aio.AioRpcError:
            counts[1] += 1

    tasks = [asyncio.create_task(stream(number)) for number in range(streams)]
    await asyncio.sleep(warm_up)
    before = _read_memory(process)
    await asyncio.sleep(max(end - time.monotonic() - 2, 0))
    after = _read_memory(process)
    await asyncio.gather(*tasks)
    await asyncio.gather(*(channel.close() for channel in channels))
    return StreamResult(counts[0], counts[1], before, after)


def _read_memory(process: int) -> int:
    """Return the resident memory of a process in KiB."""
    text = Path(f"/proc/{process}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0])


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        result = run(Path(name))
    growth = result.after / result.before - 1
    print(f"{_STREAMS} streams for {_SECONDS} s: {result.answers} answers, {result.errors} errors")
    print(f"memory of the server: {result.before} KiB, then {result.after} KiB ({growth:+.1%})")
