"""Bodies of methods by microversion: each case of Cinder's guide for API developers, and what is rejected at import."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.findings.finding import Finding
from tests.conftest import ROOT
from tests.support.groups import Package, generate_package, import_package

WORK = """syntax = "proto3";
package work;
import "protoc_gen_crd/v1/options.proto";

service Work {
  option (protoc_gen_crd.v1.service).microversions = {minimum: "3.0" maximum: "3.5"};
  rpc Show(Task) returns (Task);
  // +protoc-gen-crd:since="3.2"
  rpc Add(Task) returns (Task);
  // +protoc-gen-crd:until="3.3"
  rpc Remove(Task) returns (Task);
}
message Task { string name = 1; }
"""
NUMBERS = ("3.0", "3.1", "3.2", "3.3", "3.4", "3.5")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("work")
    name, findings = generate_package({"work/work.proto": WORK}, folder)
    assert findings == []
    with import_package(folder, name, "work") as package:
        yield package


class Bodies(Protocol):
    """A method with bodies."""

    def __call__(self, *arguments: Any, **named: Any) -> Any: ...

    def api_version(
        self, since: str | None = None, until: str | None = None
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...


class ApiVersion(Protocol):
    """The decorator of a group."""

    def __call__(
        self, since: str | None = None, until: str | None = None
    ) -> Callable[[Callable[..., Any]], Bodies]: ...


@pytest.fixture
def api_version(package: Package) -> ApiVersion:
    decorator: ApiVersion = package.load("versions").api_version
    return decorator


def call_each(package: Package, method: Any) -> dict[str, Any]:
    """Return the results of a method by number."""
    hub = package.load("hub")
    return {version.label: method(hub.Task("x", version=version), None, version) for version in hub.Version}


def test_guide_adding_a_method(package: Package, api_version: ApiVersion) -> None:
    class Server:
        @api_version("3.2")
        def add(self, request: Any, context: Any, version: Any) -> str:
            return str(version.label)

    hub = package.load("hub")
    assert Server().add(None, None, hub.Version.V3_2) == "3.2"
    assert Server().add(None, None, version=hub.Version.V3_5) == "3.5"
    with pytest.raises(NotImplementedError, match=r"add has no body for version 3\.1"):
        Server().add(None, None, hub.Version.V3_1)


def test_guide_removing_a_method(package: Package, api_version: ApiVersion) -> None:
    class Server:
        @api_version("3.0", "3.3")
        def remove(self, request: Any, context: Any, version: Any) -> str:
            return str(version.label)

    hub = package.load("hub")
    assert Server().remove(None, None, hub.Version.V3_3) == "3.3"
    with pytest.raises(NotImplementedError, match=r"remove has no body for version 3\.4"):
        Server().remove(None, None, hub.Version.V3_4)


def test_guide_changing_a_method(package: Package, api_version: ApiVersion) -> None:
    class Server:
        @api_version("3.0", "3.3")
        def show(self, request: Any, context: Any, version: Any) -> str:
            return "old"

        @show.api_version("3.4")
        def _(self, request: Any, context: Any, version: Any) -> str:
            return "new"

    expected = dict.fromkeys(NUMBERS, "old") | dict.fromkeys(("3.4", "3.5"), "new")
    assert call_each(package, Server().show) == expected


def test_guide_a_small_change_in_a_private_method(package: Package, api_version: ApiVersion) -> None:
    class Server:
        def show(self, request: Any, context: Any, version: Any) -> str:
            return f"{self._format(request)}!"

        @api_version(None, "3.1")
        def _format(self, request: Any) -> str:
            return "plain"

        @_format.api_version("3.2", "3.4")
        def _(self, request: Any) -> str:
            return "long"

        @_format.api_version("3.5")
        def _(self, request: Any) -> str:
            return "short"

    assert list(call_each(package, Server().show).values()) == ["plain!"] * 2 + ["long!"] * 3 + ["short!"]


def test_guide_without_decorators(package: Package) -> None:
    class Server:
        def show(self, request: Any, context: Any, version: Any) -> str:
            return "new" if request.version.matches("3.1", "3.5") else "old"

    assert list(call_each(package, Server().show).values()) == ["old"] + ["new"] * 5


@pytest.mark.parametrize("null", [None, ""])
def test_guide_null_ranges(package: Package, null: str | None) -> None:
    version = package.load("hub").Version.V3_2
    ranges = [(null, null), (null, "3.2"), ("3.2", null), (null, "3.1"), ("3.3", null), ("3.2", "latest")]
    assert [version.matches(*ends) for ends in ranges] == [True, True, True, False, False, True]
    assert (version.matches(), version.matches("3.2"), version.matches(until="3.1")) == (True, True, False)


def test_guide_null_ranges_of_bodies(package: Package, api_version: ApiVersion) -> None:
    class Server:
        @api_version(until="3.1")
        def show(self, request: Any, context: Any, version: Any) -> str:
            return "old"

        @show.api_version("3.2", None)
        def _(self, request: Any, context: Any, version: Any) -> str:
            return "new"

    assert list(call_each(package, Server().show).values()) == ["old"] * 2 + ["new"] * 4


def test_an_unknown_number_is_an_error(package: Package) -> None:
    version = package.load("hub").Version.V3_2
    for number in ("3.6", "2.9", "3", "x"):
        with pytest.raises(ValueError, match=r"is not a microversion from 3\.0 to 3\.5"):
            version.matches(number)


BODY = """
    {decorator}
    def {name}(self, request, context, version):
        return 0
"""


@pytest.mark.parametrize(
    ("bodies", "message"),
    [
        ([("api_version('3.0', '3.3')", "show"), ("show.api_version('3.3')", "_")],
         "show has two bodies for version 3.3"),
        ([("api_version('3.0', '3.2')", "show"), ("show.api_version('3.4')", "_")],
         "Server.show has no body for version 3.3"),
        ([("api_version('3.1')", "show")], "Server.show has no body for version 3.0"),
        ([("api_version('3.0', '3.4')", "show")], "Server.show has no body for version 3.5"),
        ([("api_version('3.3')", "add")], "Server.add has no body for version 3.2"),
        ([("api_version('3.0', '3.6')", "show")], '"3.6" is not a microversion from 3.0 to 3.5'),
        ([("api_version('2.0')", "show")], '"2.0" is not a microversion from 3.0 to 3.5'),
        ([("api_version('3.3', '3.1')", "show")], '"3.3" to "3.1" is not a range'),
        ([("api_version('3.0', '3.1')", "_private"), ("_private.api_version('3.3')", "_")],
         "Server._private has no body for version 3.2"),
        ([("api_version()", "show"), ("show.api_version()", "_")], "show has two bodies for version 3.0"),
    ],
)  # fmt: skip
def test_wrong_ranges_are_rejected_at_import(
    package: Package, tmp_path: Path, bodies: list[tuple[str, str]], message: str
) -> None:
    source = "class Server:\n" + "".join(BODY.format(decorator=f"@{item}", name=name) for item, name in bodies)
    with pytest.raises((TypeError, RuntimeError)) as error:
        exec(source, {"api_version": package.load("versions").api_version})  # noqa: S102 - the source is above
    texts = [str(error.value), str(error.value.__cause__)]  # Python 3.11 wraps errors of __set_name__
    assert any(message in text for text in texts), texts


def test_a_body_without_a_version_is_rejected(api_version: ApiVersion) -> None:
    with pytest.raises((TypeError, RuntimeError)) as error:

        class Server:
            @api_version("3.0")
            def _help(self, name: str) -> str:
                return name

    assert "no parameter version or request" in f"{error.value} {error.value.__cause__}"


TYPED = '''"""Bodies of methods."""

from __future__ import annotations

from groups.volume import api, hub, registry
from groups.volume.server import Server as Base
from groups.volume.versions import SIZES_IN_MIB, api_version


class Server(Base):
    """A server."""

    @api_version(until="3.2")
    async def get_volume(
        self,
        request: hub.GetVolumeRequest,
        context: api.AioContext,
        version: hub.Version,
    ) -> hub.Volume:
        """Return a volume."""
        return self._make(version, request.name)

    @get_volume.api_version(SIZES_IN_MIB, "3.4")
    async def _(
        self,
        request: hub.GetVolumeRequest,
        context: api.AioContext,
        version: hub.Version,
    ) -> hub.Volume:
        return self._make(version, request.name.upper())

    @get_volume.api_version("3.5")
    async def _(
        self,
        request: hub.GetVolumeRequest,
        context: api.AioContext,
        version: hub.Version,
    ) -> hub.Volume:
        return self._make(version, "x")

    @api_version(None, "3.1")
    def _make(self, version: hub.Version, name: str) -> hub.Volume:
        return hub.Volume(name)

    @_make.api_version("3.2")
    def _(self, version: hub.Version, name: str) -> hub.Volume:
        return hub.Volume(name.lower())


SERVICES = registry.list_aio_services(Server())
'''


def check_types(tmp_path: Path, cache: Path, source: str) -> str:
    (tmp_path / "server.py").write_text(source)
    (tmp_path / "groups").symlink_to(ROOT / "examples" / "volumes" / "gen" / "groups")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={cache}"]
    return subprocess.run(
        [*command, tmp_path / "server.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    ).stdout


def test_mypy_and_ruff_accept_the_form(tmp_path: Path, mypy_cache: Path) -> None:
    assert check_types(tmp_path, mypy_cache, TYPED) == "Success: no issues found in 1 source file\n"
    rules = ["--select", "ALL", "--ignore", "ARG002,PLR6301,CPY001,INP001,COM812,D203,D213,TC001"]
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", *rules, "server.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "All checks passed!\n"


def test_mypy_rejects_a_body_with_other_parameters(tmp_path: Path, mypy_cache: Path) -> None:
    wrong = TYPED.replace(
        "    def _(self, version: hub.Version, name: str)", "    def _(self, version: hub.Version, name: int)"
    )
    message = 'Argument 1 has incompatible type "Callable[[Server, Version, int], Volume]"'
    assert message in check_types(tmp_path, mypy_cache, wrong)


def generate(text: str, folder: Path) -> list[Finding]:
    return generate_package({"work/work.proto": text}, folder)[1]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('maximum: "3.5"', 'maximum: "4.1"', '"3.0" to "4.1" is not a range of microversions'),
        ('minimum: "3.0"', 'minimum: "3.6"', '"3.6" to "3.5" is not a range of microversions'),
        ('minimum: "3.0"', 'minimum: "v1"', 'minimum "v1" is not a microversion such as 3.4'),
        ('minimum: "3.0" ', "", 'minimum "" is not a microversion such as 3.4'),
        ('maximum: "3.5"', 'maximum: "3.5" deprecated_until: "3.5"', 'deprecated_until "3.5" is not between'),
        ('maximum: "3.5"', 'maximum: "3.99999"', "100000 microversions are more than 500"),
        ('.microversions = {minimum: "3.0" maximum: "3.5"};',
         ' = {versions: "v1" microversions: {minimum: "3.0" maximum: "3.5"}};',
         "a service has versions or microversions"),
        ('.microversions = {minimum: "3.0" maximum: "3.5"};',
         ' = {unknown_fields: "drop" microversions: {minimum: "3.0" maximum: "3.5"}};',
         "microversions reject unknown fields"),
        ('since="3.2"', 'since="3.6"', '"3.6" is not a microversion from 3.0 to 3.5'),
        ('until="3.3"', 'until="2.9"', '"2.9" is not a microversion from 3.0 to 3.5'),
    ],
)  # fmt: skip
def test_a_wrong_line_is_a_finding(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in WORK
    findings = [
        finding for finding in generate(WORK.replace(old, new), tmp_path) if finding.rule == "microversion-range"
    ]
    assert message in findings[0].message
    assert findings[0].at is not None
    assert findings[0].at.resolve().file == "work/work.proto"


SERVER = """from . import hub
from .versions import api_version

class Server:
    @api_version(SINCE)
    async def show(self, request, context, version):
        return hub.Task()

    @show.api_version(OTHER)
    async def _(self, request, context, version):
        return hub.Task()

    async def add(self, request, context, version):
        return hub.Task()

    async def remove(self, request, context, version):
        return hub.Task()
"""


@pytest.mark.parametrize(
    ("since", "other", "message"),
    [
        ("until='3.2'", "'3.3'", ""),
        ("None, '3.2'", "'3.3', 'latest'", ""),
        ("None, MINIMUM", "'3.1', versions.MAXIMUM", ""),
        ("until='3.3'", "'3.3'", "show has two bodies for version 3.3"),
        ("until='3.1'", "'3.3'", "show has no body for version 3.2"),
        ("'3.0', '3.1'", "'3.2', '3.4'", "show has no body for version 3.5"),
        ("until='3.2'", "'3.3', '3.7'", '"3.7" is not a microversion from 3.0 to 3.5'),
        ("until='3.2'", "'3.5', '3.3'", '"3.5" to "3.3" is not a range'),
        ("until='3.2'", "compute()", ""),
    ],
)
def test_generate_reports_wrong_ranges_of_bodies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
    since: str, other: str, message: str,
) -> None:  # fmt: skip
    (tmp_path / "work.proto").write_text(WORK)
    server = tmp_path / "gen" / "groups" / "work" / "server.py"
    server.parent.mkdir(parents=True)
    server.write_text(SERVER.replace("SINCE", since).replace("OTHER", other))
    monkeypatch.chdir(tmp_path)
    status = main(["generate", "-q", "--groups", "groups", "--out", "gen", "work.proto"])
    output = "".join(capsys.readouterr())
    assert (status, "microversion-body" in output) == ((1, True) if message else (0, False)), output
    assert message in output


@pytest.mark.parametrize("decorator", ["api_version('3.3')", "versions.api_version('3.3')", "show.api_version('3.3')"])
def test_generate_reports_a_method_that_is_defined_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, decorator: str
) -> None:
    (tmp_path / "work.proto").write_text(WORK)
    server = tmp_path / "gen" / "groups" / "work" / "server.py"
    server.parent.mkdir(parents=True)
    text = SERVER.replace("SINCE", "until='3.2'").replace("@show.api_version(OTHER)", f"@{decorator}")
    server.write_text(text.replace("async def _(", "async def show("))
    monkeypatch.chdir(tmp_path)
    assert main(["generate", "-q", "--groups", "groups", "--out", "gen", "work.proto"]) == 1
    output = "".join(capsys.readouterr())
    assert "server.py:9: error: show is defined twice [microversion-body]" in output
    assert "hint: add the body to the method: @show.api_version(...) and def _" in output


def test_clients_receive_unimplemented_for_a_private_method_without_a_body(
    package: Package, api_version: ApiVersion
) -> None:
    class Server:
        @api_version("3.0", "3.1")
        def _format(self, version: Any) -> str:
            return "old"

    hub, errors = package.load("hub"), package.runtime("errors")
    with pytest.raises(NotImplementedError) as caught:
        Server()._format(hub.Version.V3_2)
    code, details = errors.get_status(caught.value, "Show")
    assert (code.name, details) == ("UNIMPLEMENTED", "_format has no body for version 3.2")


def test_a_subclass_cannot_add_a_body(api_version: ApiVersion) -> None:
    class Server:
        @api_version("3.0", "3.4")
        def _format(self, version: Any) -> str:
            return "old"

    with pytest.raises(TypeError, match="_format: bodies are added in the class that defines the method"):

        class _Other(Server):
            @Server._format.api_version("3.5")
            def _(self, version: Any) -> str:
                return "new"
