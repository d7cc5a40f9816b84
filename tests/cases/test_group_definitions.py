"""Definitions of groups that no server can implement, and incomplete files of users: each is a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.findings.finding import Finding, Location
from protoc_gen_crd.settings.settings import HubEntry, Settings
from tests.support.groups import generate_package

SERVICE = 'syntax = "proto3";\npackage {package};\nservice {name} {{ rpc {rpc}({request}) returns (Answer); }}\n'
SERVICE += "message {request} {{ {fields} }}\nmessage Answer {{}}\n"


def make_service(
    package: str, name: str = "Work", rpc: str = "Do", request: str = "Task", fields: str = "int64 size = 1;"
) -> str:
    return SERVICE.format(package=package, name=name, rpc=rpc, request=request, fields=fields)


def find(protos: dict[str, str], folder: Path, settings: Settings | None = None) -> list[Finding]:
    return generate_package(protos, folder, settings)[1]


ONE = make_service("work.v1")
IMPORT = 'import "work/v1/api.proto";\n'
OPTIONS = 'import "protoc_gen_crd/v1/options.proto";\n'
RENAMED = "option (protoc_gen_crd.v1.method).renamed_from"


@pytest.mark.parametrize(
    ("old", "new", "is_reported"),
    [
        ("Stats", "GetStats", True),
        ("SetAttachState", "SetState", True),
        ("RescanDisk", "RescanDisks", True),
        ("GetStats", "Resize", False),
        ("ListDisks", "ListVolumes", False),
        ("GetSize", "SetState", False),
    ],
)
def test_an_undeclared_rename_is_a_warning(tmp_path: Path, old: str, new: str, is_reported: bool) -> None:
    protos = {
        "work/v1/api.proto": make_service("work.v1", rpc=old),
        "work/v2/api.proto": make_service("work.v2", rpc=new),
    }
    findings = find(protos, tmp_path)
    assert [(finding.rule, finding.hint) for finding in findings] == [
        ("group-rpc-rename", f'if it is renamed, set renamed_from: "{old}"')
    ] * is_reported


def test_a_declared_rename_and_a_new_rpc_are_no_warning(tmp_path: Path) -> None:
    new = (
        make_service("work.v2", rpc="GetStats")
        .replace("Answer); }", f'Answer) {{ {RENAMED} = "Stats"; }} rpc GetAllStats(Task) returns (Answer); }}')
        .replace("service", OPTIONS + "service", 1)
    )
    protos = {"work/v1/api.proto": make_service("work.v1", rpc="Stats"), "work/v2/api.proto": new}
    assert find(protos, tmp_path) == []


def make_annotated(rpc: str = "", field: str = "") -> str:
    """Return an annotated service with two versions, and options of an RPC and a field."""
    versions = 'option (protoc_gen_crd.v1.service) = {versions: ["v1", "v2"]};'
    return f"""syntax = "proto3"; package work;
{OPTIONS}service Work {{ {versions}
  rpc Do(Task) returns (Task);
  rpc Stop(Task) returns (Task) {{ {rpc} }}
}}
message Task {{ string name = 1; string extra = 2{field}; }}
"""


@pytest.mark.parametrize("field", ["", ' [(protoc_gen_crd.v1.field).since = "v1alpha1"]'])
def test_a_range_may_begin_with_a_version_that_is_not_served(tmp_path: Path, field: str) -> None:
    assert find({"work/api.proto": make_annotated("", field)}, tmp_path) == []


def test_a_name_in_two_files_of_a_package_is_reported_once(tmp_path: Path) -> None:
    task = 'syntax = "proto3"; package v1; message Task { string name = 1; }'
    findings = find({"a/v1/api.proto": make_service("v1"), "b/v1/api.proto": task}, tmp_path)
    assert [finding.message for finding in findings] == ['"v1.Task" is already defined in file "a/v1/api.proto"']


@pytest.mark.parametrize(
    ("protos", "rule", "message"),
    [
        ({"work/v1/api.proto": ONE + "service Other {}"}, "group-service", "has two services"),
        ({"work/v1/api.proto": ONE, "work/v1/more.proto": "syntax = 'proto3'; package work.v1; service Other {}"},
         "group-service", "has two services"),
        ({"work/v0/api.proto": make_service("work.v0")}, "group-version", 'invalid version name "v0"'),
        ({"work/v1gamma1/api.proto": make_service("work.v1gamma1")}, "group-version", "invalid version name"),
        ({"work/api.proto": make_service("work")}, "group-version", 'service "Work" has no version'),
        ({"api.proto": make_service("v1")}, "group-name", 'service "Work" has no group'),
        ({"work/v1/api.proto": ONE, "work/v2/api.proto": make_service("work.v2", request="Job")},
         "group-rpc", "messages of different names: v1: (Task) returns (Answer); v2: (Job) returns (Answer)"),
        ({"work/v1/api.proto": ONE, "work/v2/api.proto": make_service("work.v2").replace("(Task)", "(stream Task)")},
         "group-rpc", "different kinds: unary in v1, client streaming in v2"),
        ({"work/v1/api.proto": ONE, "work/v2/api.proto": make_service("work.v2", rpc="Run").replace(
            "Answer); }", f'Answer) {{ {RENAMED} = "Dou"; }} }}').replace("service", OPTIONS + "service", 1)},
         "group-rpc", 'no older version has an RPC "Dou"'),
        ({"a/v1/api.proto": make_service("v1"), "b/v1/api.proto": make_service("v1", name="Other")},
         "proto-compile", 'already defined in file "a/v1/api.proto"'),
        ({"work/api.proto": make_annotated("", ' [(protoc_gen_crd.v1.field).since = "v3"]')},
         "group-range", '"Task.extra" is in no version of the service "Work"'),
        ({"work/api.proto": make_annotated("", ' [(protoc_gen_crd.v1.field).until = "v1beta1"]')},
         "group-range", '"Task.extra" is in no version of the service "Work"'),
        ({"work/api.proto": make_annotated('option (protoc_gen_crd.v1.method).since = "v3";')},
         "group-range", '"Work.Stop" is in no version of the service "Work"'),
    ],
)  # fmt: skip
def test_a_definition_is_reported(tmp_path: Path, protos: dict[str, str], rule: str, message: str) -> None:
    findings = find(protos, tmp_path)
    assert [(finding.rule, message in finding.message) for finding in findings][:1] == [(rule, True)], findings
    assert all(finding.at is not None and finding.at.resolve().line for finding in findings)


def test_a_service_in_an_import_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "work/v1").mkdir(parents=True)
    (tmp_path / "work/v2").mkdir(parents=True)
    (tmp_path / "work/v1/api.proto").write_text(ONE)
    new = make_service("work.v2").replace("service", f"{IMPORT}service", 1).replace("int64", "work.v1.Task")
    (tmp_path / "work/v2/api.proto").write_text(new)
    status = main(["generate", str(tmp_path / "work/v2"), "-I", str(tmp_path), "--groups", "g", "--out", str(tmp_path)])
    error = capsys.readouterr().err
    assert status == 1
    assert 'service "work.v1.Work" of group "work" is in a file that is only imported' in error


@pytest.mark.parametrize(
    ("hub", "message"),
    [("v1", 'hub version v1 cannot represent "size" (int64) of v2'), ("v3", 'group "work" has no version "v3"')],
)
def test_a_pinned_hub_is_checked(tmp_path: Path, hub: str, message: str) -> None:
    settings = Settings().replace(group_hubs={"work": HubEntry(hub, Location("settings.yaml", 1))})
    protos = {"work/v1/api.proto": make_service("work.v1", fields="int32 size = 1;"),
              "work/v2/api.proto": make_service("work.v2")}  # fmt: skip
    (finding,) = find(protos, tmp_path, settings)
    assert (finding.rule, finding.message) == ("group-hub", message)


def test_an_unknown_group_of_the_settings_is_reported(tmp_path: Path) -> None:
    settings = Settings().replace(group_hubs={"wrok": HubEntry("v1", Location("settings.yaml", 1))})
    (finding,) = find({"work/v1/api.proto": ONE}, tmp_path, settings)
    assert (finding.rule, finding.hint) == ("group-hub", 'did you mean "work"?')


def generate(folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    """Run `generate` on the protos in a folder; return its status and findings."""
    status = main(["generate", "proto", "--groups", "groups", "--out", "gen", *more])
    return status, capsys.readouterr().err


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_of_the_user_are_kept_and_checked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "proto/work/v1/api.proto", ONE)
    assert generate(folder, capsys) == (0, "")
    server = folder / "gen/groups/work/server.py"
    mine = server.read_text().replace("raise NotImplementedError", "raise ValueError")
    server.write_text(mine)
    write(folder, "proto/work/v1/api.proto", ONE.replace("rpc Do(", "rpc Start(Task) returns (Answer); rpc Run("))
    status, error = generate(folder, capsys)
    assert (status, server.read_text()) == (0, mine)
    assert 'class Server has no method for the new RPC "start"' in error
    assert "add: async def run(self, request: hub.Task, context: api.AioContext" in error
    assert 'no version has the RPC of the method "do" any more' in error


def test_a_removed_version_and_group_leave_no_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for group, version in (("work", "v1"), ("work", "v2"), ("play", "v1")):
        write(folder, f"proto/{group}/{version}/api.proto", make_service(f"{group}.{version}"))
    assert generate(folder, capsys) == (0, "")
    (folder / "proto/work/v1/api.proto").unlink()
    (folder / "proto/play/v1/api.proto").unlink()
    status, error = generate(folder, capsys)
    assert (status, "gen/groups/play/hub.py: warning: stale file" in error) == (0, True)
    assert generate(folder, capsys, "--prune") == (0, "")
    left = {path.relative_to(folder / "gen/groups").parts[:2] for path in (folder / "gen/groups").rglob("*.py*")}
    assert {parts for parts in left if parts[0] == "play"} == {("play", "server.py")}
    assert not list((folder / "gen/groups/work/v1").glob("*.py"))


def test_declarations_can_be_in_the_settings(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Declare a rename, a removal, an RPC, and the hub of files that are not changed."""
    write(folder, "proto/work/v1/api.proto", make_service("work.v1", fields="int64 size = 1; string note = 2;"))
    new = make_service("work.v2", rpc="Run", fields="int64 bytes = 1;")
    write(folder, "proto/work/v2/api.proto", new)
    write(
        folder,
        "protoc-gen-crd.yaml",
        """overrides:
  work.v2.Task: {gone: [note]}
  work.v2.Task.bytes: {conversion: [{renamed_from: size}]}
  work.v2.Work: {endpoint: "unix:/run/{group}-{version}.sock"}
  work.v2.Work.Run: {renamed_from: Do}
group_hubs: {work: v1}
""",
    )
    assert generate(folder, capsys) == (0, "")
    package = folder / "gen/groups/work"
    assert "    size: int = 0\n" in (package / "hub.py").read_text()
    assert "hub.Task(\n        source.bytes,\n" in (package / "v2/conversions.py").read_text()
    assert 'endpoint="unix:/run/{group}-{version}.sock"' in (package / "registry.py").read_text()
    assert "| Run | unary | run | v1 to v2 | named Do in v1 |" in (package / "README.md").read_text()
    write(folder, "protoc-gen-crd.yaml", "overrides: {work.v2.Work.Rum: {renamed_from: Do}}")
    assert 'did you mean "work.v2.Work.Run"?' in generate(folder, capsys)[1]


def test_an_override_of_a_package_precedes_options_of_its_services(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service = make_service("work.v1").replace(
        "service Work {", 'service Work {\n  option (protoc_gen_crd.v1.service) = {group: "own"};'
    )
    write(folder, "proto/work/v1/api.proto", f'{service}\nimport "protoc_gen_crd/v1/options.proto";\n')
    write(folder, "protoc-gen-crd.yaml", "overrides: {work.v1: {group: other}}")
    assert generate(folder, capsys) == (0, "")
    assert (folder / "gen/groups/other/v1").is_dir()
    write(folder, "protoc-gen-crd.yaml", "overrides: {work.v1: {group: other}, work.v1.Work: {group: third}}")
    generate(folder, capsys)
    assert (folder / "gen/groups/third/v1").is_dir()


FUNCTION = 'type_conversion = {function: {from: "up" to: "down"}}'
WHOLE = f"option (protoc_gen_crd.v1.message).{FUNCTION}; int64 size = 1; string unit = 2;"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def up(source, derived):\n    return hub.Task(size=1)\n", "function up omits fields of hub.Task: unit"),
        ("def up(source, derived):\n    return hub.Task(1)\n", "function up omits fields of hub.Task: unit"),
        ("def up(source):\n    return source\n", "function up has 1 parameters instead of 2: source, derived"),
        ("def convert_v1_Task(source, derived):\n    return derived(source)\n", "function up is missing"),
        ("def up(source, derived):\n    return derived(source)\ndef more():\n    pass\n",
         "no conversion calls the function more"),
        ("def up(source, derived) return\n", "invalid Python"),
        ("def up(source, derived):\n    return hub.Task(int(source.size), unit='B')\n", ""),
        ("def up(source, derived):\n    return hub.Task(derived(source).size)\n", ""),
        ("def up(source, derived):\n    return _read(source, 'size')\ndef _read(source, name):\n    pass\n", ""),
        ("def up(source, derived):\n    return derived(source)\n", "function up loses size, which derived does not"),
        ("def up(source, derived):\n    return hub.Task(1, unit='B')\n", "function down loses size, which derived"),
    ],
)  # fmt: skip
def test_functions_of_the_user_are_checked(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    write(folder, "proto/work/v1/api.proto", make_service("work.v1", fields="string size = 1;"))
    new = make_service("work.v2", fields=WHOLE).replace("service", f"{OPTIONS}service", 1)
    write(folder, "proto/work/v2/api.proto", new)
    assert generate(folder, capsys) == (0, "")
    functions = folder / "gen/groups/work/functions.py"
    assert '    raise NotImplementedError("size")\n' in functions.read_text()
    functions.write_text(f"from . import hub\ndef down(source, derived):\n    return derived(source)\n{text}")
    status, error = generate(folder, capsys)
    assert status == 0
    assert (message in error) if message else (error == "")
