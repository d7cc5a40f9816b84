"""A pytest plugin for servers of groups: tests that run in several versions, with samples of each version.

Load it with `pytest_plugins = ["groups.runtime.testing"]` in conftest.py. Samples are Proto JSON in the folder of the
ini option `rpc_samples`: `GROUP/VERSION/RPC.request.json` and `GROUP/VERSION/RPC.response.json`, or
`GROUP/common/...` for all versions without their own. Microversions without a sample have that of the previous one with
a sample. The sample of a stream is a list of messages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest
from google.protobuf import json_format, message_factory

from .microversions import parse_number
from .services import VersionService, list_version_services

REQUEST, RESPONSE = "request", "response"
_COMMON = "common"


def use_versions(*versions: str) -> pytest.MarkDecorator:
    """Run a test, or the tests of a class, once in each version, which is the fixture `group_version`."""
    return pytest.mark.use_versions(*versions)


def override_version(version: str) -> pytest.MarkDecorator:
    """Run a test in one version instead of the versions of its class."""
    return pytest.mark.override_version(version)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the folder of samples."""
    parser.addini("group_samples", "folder of the samples of API groups", default="samples")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marks."""
    config.addinivalue_line("markers", "use_versions(*versions): versions of an API group to run a test in")
    config.addinivalue_line("markers", "override_version(version): the version of an API group to run a test in")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrize the tests with the fixture `group_version`."""
    if "group_version" not in metafunc.fixturenames:
        return
    override = metafunc.definition.get_closest_marker("override_version")
    versions = override or metafunc.definition.get_closest_marker("use_versions")
    if versions is None:
        raise pytest.UsageError(f"{metafunc.function.__name__} uses group_version without use_versions")
    metafunc.parametrize("group_version", versions.args)


@pytest.fixture
def group_samples(request: pytest.FixtureRequest) -> Samples:
    """The samples of the groups."""
    return Samples(request.config.rootpath / str(request.config.getini("group_samples")))


class Samples:
    """The samples in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, group: str, version: str, rpc: str, kind: str) -> Path | None:
        """Return the file of a sample: of the version, or of all versions; None if there is none.

        A microversion without a sample of its own has that of the previous microversion with one.
        """
        folders = [*self._list_folders(group, version), self._folder / group / _COMMON]
        paths = [folder / f"{rpc}.{kind}.json" for folder in folders]
        return next((path for path in paths if path.is_file()), None)

    def _list_folders(self, group: str, version: str) -> list[Path]:
        """Return the folder of a version; those of a microversion and the previous ones, newest first."""
        number = parse_number(version)
        if number is None:
            return [self._folder / group / version]
        folders = {parse_number(path.name): path for path in (self._folder / group).glob("*.*")}
        return [folders[each] for each in sorted(each for each in folders if each and each <= number)[::-1]]

    def read(self, group: str, version: str, rpc: str, kind: str) -> Any:
        """Return a sample as plain data. Raises FileNotFoundError."""
        path = self.find(group, version, rpc, kind)
        if path is None:
            raise FileNotFoundError(f"no sample {group}/{version}/{rpc}.{kind}.json in {self._folder}")
        return json.loads(path.read_text(encoding="utf-8"))

    def common_sample(self, group: str, rpc: str, kind: str) -> Any:
        """Return the sample of all versions as plain data. Raises FileNotFoundError."""
        return self.read(group, _COMMON, rpc, kind)


class RpcOfVersion(NamedTuple):
    """An RPC of a version, to parametrize tests with: its string is GROUP/VERSION/RPC."""

    service: VersionService
    rpc: str

    def __str__(self) -> str:
        return f"{self.service.group}/{self.service.version}/{self.rpc}"

    def find_problem(self, channel: grpc.Channel, samples: Samples, timeout: float = 10) -> str:
        """Call the RPC with its request sample, and describe a response that is not the sample; empty if it is."""
        return _compare(channel, self.service, self.rpc, samples, timeout)


def list_rpcs(services: Iterable[VersionService]) -> list[RpcOfVersion]:
    """Return each RPC of each version."""
    return [RpcOfVersion(service, rpc) for service in list_version_services(services) for rpc in service.handlers]


def list_missing_samples(services: Iterable[VersionService], samples: Samples) -> list[str]:
    """Return the names of the samples that RPCs lack, such as `work/v1/Do.request.json`."""
    return [
        f"{each}.{kind}.json"
        for each in list_rpcs(services)
        for kind in (REQUEST, RESPONSE)
        if samples.find(each.service.group, each.service.version, each.rpc, kind) is None
    ]


def list_wrong_responses(
    channel: grpc.Channel, services: Iterable[VersionService], samples: Samples, timeout: float = 10
) -> list[str]:
    """Call each RPC of each version with its request sample, and describe the responses that are not the sample."""
    problems = (each.find_problem(channel, samples, timeout) for each in list_rpcs(services))
    return [problem for problem in problems if problem]


def _compare(channel: grpc.Channel, service: VersionService, rpc: str, samples: Samples, timeout: float) -> str:
    method = service.pool.FindServiceByName(service.name).FindMethodByName(rpc)
    classes: list[Any] = [message_factory.GetMessageClass(each) for each in (method.input_type, method.output_type)]
    read: Callable[[str], Any] = lambda kind: samples.read(service.group, service.version, rpc, kind)  # noqa: E731
    handler: Any = service.handlers[rpc]
    kind = f"{'stream' if handler.request_streaming else 'unary'}_{'stream' if handler.response_streaming else 'unary'}"
    call: Any = getattr(channel, kind)(
        f"/{service.name}/{rpc}",
        request_serializer=classes[0].SerializeToString,
        response_deserializer=classes[1].FromString,
    )
    requests = [_parse(data, classes[0], service) for data in _list_messages(read(REQUEST))]
    expected = [_parse(data, classes[1], service) for data in _list_messages(read(RESPONSE))]
    label = f"{service.group}/{service.version}/{rpc}"
    try:
        metadata = service.header.make_request(service.version) if service.header else None
        argument = iter(requests) if handler.request_streaming else requests[0]
        answer = call(argument, timeout=timeout, metadata=metadata)
        actual = list(_take(answer, len(expected))) if handler.response_streaming else [answer]
    except grpc.RpcError as error:
        status: Any = error
        return f"{label}: {status.code().name}: {status.details()}"
    if actual == expected:
        return ""
    return f"{label}: {_format(actual, service)} is not the sample {_format(expected, service)}"


def _take(stream: Any, count: int) -> Iterator[Any]:
    """Yield the messages of a stream up to one more than the sample has, and cancel it."""
    for index, message in enumerate(stream):
        yield message
        if index >= count - 1:
            stream.cancel()
            return


def _list_messages(data: Any) -> Sequence[Any]:
    return data if isinstance(data, list) else [data]


def _parse(data: Any, kind: Any, service: VersionService) -> Any:
    return json_format.ParseDict(data, kind(), descriptor_pool=service.pool)


def _format(messages: Iterable[Any], service: VersionService) -> str:
    data = [json_format.MessageToDict(message, descriptor_pool=service.pool) for message in messages]
    return json.dumps(data, ensure_ascii=False)
