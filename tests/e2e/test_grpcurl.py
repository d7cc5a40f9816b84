"""grpcurl calls the example in all versions through reflection, as docs/groups.md shows; skipped without it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT

GRPCURL = shutil.which("grpcurl")
SERVE = """
import asyncio, sys
sys.path.insert(0, "gen")
from groups.dummy import registry
from groups.dummy.server import Server
from groups.runtime.serving import AioGroupServer

async def main():
    server = AioGroupServer(registry.list_aio_services(Server()), "localhost:0")
    await server.start()
    print(server.ports["localhost:0"], flush=True)
    await server.wait()

asyncio.run(main())
"""

pytestmark = pytest.mark.skipif(not GRPCURL, reason="grpcurl is not on PATH")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-B", "-c", SERVE]
    with subprocess.Popen(command, cwd=ROOT / "examples" / "dummy", stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield f"localhost:{server.stdout.readline().strip()}"
        server.terminate()


def grpcurl(*arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [str(GRPCURL), "-plaintext", *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stdout + done.stderr


def test_all_services_are_listed(address: str) -> None:
    status, output = grpcurl(address, "list")
    assert status == 0
    assert {"dummy.v1.Dummy", "dummy.v1alpha1.Dummy", "grpc.health.v1.Health"} <= {*output.split()}
    assert "protoc_gen_crd.groups.v1.Discovery" in output.split()


@pytest.mark.parametrize(("version", "field"), [("v1alpha1", "int32 input32 = 1;"), ("v1", "int64 input = 1;")])
def test_messages_are_described(address: str, version: str, field: str) -> None:
    status, output = grpcurl(address, "describe", f"dummy.{version}.ComputeDoubleRequest")
    assert (status, field in output) == (0, True)


@pytest.mark.parametrize(("version", "request_data", "response"), [
    ("v1alpha1", {"input32": 21}, {"response32": 42}),
    ("v1", {"input": "1099511627776"}, {"response": "2199023255552"}),
])  # fmt: skip
def test_versions_are_called(address: str, version: str, request_data: object, response: object) -> None:
    status, output = grpcurl("-d", json.dumps(request_data), address, f"dummy.{version}.Dummy/ComputeDouble")
    assert (status, json.loads(output)) == (0, response)


def test_an_overflow_has_a_status(address: str) -> None:
    status, output = grpcurl("-d", '{"input32": 2000000000}', address, "dummy.v1alpha1.Dummy/ComputeDouble")
    assert status != 0
    assert "Code: OutOfRange\n  Message: response32: 4000000000 does not fit into int32" in output


def test_versions_are_discovered(address: str) -> None:
    status, output = grpcurl(address, "protoc_gen_crd.groups.v1.Discovery/ListVersions")
    assert status == 0
    assert [version["version"] for version in json.loads(output)["versions"]] == ["v1alpha1", "v1"]
