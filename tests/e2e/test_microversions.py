"""The example of microversions over real sockets: every number, with asyncio and with threads.

The expectations are the table of statuses and the history of the example, 3.0 to 3.6.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pool import DescriptorPool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from tests.conftest import ROOT
from tests.support.group_servers import SyncServer, serve_aio, serve_threads
from tests.support.groups import Package, import_package

EXAMPLE = ROOT / "examples" / "volumes" / "gen"
NUMBERS = ("3.0", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6")
PATH = "/volume.Volumes/"
KEY = "api-version"
RANGE = {f"{KEY}-minimum": "3.0", f"{KEY}-maximum": "3.6"}


@pytest.fixture(scope="module")
def package() -> Iterator[Package]:
    with import_package(EXAMPLE, "groups", "volume") as package:
        yield package


@pytest.fixture(params=["asyncio", "threads"])
def channel(request: pytest.FixtureRequest, package: Package) -> Iterator[grpc.Channel]:
    server = package.load("server").Server()
    serving = serve_aio(package, server) if request.param == "asyncio" else serve_threads(package, SyncServer(server))
    with serving as port, grpc.insecure_channel(f"localhost:{port}") as channel:
        yield channel


class Caller:
    """Calls RPCs with the messages of all numbers and any metadata, as a client without generated code."""

    def __init__(self, package: Package, channel: grpc.Channel) -> None:
        self._pool = package.runtime("pools").load_pool(package.load("descriptors").FILES)
        self._get_class = package.runtime("pools").get_class
        self._channel = channel

    def call(self, rpc: str, fields: Mapping[str, Any], *values: str) -> tuple[Any, dict[str, Any]]:
        """Return the response and the trailing metadata. Raises RpcError."""
        method = self._pool.FindServiceByName("volume.Volumes").FindMethodByName(rpc)
        request, response = (
            self._get_class(self._pool, item.full_name) for item in (method.input_type, method.output_type)
        )
        call = self._channel.unary_unary(
            PATH + rpc, request_serializer=request.SerializeToString, response_deserializer=response.FromString
        )
        metadata = tuple((KEY, value) for value in values)
        answer, state = call.with_call(request(**fields), metadata=metadata, timeout=60)
        return answer, dict(state.trailing_metadata())

    def fail(self, rpc: str, fields: Mapping[str, Any], *values: str) -> tuple[str, str, dict[str, Any]]:
        """Return the status, its details, and the trailing metadata of a call that fails."""
        with pytest.raises(grpc.RpcError) as error:
            self.call(rpc, fields, *values)
        status: Any = error.value
        return status.code().name, status.details(), dict(status.trailing_metadata())


@pytest.fixture
def caller(package: Package, channel: grpc.Channel) -> Caller:
    return Caller(package, channel)


def get_field_names(message: Any) -> list[str]:
    return [field.name for field, _ in message.ListFields()]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_has_exactly_its_fields(caller: Caller, number: str) -> None:
    new = number >= "3.3"
    size = {"size_mb": 2048} if new else {"size_gb": 2}
    metadata = {"metadata": {"a": "b"}} if number >= "3.1" else {}
    volume, trailing = caller.call("CreateVolume", {"name": "x", **size, **metadata}, f"volume {number}")
    assert trailing == {KEY: f"volume {number}", **RANGE}
    names = ["name", "size_mb" if new else "size_gb", "status"]
    names += ["metadata"] * bool(metadata) + ["host"] * (number == "3.6")
    assert sorted(get_field_names(volume)) == sorted(names)
    assert (volume.size_mb, volume.size_gb) == ((2048, 0) if new else (0, 2))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_field_outside_its_range_is_rejected(caller: Caller, number: str) -> None:
    wrong = {"size_gb": 1} if number >= "3.3" else {"size_mb": 1}
    code, details, trailing = caller.fail("CreateVolume", {"name": "x", **wrong}, f"volume {number}")
    assert code == "INVALID_ARGUMENT"
    assert next(iter(wrong)) in details
    assert trailing == {KEY: f"volume {number}", **RANGE}


RANGES = {
    "CreateVolume": ("3.0", "3.6"), "GetVolume": ("3.0", "3.6"), "ListVolumes": ("3.2", "3.6"),
    "RenameVolume": ("3.0", "3.3"), "UpdateVolume": ("3.4", "3.6"),
}  # fmt: skip


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("rpc", RANGES)
def test_an_rpc_outside_its_range_is_unimplemented(caller: Caller, rpc: str, number: str) -> None:
    low, high = RANGES[rpc]
    code = "OK"
    details = ""
    trailing: dict[str, Any] = {}
    try:
        caller.call(rpc, {}, f"volume {number}")
    except grpc.RpcError as error:
        status: Any = error
        code, details, trailing = status.code().name, status.details(), dict(status.trailing_metadata())
    assert (code == "UNIMPLEMENTED") == (not low <= number <= high)
    if code == "UNIMPLEMENTED":
        assert details == f"{rpc} is not in version {number}, only in {low} to {high}"
        assert trailing == {KEY: f"volume {number}", **RANGE}


def test_without_a_version_the_minimum_is_served(caller: Caller) -> None:
    _, trailing = caller.call("CreateVolume", {"name": "x", "size_gb": 1})
    assert trailing[KEY] == "volume 3.0"


def test_latest_is_the_maximum(caller: Caller) -> None:
    _, trailing = caller.call("CreateVolume", {"name": "x", "size_mb": 1}, "volume latest")
    assert trailing[KEY] == "volume 3.6"


@pytest.mark.parametrize(
    ("values", "code", "part"),
    [
        (["volume"], "INVALID_ARGUMENT", "expected a value such as"),
        (["3.4"], "INVALID_ARGUMENT", "expected a value such as"),
        (["volume 3"], "INVALID_ARGUMENT", "expected a value such as"),
        (["volume 3.x"], "INVALID_ARGUMENT", "expected a value such as"),
        (["volume 3.04"], "INVALID_ARGUMENT", "expected a value such as"),
        (["volume -3.4"], "INVALID_ARGUMENT", "expected a value such as"),
        (["volume 3.4 3.5"], "INVALID_ARGUMENT", "expected a value such as"),
        (["volume 3.1,volume 3.2"], "INVALID_ARGUMENT", "expected a value such as"),
        (["volume " + "3" * 4000], "INVALID_ARGUMENT", "expected a value such as"),
        (["volume 3.4\\x00"], "INVALID_ARGUMENT", "expected a value such as"),
        ([""], "INVALID_ARGUMENT", "expected a value such as"),
        (["compute 3.4"], "INVALID_ARGUMENT", "is for another group than volume"),
        (["volume 3.1", "volume 3.2"], "INVALID_ARGUMENT", "2 values of api-version"),
        (["volume 3.7"], "FAILED_PRECONDITION", "version 3.7 is not served, only 3.0 to 3.6"),
        (["volume 2.9"], "FAILED_PRECONDITION", "version 2.9 is not served, only 3.0 to 3.6"),
        (["volume 999999999.999999999"], "FAILED_PRECONDITION", "is not served, only 3.0 to 3.6"),
    ],
)
def test_a_wrong_version_is_a_clear_status(caller: Caller, values: list[str], code: str, part: str) -> None:
    actual, details, trailing = caller.fail("GetVolume", {"name": "x"}, *values)
    assert (actual, part in details, len(details) < 200) == (code, True, True), details
    assert trailing == RANGE
    assert caller.call("CreateVolume", {"name": "still-served"}, "volume 3.0")


def test_a_value_that_only_newer_numbers_have_is_mapped(caller: Caller) -> None:
    caller.call("CreateVolume", {"name": "x", "size_mb": 1024}, "volume 3.6")
    archived, _ = caller.call("UpdateVolume", {"name": "x", "metadata": {"archived": "yes"}}, "volume 3.5")
    old, _ = caller.call("GetVolume", {"name": "x"}, "volume 3.4")
    assert (archived.status, old.status) == (3, 1)


@pytest.mark.parametrize("number", NUMBERS)
def test_each_number_has_its_body(caller: Caller, number: str) -> None:
    size = {"size_mb": 1} if number >= "3.3" else {"size_gb": 1}
    caller.call("CreateVolume", {"name": "Data", **size}, f"volume {number}")
    if number >= "3.5":
        assert caller.call("GetVolume", {"name": "DATA"}, f"volume {number}")[0].name == "Data"
    else:
        assert caller.fail("GetVolume", {"name": "DATA"}, f"volume {number}")[0] == "NOT_FOUND"


def test_a_private_method_has_bodies(caller: Caller) -> None:
    new, _ = caller.call("CreateVolume", {"name": "new", "size_mb": 1025}, "volume 3.3")
    assert new.size_mb == 2048


@pytest.mark.parametrize("number", NUMBERS)
def test_the_typed_client_of_a_number(package: Package, channel: grpc.Channel, number: str) -> None:
    module = f"v{number.replace('.', '_')}"
    messages = package.load(f"{module}.messages")
    client = package.load(f"{module}.client").Client(channel)
    assert client.create_volume(messages.CreateVolumeRequest(name="x")).name == "x"


@pytest.mark.parametrize(("ceiling", "label"), [("V3_6", "3.6"), ("V3_1", "3.1")])
def test_a_client_negotiates_the_number(package: Package, channel: grpc.Channel, ceiling: str, label: str) -> None:
    hub = package.load("hub")
    client = package.load("client").connect(channel, ceiling=hub.Version[ceiling])
    assert client.version.label == label
    assert client.create_volume(hub.CreateVolumeRequest("x", 2048)).size_mb == 2048


def test_each_rpc_returns_its_samples_in_each_number(tmp_path: Path) -> None:
    """Run the tests of the example with the pytest plugin: 26 RPCs of numbers, and 9 others."""
    shutil.copytree(EXAMPLE.parent, tmp_path / "volumes")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "tests"]
    done = subprocess.run(command, cwd=tmp_path / "volumes", capture_output=True, text=True, check=False, timeout=120)
    assert "35 passed" in done.stdout, done.stdout + done.stderr


def test_discovery_lists_the_numbers(package: Package, channel: grpc.Channel) -> None:
    """Compare the RPC of discovery and the discovery document."""
    discovery = package.runtime("discovery")
    call = channel.unary_unary(
        f"/{discovery.SERVICE}/{discovery.METHOD}",
        request_serializer=discovery.ListVersionsRequest.SerializeToString,
        response_deserializer=discovery.ListVersionsResponse.FromString,
    )
    listed = call(discovery.ListVersionsRequest(group="volume"), timeout=60).versions
    assert [(item.version, item.status, item.released) for item in listed] == [
        *((number, "SUPPORTED", "2026-09-01") for number in NUMBERS[:-1]),
        ("3.6", "CURRENT", ""),
    ]
    document = json.loads((EXAMPLE / "groups" / "volume" / "versions.json").read_text())
    assert (document["minimum"], document["maximum"], document["service"]) == ("3.0", "3.6", "volume.Volumes")
    rows = [(row["version"], row["status"], row["released"]) for row in document["versions"]]
    assert rows == [(item.version, item.status, item.released) for item in listed]


def test_each_number_has_a_constant(package: Package) -> None:
    versions = package.load("versions")
    assert (versions.INITIAL_VERSION, versions.SIZES_IN_MIB, versions.VOLUME_HOST) == ("3.0", "3.3", "3.6")


def test_reflection_describes_the_elements_of_all_numbers(channel: grpc.Channel) -> None:
    database = ProtoReflectionDescriptorDatabase(channel)
    assert "volume.Volumes" in database.get_services()
    descriptor = DescriptorPool(database).FindMessageTypeByName("volume.Volume")
    assert {"size_gb", "size_mb", "host"} <= set(descriptor.fields_by_name)


def test_the_service_is_healthy(channel: grpc.Channel) -> None:
    stub: Any = health_pb2_grpc.HealthStub(channel)
    answer = stub.Check(health_pb2.HealthCheckRequest(service="volume.Volumes"), timeout=60)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING
