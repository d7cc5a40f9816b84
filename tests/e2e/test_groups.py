"""The example of a gRPC API group, over real sockets: every version, with threads and with asyncio."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.bundled_protos import OPTIONS
from protoc_gen_crd.proto.generate_inputs import read_inputs
from tests.conftest import ROOT
from tests.support.group_servers import serve_aio, serve_threads
from tests.support.groups import Package, import_package

EXAMPLE = ROOT / "examples" / "dummy" / "gen"
SERVICES = {"v1alpha1": "dummy.v1alpha1.Dummy", "v1": "dummy.v1.Dummy"}


@pytest.fixture(scope="module")
def package() -> Iterator[Package]:
    with import_package(EXAMPLE, "groups", "dummy") as package:
        yield package


class SyncServer:
    """The server of the example without asyncio."""

    def __init__(self, server: Any) -> None:
        self._server = server

    def compute_double(self, request: Any, context: grpc.ServicerContext, version: Any) -> Any:
        class AioContext:
            async def abort(self, code: grpc.StatusCode, details: str) -> None:
                context.abort(code, details)

        return asyncio.run(self._server.compute_double(request, AioContext(), version))


@pytest.fixture(params=["asyncio", "threads"])
def port(request: pytest.FixtureRequest, package: Package) -> Iterator[int]:
    """Serve the example on a free port."""
    server = package.load("server").Server()
    serving = serve_aio(package, server) if request.param == "asyncio" else serve_threads(package, SyncServer(server))
    with serving as port:
        yield port


@pytest.fixture
def channel(port: int) -> Iterator[grpc.Channel]:
    with grpc.insecure_channel(f"localhost:{port}") as channel:
        yield channel


def test_every_version_is_served(package: Package, channel: grpc.Channel) -> None:
    old, new = package.load("v1alpha1.messages"), package.load("v1.messages")
    answer = package.load("v1alpha1.client").Client(channel).compute_double(old.ComputeDoubleRequest(input32=28))
    assert answer == old.ComputeDoubleResponse(response32=56)
    answer = package.load("v1.client").Client(channel).compute_double(new.ComputeDoubleRequest(input=2**40))
    assert answer == new.ComputeDoubleResponse(response=2**41)


@pytest.mark.parametrize(
    ("version", "field", "number", "details"),
    [
        ("v1alpha1", "input32", 2**30, "response32: 2147483648 does not fit into int32"),
        ("v1", "input", -(2**62) - 1, "int64 overflow"),
    ],
)
def test_an_overflow_is_out_of_range(
    package: Package, channel: grpc.Channel, version: str, field: str, number: int, details: str
) -> None:
    client = package.load(f"{version}.client").Client(channel)
    request = package.load(f"{version}.messages").ComputeDoubleRequest(**{field: number})
    with pytest.raises(grpc.RpcError) as error:
        client.compute_double(request)
    assert (error.value.code(), error.value.details()) == (grpc.StatusCode.OUT_OF_RANGE, details)


@pytest.mark.parametrize(("ceiling", "version"), [("V1", "v1"), ("V1ALPHA1", "v1alpha1")])
def test_a_client_negotiates_the_version(package: Package, channel: grpc.Channel, ceiling: str, version: str) -> None:
    hub = package.load("hub")
    client = package.load("client").connect(channel, ceiling=hub.Version[ceiling])
    assert client.version.label == version
    assert client.compute_double(hub.ComputeDoubleRequest(5)) == hub.ComputeDoubleResponse(10)


def test_an_asyncio_client_negotiates_the_version(package: Package, port: int) -> None:
    hub = package.load("hub")

    async def call() -> Any:
        async with grpc.aio.insecure_channel(f"localhost:{port}") as channel:
            client = await package.load("client").connect_aio(channel)
            return client.version, await client.compute_double(hub.ComputeDoubleRequest(5))

    assert asyncio.run(call()) == (hub.Version.V1, hub.ComputeDoubleResponse(10))


def test_reflection_describes_every_version(channel: grpc.Channel) -> None:
    """Call both versions with nothing but what reflection returns, as grpcurl does."""
    database = ProtoReflectionDescriptorDatabase(channel)
    assert {*SERVICES.values()} < {*database.get_services()}
    for service in SERVICES.values():
        pool = DescriptorPool(database)
        method = pool.FindServiceByName(service).FindMethodByName("ComputeDouble")
        request, response = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
        call = channel.unary_unary(
            f"/{service}/ComputeDouble",
            request_serializer=request.SerializeToString,
            response_deserializer=response.FromString,
        )
        (field,) = method.input_type.fields
        (answer,) = call(request(**{field.name: 21})).ListFields()
        assert answer[1] == 42


def test_health_reports_every_service(channel: grpc.Channel) -> None:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    for service in ("", *SERVICES.values()):
        answer = stub.Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_each_version_has_its_own_socket(package: Package, tmp_path: Path) -> None:
    """Serve each version on a socket named after it, as csi-proxy does on pipes."""
    serving, registry = package.runtime("serving"), package.load("registry")
    template = f"unix:{tmp_path}/{{group}}-{{version}}.sock"
    server = serving.GroupServer(registry.list_services(SyncServer(package.load("server").Server())), template)
    server.start()
    try:
        for version, service in SERVICES.items():
            with grpc.insecure_channel(f"unix:{tmp_path}/dummy-{version}.sock") as channel:
                services = ProtoReflectionDescriptorDatabase(channel).get_services()
                assert [name for name in services if name.startswith("dummy.")] == [service]
                assert package.load("client").connect(channel).version.label == version
    finally:
        server.stop(0)


def test_the_proto_of_discovery_describes_the_service(package: Package) -> None:
    """Compare the file for clients in other languages with the descriptor of the runtime."""
    problems = Problems()
    path = str(OPTIONS / "protoc_gen_crd/groups/v1/discovery.proto")
    compiled = read_inputs([path], [str(OPTIONS)], [], problems).request.proto_file[-1]
    compiled.ClearField("source_code_info")
    actual = FileDescriptorProto()
    package.runtime("discovery").pool.FindFileByName(compiled.name).CopyToProto(actual)
    assert (problems.findings, actual) == ([], compiled)


def test_the_server_of_the_example_implements_the_protocol(package: Package) -> None:
    assert inspect.iscoroutinefunction(package.load("server").Server.compute_double)
