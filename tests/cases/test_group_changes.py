"""Changes of gRPC API groups, each with its rule and class. protobuf itself decodes the examples."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import descriptor_pool, json_format, message_factory
from google.protobuf.message import DecodeError

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.groups.group_api import GroupApi
from protoc_gen_crd.comparison.groups.group_comparison import compare_groups
from protoc_gen_crd.comparison.protos.proto_change_selection import ApiProtos, compare_api_protos
from protoc_gen_crd.comparison.severity_profiles import PROFILES, ProfileChoice
from protoc_gen_crd.crd_loader import generate_crds, summarize_protos
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.group_loader import load_groups
from protoc_gen_crd.proto.generate_inputs import read_inputs
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.branch_changes import find_branch_changes

OLD = """syntax = "proto3";
package work.v1;

service Work {
  rpc Start(Task) returns (Answer);
  rpc Watch(Task) returns (stream Answer);
}
message Task {
  int32 size = 1;
  State state = 2;
  repeated Part parts = 3;
  map<string, Part> named = 4;
  int64 wide = 5;
  oneof way { string road = 6; string rail = 7; }
}
message Part { uint32 count = 1; Part next = 2; bytes data = 3; }
message Answer { int32 result = 1; string note = 2; int64 total = 3; Level level = 4; }
enum State { OFF = 0; ON = 1; IDLE = 2 [deprecated = true]; }
enum Level { LOW = 0; HIGH = 1; }
"""
SETTINGS = Settings().replace(groups="groups")


def load(folder: Path, text: str) -> GroupApi:
    requests = read_requests(folder, text)
    api = load_groups(requests, SETTINGS, problems := Problems()).api
    assert problems.findings == []
    return api


def read_requests(folder: Path, text: str) -> list[Request]:
    folder.mkdir(exist_ok=True)
    (folder / "work.proto").write_text(text)
    requests: list[Request] = []
    generate_crds([str(folder)], SETTINGS, {}, problems := Problems(), requests=requests)
    assert problems.findings == []
    return requests


def compare(folder: Path, text: str) -> list[Change]:
    return compare_groups(load(folder / "old", OLD), load(folder / "new", text))


def edit(before: str, after: str) -> str:
    assert before in OLD
    return OLD.replace(before, after, 1)


# The edit, and the rule, class, and path of the change.
ROWS = [
    ("rpc Start(Task)", "rpc Begin(Task)", "change-rpc-renamed", "BREAK", "Work.Begin"),
    ("  rpc Start(Task) returns (Answer);\n", "", "change-rpc-removed", "BREAK", "Work.Start"),
    ("service Work {", "service Work { rpc Halt(Part) returns (Answer);", "change-rpc-added", "ADDITIVE", "Work.Halt"),
    ("Start(Task)", "Start(Part)", "change-rpc-message", "BREAK", "Work.Start"),
    ("stream Answer", "Answer", "change-rpc-streaming", "BREAK", "Work.Watch"),
    ("Start(Task)", "Start(stream Task)", "change-rpc-streaming", "BREAK", "Work.Start"),
    ("int32 size = 1", "int32 size = 9", "change-field-number", "BREAK", "Task.size"),
    ("int32 size = 1", "int32 length = 1", "change-field-renamed", "BREAK", "Task.length"),
    ("  int32 size = 1;\n", "", "change-field-removed", "BREAK", "Task.size"),
    ("string note = 2", "string note = 2; string more = 9", "change-field-added", "ADDITIVE", "Answer.more"),
    ("int32 size", "string size", "change-type", "BREAK", "Task.size"),
    ("int32 size", "int64 size", "change-type-widened", "LOOSEN", "Task.size"),
    ("int64 wide", "int32 wide", "change-type-narrowed", "BREAK", "Task.wide"),
    ("int32 result", "int64 result", "change-type", "BREAK", "Answer.result"),
    ("int64 total", "int32 total", "change-type-narrowed", "LOOSEN", "Answer.total"),
    ("uint32 count", "sint32 count", "change-type", "BREAK", "Part.count"),
    ("repeated Part parts", "Part parts", "change-type", "BREAK", "Task.parts"),
    ("map<string, Part>", "map<int32, Part>", "change-type", "BREAK", "Task.named"),
    ("int32 size", "optional int32 size", "change-field-presence", "SEMANTIC", "Task.size"),
    ("string note = 2;", "oneof kind { string note = 2; }", "change-field-oneof", "BREAK", "Answer.note"),
    ("string rail = 7; }", "} string rail = 7;", "change-field-oneof", "BREAK", "Task.rail"),
    ("ON = 1;", "", "change-enum-value-removed", "TIGHTEN", "State"),
    ("HIGH = 1;", "", "change-enum-value-removed", "LOOSEN", "Level"),
    ("ON = 1;", "ON = 1; BUSY = 3;", "change-enum-value-added", "LOOSEN", "State"),
    ("HIGH = 1;", "HIGH = 1; TOP = 2;", "change-enum-value-added", "SEMANTIC", "Level"),
    ("ON = 1;", "ON = 3;", "change-enum-number", "BREAK", "State"),
    ("int32 size = 1", "int32 size = 1 [deprecated = true]", "change-deprecated", "NONE", "Task.size"),
    ("ON = 1;", "ON = 1 [deprecated = true];", "change-deprecated", "NONE", "State"),
    ("IDLE = 2 [deprecated = true];", "IDLE = 2;", "change-deprecation-withdrawn", "NONE", "State"),
    ("(Task) returns (Answer);", "(Task) returns (Answer) { option deprecated = true; }",
     "change-deprecated", "NONE", "Work.Start"),
    ("package work.v1;", "package work.v1; option deprecated = true;", "change-deprecated", "NONE", ""),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "rule", "change_class", "path"), ROWS)
def test_a_change_is_reported(tmp_path: Path, before: str, after: str, rule: str, change_class: str, path: str) -> None:
    (change,) = compare(tmp_path, edit(before, after))
    assert (change.rule, change.change_class.name, change.path, change.kind) == (rule, change_class, path, "work")
    assert change.versions == ("v1",)
    assert change.at is not None
    assert change.at.resolve().file.endswith("work.proto")


# The edit, and the rule and path of the change that only descriptors show.
IDEMPOTENT = "returns (Answer) { option idempotency_level = IDEMPOTENT; }"
DESCRIPTORS = [
    ("int32 size = 1", 'int32 size = 1 [json_name = "length"]', "change-field-renamed", "Task.size"),
    ("message Task {", "message Task { reserved 9;", "change-descriptor", "Task"),
    ("message Task {", "message Task { message Inner { int32 a = 1; }", "change-descriptor", "Task.Inner"),
    ("enum State", "message More { int32 a = 1; } enum State", "change-descriptor", "More"),
    ("enum State", "enum More { ZERO = 0; } enum State", "change-descriptor", "More"),
    ("message Spare { int32 a = 1; }", "message Spare { int32 a = 1; int32 b = 2; }", "change-field-added", "Spare.b"),
    ("message Spare { int32 a = 1; }", "", "change-descriptor", "Spare"),
    ("rpc Start(Task) returns (Answer);", 'rpc Start(Task) returns (Answer) { option (note) = "a"; }',
     "change-descriptor", "Work.Start"),
    ("returns (Answer);", IDEMPOTENT, "change-rpc-idempotency", "Work.Start"),
    ('import "google/protobuf/descriptor.proto";',
     'import public "google/protobuf/descriptor.proto";',
     "change-descriptor", "work.proto.google/protobuf/descriptor.proto"),
    ("string note = 50000;", "string note = 50000; string more = 50001;",
     "change-descriptor", "work.proto.work.v1.more"),
    ("string note = 50000;", "bytes note = 50000;", "change-descriptor", "work.proto.work.v1.note"),
    ("oneof way {", "oneof way { option (tag) = \"a\";", "change-descriptor", "Task"),
]  # fmt: skip
SPARE = """
import "google/protobuf/descriptor.proto";
extend google.protobuf.MethodOptions { string note = 50000; }
extend google.protobuf.OneofOptions { string tag = 50000; }
message Spare { int32 a = 1; }
"""


def compare_protos(folder: Path, new: str, profile: str, old: str = OLD) -> list[Change]:
    """Return the changes of protos that the comparison of groups does not report."""
    sides = []
    for name, text in (("old", old), ("new", new)):
        summary = summarize_protos(read_requests(folder / name, text))
        assert summary is not None
        sides.append(ApiProtos(summary, (), load(folder / name, text).summary))
    return compare_api_protos(sides[0], sides[1], (), ProfileChoice({"": profile}))


@pytest.mark.parametrize(("before", "after", "rule", "path"), DESCRIPTORS)
def test_released_versions_are_compared_as_descriptors(
    tmp_path: Path, before: str, after: str, rule: str, path: str
) -> None:
    old = OLD.replace("package work.v1;", f"package work.v1;{SPARE}")
    assert before in old
    new = old.replace(before, after, 1)
    assert compare_groups(load(tmp_path / "old", old), load(tmp_path / "new", new)) == []
    (change,) = compare_protos(tmp_path, new, "immutable", old)
    assert (change.rule, change.path, change.kind, change.versions) == (rule, path, "work", ("v1",))
    assert PROFILES["immutable"].decide(change).severity is Severity.ERROR
    assert change.message.startswith("options ") == ("option (" in after)
    in_others = [change.rule for change in compare_protos(tmp_path, new, "kubernetes", old)]
    assert in_others == (["change-rpc-idempotency"] if rule == "change-rpc-idempotency" else [])


ANNOTATED = """syntax = "proto3";
package acme.shop;
import "protoc_gen_crd/v1/options.proto";
import "google/protobuf/descriptor.proto";
extend google.protobuf.FieldOptions { string note = 50000; }
service Shop {
  option (protoc_gen_crd.v1.service) = {versions: ["v1", "v2"]};
  rpc Buy(Order) returns (Order);
}
message Order {
  string item = 1;
  Color color = 2;
  Locker locker = 3 [(protoc_gen_crd.v1.field).since = "v2"];
  reserved 9;
}
message Locker { option (protoc_gen_crd.v1.message).since = "v2"; string name = 1; }
enum Color { NONE = 0; RED = 1; }
"""
NOTE = '[(note) = "a"]'


@pytest.mark.parametrize(
    ("before", "after", "element"),
    [
        ("item = 1;", f"item = 1 {NOTE};", "Order.item v1 v2"),
        ("name = 1;", f"name = 1 {NOTE};", "Locker.name v2"),
        ("item = 1;", 'item = 1 [json_name = "thing"];', "Order.item v1 v2"),
        ("RED = 1;", "RED = 1 [debug_redact = true];", ""),
        ("(Order);", "(Order) { option idempotency_level = IDEMPOTENT; }", "Shop.Buy v1 v2"),
        ("reserved 9;", "", "Order v1 v2"),
        ("reserved 9;", "reserved 9, 10;", ""),
        ("string note = 50000", "bytes note = 50000", "work.proto.acme.shop.note v1 v2"),
        ('import "google', 'import public "google', ""),
        ("reserved 9;", f'reserved 9; string new = 4 [(protoc_gen_crd.v1.field).since = "v3", {NOTE[1:]};', ""),
        ("enum Color", "message Unused { string a = 1; } enum Color", ""),
        ("item = 1;", "item = 1 [deprecated = true];", ""),
    ],
)
def test_the_versions_of_an_annotated_service_are_compared_as_descriptors(
    before: str, after: str, element: str, tmp_path: Path
) -> None:
    assert before in ANNOTATED
    new = ANNOTATED.replace(before, after, 1)
    new = new.replace('"v2"]', '"v2", "v3"]', 1) if '"v3"' in after else new
    changes = compare_protos(tmp_path, new, "immutable", ANNOTATED)
    assert [" ".join((change.path, *change.versions)) for change in changes] == ([element] if element else [])
    assert {change.kind for change in changes} <= {"shop"}


def test_packages_without_kinds_are_immutable(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "protoc-gen-crd.yaml").write_text("inputs: [proto]\nprofiles: {work: immutable}\n")
    (folder / "old.proto").write_text(OLD)
    assert run(folder, capsys, "changes", "--old", "old.proto") == (0, "verdict: compatible\n")
    (folder / "proto/work.proto").write_text(edit("ON = 1;", "ON = 1; BUSY = 3;"))
    status, output = run(folder, capsys, "changes", "--old", "old.proto")
    assert (status, output.splitlines()[0]) == (1, "verdict: new version v2alpha1"), output


@pytest.mark.parametrize(("before", "after"), [row[:2] for row in ROWS])
def test_a_change_of_a_group_is_no_second_change_of_its_descriptors(tmp_path: Path, before: str, after: str) -> None:
    assert compare_protos(tmp_path, edit(before, after), "immutable") == []


def test_a_group_is_named_by_the_last_part_of_its_package(tmp_path: Path) -> None:
    sides = [text.replace("package work.v1", "package acme.work.v1") for text in (OLD, edit(*ROWS[0][:2]))]
    assert compare_protos(tmp_path, sides[1], "kubernetes", sides[0]) == []


def test_a_weaker_promise_of_an_rpc_changes_its_meaning(tmp_path: Path) -> None:
    weak, strong = OLD, edit("returns (Answer);", IDEMPOTENT)
    classes = [compare_protos(tmp_path, *sides)[0].change_class.name
               for sides in ((strong, "kubernetes", weak), (weak, "kubernetes", strong))]  # fmt: skip
    assert classes == ["LOOSEN", "SEMANTIC"]


@pytest.mark.parametrize("groups", ["groups: groups\n", ""])
def test_a_new_version_is_no_change_of_the_released_one(
    groups: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = 'option (protoc_gen_crd.v1.resource).group = "acme.example";'
    widget = (
        f'syntax = "proto3"; package acme.v1; import "protoc_gen_crd/v1/options.proto"; message Widget {{ {kind} }}'
    )
    (folder / "old").mkdir()
    for name in ("old", "proto"):
        (folder / name / "widget.proto").write_text(widget)
        (folder / name / "work.proto").write_text(OLD)
    (folder / "proto/work2.proto").write_text(OLD.replace("work.v1", "work.v2"))
    (folder / "protoc-gen-crd.yaml").write_text(f"inputs: [proto]\nprofile: immutable\n{groups}")
    status, output = run(folder, capsys, "changes", "--old", "old")
    assert (status, "change-descriptor" in output) == (0, False), output


def test_no_change_is_reported_for_comments_and_order(tmp_path: Path) -> None:
    text = edit("int32 size = 1;\n  State state = 2;", "// The state.\n  State state = 2;\n  int32 size = 1;")
    assert compare(tmp_path, text) == []


def read_messages(folder: Path, text: str) -> Mapping[str, Any]:
    """Compile a file; return the classes of its messages."""
    folder.mkdir(exist_ok=True)
    (folder / "work.proto").write_text(text)
    inputs = read_inputs([str(folder)], [str(folder)], [], Problems())
    pool = descriptor_pool.DescriptorPool()
    for file in inputs.request.proto_file:
        pool.AddSerializedFile(file.SerializeToString())
    messages = pool.FindFileByName("work.proto").message_types_by_name
    return {name: message_factory.GetMessageClass(item) for name, item in messages.items()}


EXAMPLES = [row[:2] for row in ROWS if row[2].startswith(("change-type", "change-field-number", "change-field-remo"))]


@pytest.mark.parametrize(("before", "after"), EXAMPLES)
def test_protobuf_confirms_the_example(tmp_path: Path, before: str, after: str) -> None:
    """Send the example of a change from its writer to its reader: a request to the new side, a response to the old."""
    text = edit(before, after)
    (change,) = compare(tmp_path, text)
    assert change.example is not None
    way, name = ("request", "Task") if "request" in change.example else ("response", "Answer")
    old, new = read_messages(tmp_path / "a", OLD), read_messages(tmp_path / "b", text)
    writer, reader = (old, new) if way == "request" else (new, old)
    wide = old if change.rule == "change-type-narrowed" else new
    content = change.example[way]
    try:
        sent = json_format.ParseDict(content, writer[name]())
    except json_format.ParseError:  # the writer has the narrower type
        assert change.change_class.name == "LOOSEN"
        assert json_format.ParseDict(content, wide[name]())
        return
    received = reader[name]()
    try:
        received.ParseFromString(sent.SerializeToString())
    except DecodeError:
        return
    assert json_format.MessageToDict(received) != json_format.MessageToDict(sent)


def test_the_examples_can_be_wrong(tmp_path: Path) -> None:
    """The judge finds no error for a compatible change."""
    old, new = read_messages(tmp_path / "a", OLD), read_messages(tmp_path / "b", edit("int32 size", "int64 size"))
    sent = old["Task"](size=1)
    assert new["Task"].FromString(sent.SerializeToString()).size == 1


def run(folder: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main([*arguments])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def git(*arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True, capture_output=True)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "proto").mkdir()
    (tmp_path / "proto/work.proto").write_text(OLD)
    (tmp_path / "protoc-gen-crd.yaml").write_text("inputs: [proto]\ngroups: groups\n")
    return tmp_path


def test_a_commit_is_the_old_side(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        git(*command)
    assert run(folder, capsys, "changes", "--old", "git:HEAD") == (0, "verdict: compatible\n")
    (folder / "proto/work.proto").write_text(edit("rpc Start", "rpc Begin"))
    status, output = run(folder, capsys, "changes", "--old", "git:HEAD")
    assert status == 1
    assert output.startswith("verdict: new version v2alpha1\n")
    assert 'proto/work.proto:5:3: error: "Work.Begin" of work v1: RPC "Start" is renamed to "Begin"' in output


def test_a_recorded_release_is_the_old_side(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, capsys, "history", "record", "1.0", "--date", "2026-01-01")[0] == 0
    (folder / "proto/work.proto").write_text(edit("ON = 1;", "ON = 3;"))
    status, output = run(folder, capsys, "changes")
    assert status == 1
    assert '"State" of work v1: number 1 of enum value "ON" is now 3 [change-enum-number]' in output


@pytest.mark.parametrize(("profile", "verdict"), [
    ("kubernetes", "minor release"), ("immutable", "new version v2alpha1"),
    ("microversion", "next microversion (no release is recorded)"),
])  # fmt: skip
def test_profiles_apply_to_groups(folder: Path, capsys: pytest.CaptureFixture[str], profile: str, verdict: str) -> None:
    (folder / "protoc-gen-crd.yaml").write_text(f"inputs: [proto]\ngroups: groups\nprofiles: {{work: {profile}}}\n")
    (folder / "old.proto").write_text(OLD)
    (folder / "proto/work.proto").write_text(edit("string note = 2", "string note = 2; string more = 9"))
    output = run(folder, capsys, "changes", "--old", "old.proto")[1]
    assert output.startswith(f"verdict: {verdict}\n"), output


def test_without_the_setting_groups_are_not_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "protoc-gen-crd.yaml").write_text("inputs: [proto]\n")
    (folder / "old.proto").write_text(OLD)
    assert "no CRDs found" in run(folder, capsys, "changes", "--old", "old.proto")[1]


WATCH = "  rpc Watch(Task) returns (stream Answer);\n"


@pytest.mark.parametrize(
    ("on_main", "on_branch", "expected"),
    [
        ({WATCH: ""}, {WATCH: WATCH.replace("stream ", "")}, ["change-rpc-streaming Work.Watch"]),
        ({WATCH: ""}, {}, []),
        ({WATCH: ""}, {WATCH: "", "string note = 2;": ""}, ["change-field-removed Answer.note"]),
        ({"int32 size = 1;": ""}, {"int32 size = 1;": "int64 size = 8;"},
         ["change-field-number Task.size", "change-type-widened Task.size"]),
        ({"LOW = 0;": "LOW = 0; MIDDLE = 2;"}, {}, []),
        ({"LOW = 0;": "LOW = 0; MIDDLE = 2;"}, {"LOW = 0;": "LOW = 0; MIDDLE = 3;"}, []),
        ({"package work": "package other"}, {"package work": "package other", "ON = 1;": ""},
         ["change-enum-value-removed State"]),
    ],
)  # fmt: skip
def test_a_branch_is_compared_with_the_release(
    on_main: dict[str, str], on_branch: dict[str, str], expected: list[str], tmp_path: Path
) -> None:
    sides = []
    for number, edits in enumerate(({}, on_main, on_branch)):
        text = OLD
        for old, new in edits.items():
            text = text.replace(old, new)
        sides.append(ApiSide("", groups=load(tmp_path / str(number), text)))
    release, base, branch = sides
    found = find_branch_changes(base, release, branch, SETTINGS, ProfileChoice({"": "kubernetes"}))
    assert sorted(f"{change.rule} {change.path}" for change in found.changes) == expected
