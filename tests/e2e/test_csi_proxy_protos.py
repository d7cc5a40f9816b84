"""csi-proxy's own API groups: generated with the declarations of testdata/groups/csi-proxy, served, and called.

The protos are those of the Go module github.com/kubernetes-csi/csi-proxy/client, which `go mod download` provides. The
tests are skipped without it.
"""

from __future__ import annotations

import dataclasses
import enum
import importlib
import os
import shutil
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT

DECLARATIONS = ROOT / "testdata" / "groups" / "csi-proxy" / "protoc-gen-crd.yaml"
CACHE = Path(os.environ.get("GOMODCACHE", Path.home() / "go" / "pkg" / "mod"))
MODULES = sorted((CACHE / "github.com" / "kubernetes-csi" / "csi-proxy").glob("client@*"))
PACKAGE = "csi_proxy_groups"
# The numbers of hub RPCs and versions in the fact sheet: section 7.1, with one hub RPC for a renamed one.
RPCS = {"disk": 8, "filesystem": 6, "iscsi": 8, "smb": 2, "system": 4, "volume": 11}
VERSIONS = {"disk": 5, "filesystem": 5, "iscsi": 2, "smb": 4, "system": 1, "volume": 6}

pytestmark = pytest.mark.skipif(not MODULES, reason="no Go module github.com/kubernetes-csi/csi-proxy/client")


def prepare(folder: Path, edit: tuple[str, str] = ("", "")) -> None:
    """Copy the protos to a folder, with the declarations."""
    for path in (MODULES[-1] / "api").rglob("*.proto"):
        target = folder / "api" / path.relative_to(MODULES[-1] / "api")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    text = DECLARATIONS.read_text()
    assert edit[0] in text
    (folder / "protoc-gen-crd.yaml").write_text(text.replace("groups: groups", f"groups: {PACKAGE}").replace(*edit))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("csi")
    prepare(folder)
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert main(["generate", "-q"]) == 0
    finally:
        os.chdir(before)
    sys.path.insert(0, str(folder / "gen"))
    importlib.invalidate_caches()
    yield folder
    sys.path.remove(str(folder / "gen"))
    for name in [name for name in sys.modules if name.startswith(PACKAGE)]:
        del sys.modules[name]


def load(module: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.{module}")


class Server:
    """A server of all groups: it records hub requests, and answers with the response that a test sets."""

    def __init__(self) -> None:
        self.request: Any = None
        self.response: Any = None

    def __getattr__(self, name: str) -> Any:
        def answer(request: Any, context: object, version: object) -> Any:
            self.request = request
            return self.response

        return answer


@pytest.fixture(scope="module")
def server(folder: Path) -> Server:
    return Server()


@pytest.fixture(scope="module")
def channel(server: Server) -> Iterator[grpc.Channel]:
    """A channel to one server of all versions of all groups."""
    services = [service for group in RPCS for service in load(f"{group}.registry").list_services(server)]
    running = load("runtime.serving").GroupServer(services, "localhost:0")
    running.start()
    with grpc.insecure_channel(f"localhost:{running.ports['localhost:0']}") as channel:
        yield channel
    running.stop(0)


def fill(message: Any) -> Any:
    """Set all fields of a message, also in messages, lists, and maps. Strings are numbers, which some must be."""
    for field in message.DESCRIPTOR.fields:
        entry = field.message_type if field.message_type and field.message_type.GetOptions().map_entry else None
        if entry is not None:
            values, key = getattr(message, field.name), "7" if entry.fields[0].cpp_type == 9 else 7
            if entry.fields[1].message_type:
                fill(values[key])
            else:
                values[key] = make_value(entry.fields[1])
        elif field.message_type:
            child = getattr(message, field.name)
            fill(child.add() if field.is_repeated else child)
        elif field.is_repeated:
            getattr(message, field.name).append(make_value(field))
        else:
            setattr(message, field.name, make_value(field))
    return message


def make_value(field: Any) -> Any:
    values = {field.CPPTYPE_STRING: "7", field.CPPTYPE_BOOL: True, field.CPPTYPE_ENUM: 1}
    value = values.get(field.cpp_type, 7)
    return value if field.type != field.TYPE_BYTES else b"7"


def count_values(data: Any) -> int:
    """Count the values in a hub object that are not unset, zero, or empty."""
    if isinstance(data, list | tuple):
        return sum(map(count_values, data))
    if isinstance(data, dict):
        return sum(map(count_values, data.values()))
    if dataclasses.is_dataclass(data):
        return sum(count_values(getattr(data, field.name)) for field in dataclasses.fields(data))
    return int(bool(data))


def find_unset(message: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of fields that are not set, also in messages, lists, and maps."""
    for field in message.DESCRIPTOR.fields:
        value, name = getattr(message, field.name), f"{path}{field.name}"
        if not field.message_type:
            if not value:
                yield name
        elif field.message_type.GetOptions().map_entry:
            items = list(value.values())
            yield from [] if items else [name]
            yield from [
                candidate for item in items if hasattr(item, "DESCRIPTOR") for candidate in find_unset(item, f"{name}.")
            ]
        elif field.is_repeated:
            yield from [candidate for item in value for candidate in find_unset(item, f"{name}.")] if value else [name]
        else:
            yield from find_unset(value, f"{name}.") if message.HasField(field.name) else [name]


def list_calls(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the group, version, and method name of each RPC of each version."""
    for group in RPCS:
        for version in load(f"{group}.registry").VERSIONS:
            client = load(f"{group}.{version}.client").Client
            yield from ((group, version, name) for name in vars(client) if not name.startswith("_"))


def call(channel: grpc.Channel, group: str, version: str, method: str, request: Any) -> Any:
    return getattr(load(f"{group}.{version}.client").Client(channel), method)(request)


def get_types(channel: grpc.Channel, group: str, version: str, method: str) -> tuple[str, str]:
    """Return the names of the request and response of a version."""
    pool = load(f"{group}.{version}.messages").pool
    service = pool.FindServiceByName(f"{version}.{group.capitalize()}")
    words = method.replace("_", "")
    (result,) = [method for method in service.methods if method.name.lower() == words]
    return result.input_type.name, result.output_type.name


def test_all_groups_are_generated_without_functions_of_the_user(folder: Path) -> None:
    for group, count in RPCS.items():
        methods = [name for name in vars(load(f"{group}.api").Server) if not name.startswith("_")]
        assert (group, len(methods)) == (group, count)
        assert len(load(f"{group}.registry").VERSIONS) == VERSIONS[group]
    assert not list((folder / "gen").rglob("functions.py"))


def test_no_value_of_any_rpc_is_lost(folder: Path, channel: grpc.Channel, server: Server) -> None:
    """Call every RPC of every version with all fields set, and answer with all fields of the hub set."""
    calls = list(list_calls(folder))
    assert len(calls) == 139  # all of the 23 versions
    for group, version, method in calls:
        messages = load(f"{group}.{version}.messages")
        request_name, response_name = get_types(channel, group, version, method)
        request = fill(getattr(messages, request_name)())
        server.response = fill_hub(load(f"{group}.api").Server, method, group)
        response = call(channel, group, version, method, request)
        assert type(response).DESCRIPTOR.name == response_name
        label = f"{group} {version} {method}"
        assert (label, list(find_unset(response))) == (label, [])
        assert (label, count_values(server.request)) == (label, count_fields(request))


def count_fields(message: Any) -> int:
    """Count the values in a message whose fields are all set."""
    return sum(
        count_fields(value) if field.message_type and not field.is_repeated else 1
        for field, value in message.ListFields()
    )


def fill_hub(server: Any, method: str, group: str) -> Any:
    """Return the response of a method of the server with all fields set."""
    function = getattr(server, find_hub_method(server, method, group))
    return make_hub_value(typing.get_type_hints(function)["return"])


def find_hub_method(server: Any, method: str, group: str) -> str:
    return method if hasattr(server, method) else RENAMED[group, method]


# The methods of the hub for RPCs that have another name in older versions: section 7.1 of the fact sheet.
RENAMED = {
    ("disk", "disk_stats"): "get_disk_stats",
    ("disk", "set_attach_state"): "set_disk_state",
    ("disk", "get_attach_state"): "get_disk_state",
    ("filesystem", "link_path"): "create_symlink",
    ("filesystem", "is_mount_point"): "is_symlink",
    ("volume", "dismount_volume"): "unmount_volume",
    ("volume", "volume_stats"): "get_volume_stats",
    ("volume", "get_volume_disk_number"): "get_disk_number_from_volume_id",
    ("volume", "get_volume_id_from_mount"): "get_volume_id_from_target_path",
}


def make_hub_value(kind: Any) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return [make_hub_value(arguments[0])]
    if origin is dict:
        return {make_hub_value(arguments[0]): make_hub_value(arguments[1])}
    if arguments:
        return make_hub_value(arguments[0])
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return typing.cast("Any", kind)(**{name: make_hub_value(hint) for name, hint in hints.items()})
    if issubclass(kind, enum.Enum):
        return list(kind)[1]
    return {bool: True, str: "7", bytes: b"7", float: 7.0}.get(kind, 7)


# The 18 changes of section 7.2 that need a conversion: group, version, message, method, and the values of both sides.
REQUESTS = [
    *(("disk", version, "partition_disk", {"diskID": "3"}, {"disk_number": 3})
      for version in ("v1alpha1", "v1beta1", "v1beta2")),
    *(("volume", version, "list_volumes_on_disk", {"disk_id": "3"}, {"disk_number": 3, "partition_number": 0})
      for version in ("v1alpha1", "v1beta1", "v1beta2")),
    *(("volume", version, "mount_volume", {"volume_id": "v", "path": "p"}, {"volume_id": "v", "target_path": "p"})
      for version in ("v1alpha1", "v1beta1", "v1beta2")),
    *(("volume", version, "resize_volume", {"volume_id": "v", "size": 2**40}, {"volume_id": "v", "size_bytes": 2**40})
      for version in ("v1alpha1", "v1beta1", "v1beta2")),
]  # fmt: skip


@pytest.mark.parametrize(("group", "version", "method", "sent", "received"), REQUESTS)
def test_a_changed_request_is_converted(
    channel: grpc.Channel, server: Server, group: str, version: str, method: str, sent: Any, received: Any
) -> None:
    name = "".join(word.capitalize() for word in method.split("_"))
    server.response = getattr(load(f"{group}.hub"), f"{name}Response")()
    call(channel, group, version, method, getattr(load(f"{group}.{version}.messages"), f"{name}Request")(**sent))
    assert {name: getattr(server.request, name) for name in server.request.__slots__} == received


def test_a_number_that_is_too_large_is_not_truncated(channel: grpc.Channel, server: Server) -> None:
    """Table 7.2: PartitionDisk parses 64 bits and truncates to 32."""
    for text, status in (("4294967296", "OUT_OF_RANGE"), ("disk", "INVALID_ARGUMENT"), ("-1", "OUT_OF_RANGE")):
        request = load("disk.v1alpha1.messages").PartitionDiskRequest(diskID=text)
        with pytest.raises(grpc.RpcError) as error:
            call(channel, "disk", "v1alpha1", "partition_disk", request)
        assert error.value.code().name == status
        assert "diskID" in str(error.value.details())


@pytest.mark.parametrize("version", ["v1alpha1", "v1beta1", "v1beta2"])
def test_disk_locations_have_keys_of_strings(channel: grpc.Channel, server: Server, version: str) -> None:
    hub, messages = load("disk.hub"), load(f"disk.{version}.messages")
    server.response = hub.ListDiskLocationsResponse({4: hub.DiskLocation("1", "2", "3", "4")})
    response = call(channel, "disk", version, "list_disk_locations", messages.ListDiskLocationsRequest())
    assert {key: item.LUNID for key, item in response.disk_locations.items()} == {"4": "4"}


def test_the_number_of_a_disk_is_a_string(channel: grpc.Channel, server: Server) -> None:
    server.response = load("disk.hub").GetDiskNumberByNameResponse("5")
    request = load("disk.v1alpha1.messages").GetDiskNumberByNameRequest(disk_name="d")
    assert call(channel, "disk", "v1alpha1", "get_disk_number_by_name", request).disk_number == "5"


@pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])
def test_identifiers_of_disks_are_a_map(channel: grpc.Channel, server: Server, version: str) -> None:
    hub, messages = load("disk.hub"), load(f"disk.{version}.messages")
    server.response = hub.ListDiskIDsResponse({4: hub.DiskIDs("p", "s")})
    response = call(channel, "disk", version, "list_disk_ids", messages.ListDiskIDsRequest())
    identifiers = {key: dict(item.identifiers) for key, item in response.diskIDs.items()}
    assert identifiers == {"4": {"page83": "p", "serialNumber": "s"}}


# The declarations, each of which is necessary: without it, a conversion would lose or change values. Those of
# identifiers are about one map, whose keys are not declared.
NECESSARY = [
    line.strip()
    for line in DECLARATIONS.read_text().splitlines()
    if ("conversion" in line or "gone" in line) and "identifiers" not in line
]


@pytest.mark.parametrize("line", NECESSARY, ids=[line.partition(":")[0] for line in NECESSARY])
def test_without_a_declaration_the_change_is_reported(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prepare(tmp_path, (line, f"# {line}"))
    monkeypatch.chdir(tmp_path)
    assert main(["generate", "-q"]) == 1
    error = capsys.readouterr().err
    assert "[conversion-lost]" in error or "[conversion-type]" in error, error
    assert not (tmp_path / "gen").exists()
