"""Every RPC in every microversion returns its sample; some differences between microversions."""

import importlib

import grpc
import pytest
from groups.runtime.testing import (
    RpcOfVersion,
    Samples,
    list_missing_samples,
    list_rpcs,
    override_version,
    use_versions,
)
from groups.volume import hub, registry, versions
from groups.volume.server import Server

SERVICES = list(registry.list_aio_services(Server()))


@pytest.mark.parametrize("rpc", list_rpcs(SERVICES), ids=str)
def test_an_rpc_returns_its_sample(rpc: RpcOfVersion, channel: grpc.Channel, group_samples: Samples) -> None:
    assert rpc.find_problem(channel, group_samples) == ""


def test_every_rpc_has_samples(group_samples: Samples) -> None:
    assert list_missing_samples(SERVICES, group_samples) == []


@use_versions(*[version.label for version in hub.Version])
class TestGet:
    """GetVolume in all microversions."""

    def test_name(self, channel: grpc.Channel, group_version: str) -> None:
        module = f"groups.volume.{hub.Version.parse(group_version).name.lower()}"
        messages = importlib.import_module(f"{module}.messages")
        client = importlib.import_module(f"{module}.client").Client(channel)
        assert client.get_volume(messages.GetVolumeRequest(name="data")).name == "data"

    @override_version(versions.VOLUME_HOST)
    def test_host(self, group_version: str, group_samples: Samples) -> None:
        assert group_samples.read("volume", group_version, "GetVolume", "response")["host"] == "storage-1"
