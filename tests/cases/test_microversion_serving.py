"""Microversions with streams, deprecations, and other metadata, over real sockets."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import grpc
import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.settings.option_types import VERSION_HEADER
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import ROOT
from tests.support.group_servers import SyncServer, serve_aio, serve_threads
from tests.support.groups import Package, generate_package, import_package

JOB = (ROOT / "testdata" / "groups" / "microversions" / "job.proto").read_text()
PATH = "/acme.job.v1.Jobs/"
KINDS = {"Run": "unary_unary", "Watch": "unary_stream", "Send": "stream_unary", "Chat": "stream_stream"}


class Status(NamedTuple):
    """A status with details in trailing metadata, as of the package grpcio-status."""

    code: grpc.StatusCode
    details: str
    trailing_metadata: tuple[tuple[str, str], ...]


class Server:
    """A service that returns its request, with the version of the request as the name of a host."""

    def __init__(self, hub: Any) -> None:
        self._hub = hub

    def _mark(self, request: Any) -> Any:
        request.place = self._hub.JobPlaceHost(request.version.label)
        return request

    async def run(self, request: Any, context: Any, version: Any) -> Any:
        if request.version_ == "trailing":
            context.set_trailing_metadata((("own", "1"),))
        if request.version_ == "trailing fail":
            context.set_trailing_metadata((("own", "1"),))
            raise ValueError("secret")
        if request.version_ == "trailing abort":
            context.set_trailing_metadata((("own", "1"),))
            await context.abort(grpc.StatusCode.ABORTED, "no")
        if request.version_ == "abort with status":
            await context.abort_with_status(Status(grpc.StatusCode.ABORTED, "no", (("own", "1"),)))
        if request.version_ == "abort":
            await context.abort(grpc.StatusCode.ABORTED, "no")
        if request.version_ == "fail":
            raise ValueError("secret")
        return self._mark(request)

    async def watch(self, request: Any, context: Any, version: Any) -> Any:
        yield self._mark(request)
        yield request

    async def send(self, requests: Any, context: Any, version: Any) -> Any:
        from google.protobuf import empty_pb2

        async for _ in requests:
            pass
        return empty_pb2.Empty()

    async def chat(self, requests: Any, context: Any, version: Any) -> Any:
        async for request in requests:
            yield self._mark(request)

    async def stop(self, request: Any, context: Any, version: Any) -> Any:
        return request


@pytest.fixture(scope="module", params=["api-version: {group} {version}", "openstack-api-version: work {version}"])
def generated(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Package, str]]:
    folder = tmp_path_factory.mktemp("job")
    header: str = request.param
    name, _ = generate_package({"job/job.proto": JOB}, folder, Settings().replace(microversion_header=header))
    with import_package(folder, name, "job") as package:
        yield package, header


@pytest.fixture
def package(generated: tuple[Package, str]) -> Package:
    return generated[0]


@pytest.fixture(params=["asyncio", "threads"])
def channel(request: pytest.FixtureRequest, package: Package) -> Iterator[grpc.Channel]:
    server: Any = Server(package.load("hub"))
    if request.param == "threads":
        server = ThreadServer(server)
    serving = serve_aio(package, server) if request.param == "asyncio" else serve_threads(package, server)
    with serving as port, grpc.insecure_channel(f"localhost:{port}") as channel:
        yield channel


class ThreadServer(SyncServer):
    """A service that passes streams of requests as asynchronous ones."""

    def __getattr__(self, name: str) -> Any:
        method = super().__getattr__(name)

        async def iterate(requests: Any) -> Any:
            for request in requests:
                yield request

        return lambda request, context, version: method(
            iterate(request) if name in ("send", "chat") else request, context, version
        )


class Caller:
    """Calls RPCs of any kind in any version."""

    def __init__(self, generated: tuple[Package, str], channel: grpc.Channel) -> None:
        package, header = generated
        versions = package.load("versions")
        self.key, _, self.form = header.replace("{group}", "job").partition(": ")
        get_class = package.runtime("pools").get_class
        self.job = get_class(versions.POOL, "acme.job.v1.Job")
        self.empty = get_class(versions.POOL, "google.protobuf.Empty")
        self._channel = channel

    def call(self, rpc: str, version: str, /, **fields: Any) -> tuple[list[Any], dict[str, Any], str, str]:
        """Return the responses, the trailing metadata, the status, and its details."""
        kind = KINDS.get(rpc, "unary_unary")
        request = self.empty() if rpc == "Stop" else self.job(**fields)
        response = self.empty if rpc in ("Send", "Stop") else self.job
        make = getattr(self._channel, kind)
        call = make(PATH + rpc, request_serializer=lambda each: each.SerializeToString(),
                    response_deserializer=response.FromString)  # fmt: skip
        metadata = ((self.key, self.form.replace("{version}", version)),) if version else ()
        argument = iter([request]) if kind.startswith("stream") else request
        responses: list[Any] = []
        try:
            if kind.endswith("stream"):
                state = call(argument, metadata=metadata, timeout=60)
                responses += state
            else:
                response, state = call.with_call(argument, metadata=metadata, timeout=60)
                responses.append(response)
        except grpc.RpcError as error:
            state = error
        trailing = {name: value for name, value in state.trailing_metadata() if not name.startswith("grpc-")}
        return responses, trailing, state.code().name, state.details()


@pytest.fixture
def caller(generated: tuple[Package, str], channel: grpc.Channel) -> Caller:
    return Caller(generated, channel)


RANGES = {"Run": ("1.9", "1.11"), "Watch": ("1.10", "1.11"), "Send": ("1.9", "1.11"), "Chat": ("1.11", "1.11"),
          "Stop": ("1.9", "1.10")}  # fmt: skip
ORDER = ("1.9", "1.10", "1.11")


@pytest.mark.parametrize("rpc", RANGES)
@pytest.mark.parametrize("number", ORDER)
def test_each_kind_of_rpc_in_each_number(caller: Caller, rpc: str, number: str) -> None:
    responses, trailing, code, _ = caller.call(rpc, number)
    low, high = (ORDER.index(end) for end in RANGES[rpc])
    expected = "OK" if low <= ORDER.index(number) <= high else "UNIMPLEMENTED"
    assert code == expected
    assert trailing[caller.key] == caller.form.replace("{version}", number)
    assert (trailing[f"{caller.key}-minimum"], trailing[f"{caller.key}-maximum"]) == ("1.9", "1.11")
    if code == "OK" and rpc not in ("Send", "Stop"):
        assert {response.host for response in responses} == {number}


@pytest.mark.parametrize("rpc", RANGES)
@pytest.mark.parametrize(("version", "code"), [("x", "INVALID_ARGUMENT"), ("1.12", "FAILED_PRECONDITION")])
def test_a_wrong_version_ends_each_kind_of_rpc(caller: Caller, rpc: str, version: str, code: str) -> None:
    responses, trailing, actual, _ = caller.call(rpc, version)
    assert (responses, actual) == ([], code)
    assert trailing == {f"{caller.key}-minimum": "1.9", f"{caller.key}-maximum": "1.11"}


def test_deprecated_numbers_and_rpcs_have_a_notice(caller: Caller) -> None:
    assert caller.call("Run", "1.9")[1]["deprecation"] == "version 1.9 is deprecated: use 1.10 or newer"
    assert "deprecation" not in caller.call("Run", "1.10")[1]
    assert "deprecation" in caller.call("Stop", "1.10")[1]


def test_rejected_fields_are_named_with_their_paths(caller: Caller) -> None:
    fields = {"start": {"seconds": 1}, "steps": {"a": {"level": 1}}, "list": [{"name": "x"}, {"retries": 2}]}
    _, _, code, details = caller.call("Run", "1.9", **fields)
    assert (code, details) == ("INVALID_ARGUMENT", "unknown fields: start, steps.level, list.retries")
    assert caller.call("Run", "1.10", **fields)[3] == "unknown fields: list.retries"
    assert caller.call("Run", "1.11", **fields)[2] == "OK"


@pytest.mark.parametrize(("what", "code"), [
    ("trailing", "OK"), ("abort", "ABORTED"), ("fail", "INTERNAL"), ("trailing fail", "INTERNAL"),
    ("trailing abort", "ABORTED"), ("abort with status", "ABORTED"),
])  # fmt: skip
def test_the_version_is_in_every_response(caller: Caller, what: str, code: str) -> None:
    _, trailing, actual, details = caller.call("Run", "1.10", version=what)
    assert actual == code
    assert trailing[caller.key] == caller.form.replace("{version}", "1.10")
    assert ("own" in trailing) == (what not in ("abort", "fail"))
    assert "secret" not in str(details)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("OpenStack-API-Version: volume {version}", "openstack-api-version: volume {version}"),
        ("x-version:{version}", "x-version: {version}"),
        ("api-version: {group}", None),
        ("api-version", None),
        ("version-bin: {version}", None),
        ("grpc-version: {version}", None),
        ("a b: {version}", None),
        ("k: {version} {version}", None),
    ],
)
def test_the_setting_of_the_header(text: str, value: str | None) -> None:
    if value is not None:
        assert VERSION_HEADER.parse(text) == value
        return
    with pytest.raises(ValueError, match=r"^"):
        VERSION_HEADER.parse(text)


def test_the_proto_of_a_number_is_written_on_request(tmp_path: Path) -> None:
    settings = Settings().replace(microversion_protos=("job/1.10",))
    name, findings = generate_package({"job/job.proto": JOB}, tmp_path, settings)
    assert [finding.rule for finding in findings] == []
    (path,) = (tmp_path / name / "proto").rglob("*.proto")
    text = path.read_text()
    assert path.relative_to(tmp_path / name / "proto").as_posix() == "v1_10/job/job.proto"
    assert ("package acme.job.v1;" in text, "retries" in text, "note" in text, "Level level" in text) == (
        *(True, False, False, True),
    )


def test_a_hand_written_conversion_does_not_lose_the_version(tmp_path: Path) -> None:
    option = (
        'option (protoc_gen_crd.v1.message).type_conversion = {function: {from: "up" to: "down"} versions: ["1.9"]};'
    )
    name, _ = generate_package(
        {"job/job.proto": JOB.replace("  string version = 1;", f"  {option}\n  string version = 1;")}, tmp_path
    )
    functions = tmp_path / name / "job" / "functions.py"
    functions.write_text(
        "from . import hub\n\ndef up(source, derived):\n    return hub.Job(source.version)\n\ndown = None\n"
    )
    with import_package(tmp_path, name, "job") as package:
        messages, hub = package.load("v1_9.messages"), package.load("hub")
        converted = package.load("v1_9.conversions").job_to_hub(messages.Job(version="x"))
        assert (converted.version_, converted.version) == ("x", hub.Version.V1_9)


def test_an_unknown_number_on_request_is_a_finding(tmp_path: Path) -> None:
    settings = Settings().replace(microversion_protos=("job/1.12",))
    findings = generate_package({"job/job.proto": JOB}, tmp_path, settings)[1]
    assert [finding.message for finding in findings] == ['unknown microversion "job/1.12"']


def test_two_branches_with_the_same_number_conflict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Allocate 1.12 on two branches: the change of the maximum is the same, but the notes conflict."""
    monkeypatch.chdir(tmp_path)

    def git(*arguments: str) -> subprocess.CompletedProcess[str]:
        identity = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
        return subprocess.run(["git", *identity, *arguments], capture_output=True, text=True, check=False)

    Path("job.proto").write_text(JOB)
    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "first")
    for branch, title in (("one", "Owners"), ("two", "Colors")):
        git("checkout", "-b", branch, "main")
        Path("job.proto").write_text(JOB.replace('"1.11" deprecated', '"1.12" deprecated'))
        Path("microversions/job").mkdir(parents=True)
        Path("microversions/job/1.12.md").write_text(f"# {title}\n\nJobs have {title.lower()}.\n")
        git("add", ".")
        git("commit", "-m", branch)
    merged = git("merge", "one")
    assert merged.returncode == 1
    assert "CONFLICT (add/add): Merge conflict in microversions/job/1.12.md" in merged.stdout


def test_history_requires_a_note_of_each_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("job.proto").write_text(JOB)
    Path("protoc-gen-crd.yaml").write_text("groups: groups\ninputs: [job.proto]\n")
    assert main(["history", "record", "1.0"]) == 1
    assert capsys.readouterr().err.count("[microversion-note]") == 3
    Path("microversions/job").mkdir(parents=True)
    for number in ORDER:
        Path(f"microversions/job/{number}.md").write_text(f"# Change {number}\n\nText.\n")
    assert main(["history", "record", "1.0"]) == 0
    assert Path("history/1.0/notes/job.1.10.md").read_text() == "`job.1.10` Change 1.10. Text.\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("1.10.md", "no title", "has no title"),
        ("1.10.md", "# Title only\n", "has only a title"),
        ("1.10.md", "# Change 1.9\n\nText.\n", "has the constant CHANGE_1_9: microversion 1.9 has the same"),
        ("1.10.md", "# Maximum\n\nText.\n", "has the constant MAXIMUM: it is reserved"),
        ("1.12.md", "# Change\n\nText.\n", 'is not about a microversion of "job"'),
        ("1.10.md", None, 'microversion 1.10 of "job" has no note'),
    ],
)
def test_a_wrong_note_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str | None, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("microversions/job").mkdir(parents=True)
    for number in ORDER:
        Path(f"microversions/job/{number}.md").write_text(f"# Change {number}\n\nText.\n")
    path = Path("microversions/job", name)
    if text is None:
        path.unlink()
    else:
        path.write_text(text)
    findings = generate_package({"job/job.proto": JOB}, tmp_path)[1]
    assert [finding.rule for finding in findings] == ["microversion-note"]
    assert message in findings[0].message


def test_an_interceptor_gets_the_number(generated: tuple[Package, str]) -> None:
    package, header = generated
    calls: list[Any] = []
    interceptors = package.runtime("interceptors")
    server = ThreadServer(Server(package.load("hub")))
    services = list(package.load("registry").list_services(server))
    options = {"interceptors": [interceptors.GroupInterceptor(services, calls.append)]}
    with serve_threads(package, server, **options) as port, grpc.insecure_channel(f"localhost:{port}") as channel:
        caller = Caller((package, header), channel)
        for version in ("", "1.10", "latest", "x"):
            caller.call("Run", version)
    assert [(call.version, call.rpc, call.code) for call in calls] == [
        ("1.9", "Run", "OK"), ("1.10", "Run", "OK"), ("1.11", "Run", "OK"), ("", "Run", "INVALID_ARGUMENT"),
    ]  # fmt: skip
