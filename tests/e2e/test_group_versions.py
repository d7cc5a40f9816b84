"""A group with five versions, whose changes are of every kind, served to clients of each version over a socket."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.timestamp_pb2 import Timestamp

from tests.conftest import ROOT
from tests.support.groups import Package, generate_package, import_package

GROUP = ROOT / "testdata" / "groups" / "storage"
VERSIONS = ("v1alpha1", "v1beta1", "v1beta2", "v1beta3", "v1")
OLD, NEW = VERSIONS[:3], VERSIONS[3:]
RESULT_TIME = Timestamp(seconds=1, nanos=999_999_999)


class Server:
    """A server on hub types. It records requests, and answers with the fields that the newest version has."""

    def __init__(self, hub: Any) -> None:
        self.hub = hub
        self.requests: list[tuple[Any, str]] = []

    def list_locations(self, request: Any, context: object, version: Any) -> Any:
        self.requests.append((request, version.label))
        return self.hub.ListLocationsResponse({7: self.hub.Location(1, 2)}, "no error")

    def list_ids(self, request: Any, context: object, version: Any) -> Any:
        return self.hub.ListIdsResponse({7: self.hub.Ids("abc", "s1")})

    def find_device(self, request: Any, context: object, version: Any) -> Any:
        return self.hub.FindDeviceResponse(f"{request.name}-7")

    def get_stats(self, request: Any, context: object, version: Any) -> Any:
        self.requests.append((request, version.label))
        return self.hub.GetStatsResponse(2**40)

    def set_state(self, request: Any, context: object, version: Any) -> Any:
        self.requests.append((request, version.label))
        return self.hub.SetStateResponse()

    def partition(self, request: Any, context: object, version: Any) -> Any:
        self.requests.append((request, version.label))
        return self.hub.PartitionResponse()

    def resize(self, request: Any, context: object, version: Any) -> Any:
        self.requests.append((request, version.label))
        return self.hub.ResizeResponse(request.size_bytes * 2)

    def resize_all(self, requests: Iterator[Any], context: object, version: Any) -> Iterator[Any]:
        for request in requests:
            yield self.resize(request, context, version)

    def watch(self, request: Any, context: object, version: Any) -> Iterator[Any]:
        hub = self.hub
        detail = AnyMessage(type_url="acme/x", value=b"\1")
        cause = hub.Event(kind=hub.Kind.ATTACHED, subject=hub.EventSubjectLocation(hub.Location(3, 4)))
        yield hub.Event(RESULT_TIME, hub.Kind.DETACHED, detail, hub.EventSubjectDevice("d"), [cause])
        if request.limit != 1:
            yield hub.Event(causes=[hub.Event(), hub.Event(kind=hub.Kind.FAILED)])


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("storage")
    protos = {f"storage/{path.parent.name}/api.proto": path.read_text() for path in GROUP.glob("*/api.proto")}
    name, findings = generate_package(protos, folder)
    assert [(finding.rule, finding.path) for finding in findings] == [("group-enum", "storage.v1.Kind")]
    with import_package(folder, name, "storage") as package:
        yield package


@pytest.fixture(scope="module")
def server(package: Package) -> Server:
    return Server(package.load("hub"))


@pytest.fixture(scope="module")
def channel(package: Package, server: Server) -> Iterator[grpc.Channel]:
    threads = package.runtime("serving").GroupServer(package.load("registry").list_services(server), "localhost:0")
    threads.start()
    with grpc.insecure_channel(f"localhost:{threads.ports['localhost:0']}") as channel:
        yield channel
    threads.stop(0)


def call(package: Package, channel: grpc.Channel, version: str, rpc: str, **fields: Any) -> Any:
    """Call an RPC with the client of a version."""
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        client = package.load(f"{version}.client").Client(channel)
    messages = package.load(f"{version}.messages")
    name = "".join(part.capitalize() for part in rpc.split("_"))
    return getattr(client, rpc)(getattr(messages, f"{name}Request")(**fields))


def get_error(package: Package, channel: grpc.Channel, version: str, rpc: str, **fields: Any) -> tuple[str, str | None]:
    def read() -> list[Any]:
        return [*call(package, channel, version, rpc, **fields)]

    with pytest.raises(grpc.RpcError) as error:
        read()
    return error.value.code().name, error.value.details() or ""


@pytest.mark.parametrize("version", VERSIONS)
def test_a_map_key_is_a_string_or_a_number(package: Package, channel: grpc.Channel, version: str) -> None:
    answer = call(package, channel, version, "list_locations")
    (key,) = answer.locations
    assert key == ("7" if version in OLD else 7)
    assert (answer.locations[key].adapter, answer.locations[key].bus) == (1, 2)


def test_a_field_that_is_gone_is_in_the_hub(package: Package, channel: grpc.Channel, server: Server) -> None:
    answer = call(package, channel, "v1alpha1", "list_locations", context=1)
    assert answer.error == "no error"
    assert server.requests[-1][0].context == server.hub.Context.POD


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_a_message_is_reshaped(package: Package, channel: grpc.Channel, version: str) -> None:
    answer = call(package, channel, version, "list_ids")
    if version in OLD:
        assert dict(answer.ids["7"].identifiers) == {"page83": "abc", "serialNumber": "s1"}
    else:
        assert (answer.ids[7].page83, answer.ids[7].serial_number) == ("abc", "s1")


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_a_renamed_rpc_has_one_method(package: Package, channel: grpc.Channel, server: Server, version: str) -> None:
    if version in OLD:
        assert call(package, channel, version, "stats", device_id="7").size == 2**40
    else:
        assert call(package, channel, version, "get_stats", device_number=7).size_bytes == 2**40
    assert server.requests[-1] == (server.hub.GetStatsRequest(7), version)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_renamed_field_keeps_its_value(package: Package, channel: grpc.Channel, server: Server, version: str) -> None:
    fields = {"size" if version in OLD else "size_bytes": 21}
    answer = call(package, channel, version, "resize", volume_id="v", **fields)
    assert server.requests[-1] == (server.hub.ResizeRequest("v", 21), version)
    assert getattr(answer, "actual_size" if version in OLD else "actual_size_bytes") == 42


@pytest.mark.parametrize("version", OLD)
def test_an_old_client_gets_the_default_of_a_new_field(
    package: Package, channel: grpc.Channel, server: Server, version: str
) -> None:
    call(package, channel, version, "partition", device_id="4294967295", layout=1)
    expected = server.hub.PartitionRequest(4294967295, server.hub.Layout.GUID, [], "data")
    assert server.requests[-1] == (expected, version)


@pytest.mark.parametrize(
    ("version", "rpc", "fields", "code", "details"),
    [
        ("v1beta1", "resize", {"size": 2**30}, "OUT_OF_RANGE", "actual_size: 2147483648 does not fit into int32"),
        ("v1", "partition", {"layout": -1}, "OUT_OF_RANGE", "layout: -1 has no counterpart"),
        ("v1beta1", "partition", {"device_id": "4294967296"}, "OUT_OF_RANGE",
         "device_id: 4294967296 does not fit into uint32"),
        ("v1beta1", "partition", {"device_id": "disk"}, "INVALID_ARGUMENT", "device_id: 'disk' is not a whole number"),
        ("v1", "partition", {"layout": 9}, "OUT_OF_RANGE", "layout: 9 has no counterpart"),
        ("v1beta2", "watch", {}, "OUT_OF_RANGE", "causes[1].kind: <Kind.FAILED: 4> has no counterpart"),
    ],
)  # fmt: skip
def test_a_value_that_does_not_fit_has_a_status_with_its_path(
    package: Package, channel: grpc.Channel, version: str, rpc: str, fields: dict[str, Any], code: str, details: str
) -> None:
    assert get_error(package, channel, version, rpc, **fields) == (code, details)


@pytest.mark.parametrize("version", ["v1beta2", "v1beta3", "v1"])
def test_a_stream_has_nested_messages(package: Package, channel: grpc.Channel, version: str) -> None:
    (event,) = call(package, channel, version, "watch", limit=1)
    assert (event.time.seconds, event.time.nanos) == (1, 999_999_999)
    assert event.kind == (2 if version in OLD else 3)
    assert (event.detail.type_url, event.detail.value) == ("acme/x", b"\1")
    assert (event.WhichOneof("subject"), event.device) == ("device", "d")
    (cause,) = event.causes
    assert (cause.WhichOneof("subject"), cause.location.bus, cause.kind) == ("location", 4, 1)
    assert not cause.HasField("time")


def test_a_removed_rpc_is_served_in_its_version(package: Package, channel: grpc.Channel) -> None:
    assert call(package, channel, "v1alpha1", "find_device", name="d").number == "d-7"
    assert not hasattr(package.load("v1beta1.client").Client, "find_device")


@pytest.mark.parametrize("version", NEW)
def test_streams_of_both_sides(package: Package, channel: grpc.Channel, version: str) -> None:
    client, messages = package.load(f"{version}.client").Client(channel), package.load(f"{version}.messages")
    requests = (messages.ResizeRequest(size_bytes=size) for size in range(3))
    assert [answer.actual_size_bytes for answer in client.resize_all(requests)] == [0, 2, 4]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_client_of_the_group_speaks_every_version(
    package: Package, channel: grpc.Channel, server: Server, version: str
) -> None:
    hub = server.hub
    client = package.load("client").connect(channel, ceiling=hub.Version[version.upper()])
    assert client.version.label == version
    assert client.resize(hub.ResizeRequest("v", 4)) == hub.ResizeResponse(8)
    assert server.requests[-1] == (hub.ResizeRequest("v", 4), version)
    assert client.list_locations(hub.ListLocationsRequest()).locations == {7: hub.Location(1, 2)}


def test_a_missing_rpc_of_the_client_names_its_versions(
    package: Package, channel: grpc.Channel, server: Server
) -> None:
    client = package.load("client").connect(channel)
    with pytest.raises(NotImplementedError, match="FindDevice is not in version v1, only in v1alpha1"):
        client.find_device(server.hub.FindDeviceRequest("d"))


def test_a_deprecated_version_is_in_the_trailing_metadata(package: Package, channel: grpc.Channel) -> None:
    messages = package.load("v1alpha1.messages")
    method = channel.unary_unary(
        "/storage.v1alpha1.Storage/Resize",
        request_serializer=messages.ResizeRequest.SerializeToString,
        response_deserializer=messages.ResizeResponse.FromString,
    )
    _, outcome = method.with_call(messages.ResizeRequest(size=1))
    assert outcome.trailing_metadata() == (("deprecation", "version v1alpha1 is deprecated: Use v1beta3."),)
