"""A pytest plugin for servers of groups: tests that run in several versions, with samples of each version.

Load it with `pytest_plugins = ["groups.runtime.testing"]` in conftest.py. Samples are Proto JSON in the folder of the
ini option `group_samples`: `GROUP/VERSION/RPC.request.json` and `GROUP/VERSION/RPC.response.json`, or
`GROUP/common/...` for all versions without their own. The sample of a stream is a list of messages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf import json_format, message_factory

from .services import VersionService

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
        """Return the file of a sample: of the version, or of all versions; None if there is none."""
        paths = [self._folder / group / name / f"{rpc}.{kind}.json" for name in (version, _COMMON)]
        return next((path for path in paths if path.is_file()), None)

    def read(self, group: str, version: str, rpc: str, kind: str) -> Any:
        """Return a sample as plain data. Raises FileNotFoundError."""
        path = self.find(group, version, rpc, kind)
        if path is None:
            raise FileNotFoundError(f"no sample {group}/{version}/{rpc}.{kind}.json in {self._folder}")
        return json.loads(path.read_text(encoding="utf-8"))

    def common_sample(self, group: str, rpc: str, kind: str) -> Any:
        """Return the sample of all versions as plain data. Raises FileNotFoundError."""
        return self.read(group, _COMMON, rpc, kind)


def list_missing_samples(services: Iterable[VersionService], samples: Samples) -> list[str]:
    """Return the names of the samples that RPCs lack, such as `work/v1/Do.request.json`."""
    return [
        f"{service.group}/{service.version}/{rpc}.{kind}.json"
        for service in services
        for rpc in service.handlers
        for kind in (REQUEST, RESPONSE)
        if samples.find(service.group, service.version, rpc, kind) is None
    ]


def list_wrong_responses(
    channel: grpc.Channel, services: Iterable[VersionService], samples: Samples, timeout: float = 10
) -> list[str]:
    """Call each RPC of each version with its request sample, and describe the responses that are not the sample."""
    return [
        problem
        for service in services
        for rpc in service.handlers
        if (problem := _compare(channel, service, rpc, samples, timeout))
    ]


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
        answer = call(iter(requests) if handler.request_streaming else requests[0], timeout=timeout)
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
