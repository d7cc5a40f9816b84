"""The silent failures of csi-proxy-api-gen: each row of tables 3.3 to 3.6 of its fact sheet is a test, or converted.

A test is named by the table and the row. Rows about Go types without a counterpart in protobuf, such as `[]*Msg` to
`[]Msg`, are listed with the nearest one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.groups import Package, generate_package, import_package

HEAD = 'syntax = "proto3";\npackage work.{version};\n{imports}'
HEAD += "service Work {{ rpc Do(Task) returns (Task); }}\nmessage Task {{\n{fields}\n}}\n{types}\n"
CONVERSION = "[(protoc_gen_crd.v1.field).conversion = {%s}]"
IMPORTS = {
    "protoc_gen_crd.v1": "protoc_gen_crd/v1/options.proto",
    "google.protobuf.Timestamp": "google/protobuf/timestamp.proto",
    "google.protobuf.Duration": "google/protobuf/duration.proto",
}


def make_proto(version: str, fields: str, types: str) -> str:
    imports = "".join(f'import "{path}";\n' for name, path in IMPORTS.items() if name in fields + types)
    return HEAD.format(version=version, imports=imports, fields=fields, types=types)


def make_protos(old: str, new: str, old_types: str = "", new_types: str = "") -> dict[str, str]:
    return {
        "work/v1/api.proto": make_proto("v1", old, old_types),
        "work/v2/api.proto": make_proto("v2", new, new_types),
    }


BOOLS = 'values: {there: "true" here: "7"} values: {there: "false" here: "0"}'
# Fields that convert: name, old and new type, declaration, value in v1, and value in the hub, which is v2.
CONVERTED = [
    ("3.3 same scalar", "string", "string", "", "a", "a"),
    ("3.3 int32 to int64", "int32", "int64", "", -5, -5),
    ("3.3 uint32 to int64", "uint32", "int64", "", 2**32 - 1, 2**32 - 1),
    ("3.3 float32 to float64", "float", "double", "", 0.5, 0.5),
    ("3.3 enum to enum with other numbers, by name", "State", "State", "", 1, "ON"),
    ("3.3 int to string, declared", "int32", "string", "decimal: true", 1, "1"),
    ("3.3 string to int, declared", "string", "int32", "decimal: true", "12", 12),
    ("3.3 bool to int, declared", "bool", "int32", BOOLS, True, 7),
    ("3.3 list of scalars", "repeated string", "repeated string", "", ["a", ""], ["a", ""]),
    ("3.3 bytes", "bytes", "bytes", "", b"\0a", b"\0a"),
    ("3.3 list of int32 to int64", "repeated int32", "repeated int64", "", [1, -1], [1, -1]),
    ("3.3 list of enums", "repeated State", "repeated State", "", [1, 0], ["ON", "OFF"]),
    ("3.3 map of scalars", "map<string, string>", "map<string, string>", "", {"a": "b"}, {"a": "b"}),
    ("3.3 map with wider values", "map<string, int32>", "map<string, int64>", "", {"a": 1}, {"a": 1}),
    ("3.3 map with wider keys", "map<int32, string>", "map<int64, string>", "", {1: "a"}, {1: "a"}),
    ("3.3 map with string keys to numbers, declared", "map<string, string>", "map<uint32, string>", "decimal: true",
     {"4294967295": "a"}, {2**32 - 1: "a"}),
    ("3.3 message", "Part", "Part", "", {"count": 1}, ("Part", 1)),
    ("3.3 repeated message", "repeated Part", "repeated Part", "", [{"count": 1}, {}], [("Part", 1), ("Part", 0)]),
    ("3.3 map of messages", "map<string, Part>", "map<string, Part>", "", {"a": {"count": 1}}, {"a": ("Part", 1)}),
    ("3.3 recursive message in lists", "Tree", "Tree", "", {"nodes": [{"nodes": [{}]}]}, "tree"),
    ("3.3 list of messages by value", "repeated Tree", "repeated Tree", "", [{"nodes": []}], "trees"),
    ("3.3 optional scalar", "optional int32", "optional int32", "", 0, 0),
    ("3.3 optional int32 to int64", "optional int32", "optional int64", "", 0, 0),
    ("3.3 scalar to optional scalar", "int32", "optional int32", "", 3, 3),
    ("3.3 optional scalar to scalar", "optional int32", "int32", "", 0, 0),
    ("3.3 string to list of strings, declared", "string", "repeated string", "one_item: true", "a", ["a"]),
    ("3.3 renamed message, declared", "Old", "New", "", {"count": 2}, ("New", 2)),
    ("3.3 same external type", "google.protobuf.Timestamp", "google.protobuf.Timestamp", "",
     {"seconds": 1, "nanos": 999999999}, "time"),
    ("3.4 renamed field, declared", "int64", "int64", 'renamed_from: "old_%d"', 9, 9),
]  # fmt: skip
TYPES = """message Part { %s count = 1; }
message Tree { repeated Tree nodes = 1; }
enum State { OFF = 0; ON = %d; }
"""
OLD_TYPES = TYPES % ("int32", 1) + "message Old { int32 count = 1; }"
NEW_TYPES = TYPES % ("int64", 5) + (
    "message New { option (protoc_gen_crd.v1.message).type_conversion = "
    '{renamed_from: "Old"}; int32 count = 1; }'
)  # fmt: skip


def get_name(index: int, declaration: str, *, is_old: bool) -> str:
    return f"old_{index}" if is_old and "renamed_from" in declaration else f"field_{index}"


def list_fields(*, is_old: bool) -> str:
    lines = []
    for index, (_, old, new, declaration, _, _) in enumerate(CONVERTED, 1):
        text = declaration % index if "%" in declaration else declaration
        option = f" {CONVERSION % text}" if declaration and not is_old else ""
        lines.append(f"{old if is_old else new} {get_name(index, declaration, is_old=is_old)} = {index}{option};")
    ways = "oneof way { string road = 100; Part rail = 101; }"
    return "\n".join([*lines, ways])


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    folder = tmp_path_factory.mktemp("work")
    protos = make_protos(list_fields(is_old=True), list_fields(is_old=False), OLD_TYPES, NEW_TYPES)
    name, findings = generate_package(protos, folder)
    assert findings == []
    with import_package(folder, name, "work") as package:
        yield package


def describe(hub: Any, value: Any) -> Any:
    """Return an expected value as an object of the hub."""
    special: dict[str, Callable[[], Any]] = {
        "ON": lambda: hub.State.ON, "OFF": lambda: hub.State.OFF, "tree": lambda: hub.Tree([hub.Tree([hub.Tree([])])]),
        "trees": lambda: [hub.Tree([])],
    }  # fmt: skip
    if isinstance(value, str) and value in special:
        return special[value]()
    if isinstance(value, tuple):
        return getattr(hub, value[0])(*value[1:])
    if isinstance(value, list):
        return [describe(hub, item) for item in value]
    return {key: describe(hub, item) for key, item in value.items()} if isinstance(value, dict) else value


@pytest.mark.parametrize(("index", "row"), list(enumerate(CONVERTED, 1)), ids=[row[0] for row in CONVERTED])
def test_a_value_is_converted_in_both_directions(package: Package, index: int, row: tuple[Any, ...]) -> None:
    _, _, _, declaration, value, expected = row
    hub, messages, conversions = (package.load(name) for name in ("hub", "v1.messages", "v1.conversions"))
    sent = messages.Task(**{get_name(index, declaration, is_old=True): value})
    task = conversions.task_to_hub(sent)
    received = getattr(task, f"field_{index}")
    if expected == "time":
        assert (received.seconds, received.nanos) == (1, 999_999_999)
    else:
        assert received == describe(hub, expected)
    answer, name = messages.Task(), get_name(index, declaration, is_old=True)
    conversions.task_from_hub(task, answer)
    assert getattr(answer, name) == getattr(sent, name)
    assert not sent.DESCRIPTOR.fields_by_name[name].has_presence or answer.HasField(name)


def test_3_3_unset_stays_unset(package: Package) -> None:
    messages, conversions = package.load("v1.messages"), package.load("v1.conversions")
    task, answer = conversions.task_to_hub(messages.Task()), messages.Task()
    unset = [index for index, row in enumerate(CONVERTED, 1) if "optional" in row[1] or row[1] in ("Part", "Tree")]
    assert {getattr(task, f"field_{index}") for index in unset} == {None}
    conversions.task_from_hub(task, answer)
    (number,) = [index for index, row in enumerate(CONVERTED, 1) if row[0] == "3.3 string to int, declared"]
    assert {field.name: value for field, value in answer.ListFields()} == {f"field_{number}": "0"}  # no presence


def test_3_3_containers_are_copied(package: Package) -> None:
    """Lists, maps, and messages of the request do not change with those of the hub."""
    messages, conversions = package.load("v1.messages"), package.load("v1.conversions")
    names = {row[0]: f"field_{index}" for index, row in enumerate(CONVERTED, 1)}
    sent = messages.Task(**{names["3.3 list of scalars"]: ["a"], names["3.3 map of scalars"]: {"a": "b"}})
    getattr(sent, names["3.3 same external type"]).seconds = 1
    before = sent.SerializeToString(deterministic=True)
    task = conversions.task_to_hub(sent)
    getattr(task, names["3.3 list of scalars"]).append("b")
    getattr(task, names["3.3 map of scalars"])["c"] = "d"
    getattr(task, names["3.3 same external type"]).seconds = 2
    assert sent.SerializeToString(deterministic=True) == before


@pytest.mark.parametrize("member", ["road", "rail"])
def test_3_3_oneof(package: Package, member: str) -> None:
    messages, conversions = package.load("v1.messages"), package.load("v1.conversions")
    sent = messages.Task(road="") if member == "road" else messages.Task(rail=messages.Part(count=4))
    task, answer = conversions.task_to_hub(sent), messages.Task()
    assert type(task.way).__name__ == f"TaskWay{member.capitalize()}"
    conversions.task_from_hub(task, answer)
    assert answer.WhichOneof("way") == member
    assert getattr(answer, member) == getattr(sent, member)


# Values that do not fit, with the status: old and new type, the value of the hub, and the declaration.
NARROWED = [
    ("3.3 int64 to int32", "int32", "int64", 2**31, ""),
    ("3.3 int64 to uint32, negative", "uint32", "int64", -1, ""),
    ("3.3 float64 to float32", "float", "double", 1e300, ""),
    ("3.3 map with narrower keys", "map<int32, string>", "map<int64, string>", {2**31: "a"}, ""),
    ("3.3 list of narrower numbers", "repeated int32", "repeated int64", [1, 2**40], ""),
]


@pytest.mark.parametrize(("old", "new", "value", "declaration"), [row[1:] for row in NARROWED],
                         ids=[row[0] for row in NARROWED])  # fmt: skip
def test_a_value_that_does_not_fit_is_an_error(
    tmp_path: Path, old: str, new: str, value: Any, declaration: str
) -> None:
    name, findings = generate_package(make_protos(f"{old} size = 1;", f"{new} size = 1{declaration};"), tmp_path)
    assert findings == []
    with import_package(tmp_path, name, "work") as package:
        error = package.runtime("values").ConversionError
        with pytest.raises(error, match="does not fit") as raised:
            package.load("v1.conversions").task_from_hub(
                package.load("hub").Task(value), package.load("v1.messages").Task()
            )
        assert raised.value.code == "OUT_OF_RANGE"
        assert str(raised.value).startswith("size")


def test_3_3_map_keys_that_collide_are_an_error(tmp_path: Path) -> None:
    declared = f"map<uint32, string> names = 1 {CONVERSION % 'decimal: true'};"
    name, findings = generate_package(make_protos("map<string, string> names = 1;", declared), tmp_path)
    assert findings == []
    with import_package(tmp_path, name, "work") as package:
        task = package.load("v1.messages").Task(names={"1": "a", "01": "b"})
        with pytest.raises(package.runtime("values").ConversionError):
            package.load("v1.conversions").task_to_hub(task)


SIZE = "size = 1;"
PAIR = "message Pair { string %s = 1; string %s = 2; }"
# Fields that are reported instead: old and new fields, the rule, and part of the message or hint.
REPORTED = [
    ("3.3 float to int", f"double {SIZE}", f"int64 {SIZE}", "conversion-type", '(double) of v1 and "size" (int64)'),
    ("3.3 enum to int", f"State {SIZE}", f"int32 {SIZE}", "conversion-type", '(State) of v1 and "size" (int32)'),
    ("3.3 int to string", f"int32 {SIZE}", f"string {SIZE}", "conversion-type", "decimal: true"),
    ("3.3 enum to string", f"State {SIZE}", f"string {SIZE}", "conversion-type", "values"),
    ("3.3 string to int", f"string {SIZE}", f"int32 {SIZE}", "conversion-type", "decimal: true"),
    ("3.3 bool to int", f"bool {SIZE}", f"int32 {SIZE}", "conversion-type", "(bool) of v1"),
    ("3.3 int to bool", f"int32 {SIZE}", f"bool {SIZE}", "conversion-type", '"size" (bool)'),
    ("3.3 map keys of string to number", f"map<string, string> {SIZE}", f"map<uint32, string> {SIZE}",
     "conversion-type", "decimal: true"),
    ("3.3 bytes to string", f"bytes {SIZE}", f"string {SIZE}", "conversion-type", '(bytes) of v1 and "size" (string)'),
    ("3.3 string to list of strings", f"string {SIZE}", f"repeated string {SIZE}", "conversion-type", "one_item: true"),
    ("3.3 message to scalar", f"Pair {SIZE}", f"string {SIZE}", "conversion-type", '(Pair) of v1 and "size" (string)'),
    ("3.3 renamed message", f"Old {SIZE}", f"New {SIZE}", "conversion-type", '{renamed_from: "Old"}'),
    ("3.3 Timestamp to Duration", f"google.protobuf.Timestamp {SIZE}", f"google.protobuf.Duration {SIZE}",
     "conversion-type", "google.protobuf.Duration"),
    ("3.3 equal layout with other names", f"Pair {SIZE}", f"Pair {SIZE}", "conversion-lost", '"first" of "Pair" in v1'),
    ("3.4 and 3.6 renamed field", "int64 size = 1;", "int64 size_bytes = 1;", "conversion-lost",
     'if "size_bytes" replaces "size", declare conversion {renamed_from: "size"}'),
    ("3.4 and 3.6 removed field", "int64 size = 1; string note = 2;", "int64 size = 1;", "conversion-lost",
     'gone: ["note"]'),
    ("3.6 foreign types", f"google.protobuf.Timestamp {SIZE}", f"Pair {SIZE}", "conversion-type", '"size" (Pair)'),
    ("3.6 oneof becomes a field of its own type", "oneof way { string road = 1; }", "Pair way = 1;", "conversion-lost",
     '"road"'),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "rule", "message"), [row[1:] for row in REPORTED],
                         ids=[row[0] for row in REPORTED])  # fmt: skip
def test_a_change_is_reported_and_nothing_is_generated(
    tmp_path: Path, old: str, new: str, rule: str, message: str
) -> None:
    old_types = PAIR % ("first", "second") + "message Old { int32 count = 1; } enum State { OFF = 0; }"
    new_types = PAIR % ("third", "fourth") + "message New { int32 count = 1; } enum State { OFF = 0; }"
    name, findings = generate_package(make_protos(old, new, old_types, new_types), tmp_path)
    matching = [
        finding for finding in findings if finding.rule == rule and message in f"{finding.message} {finding.hint}"
    ]
    assert matching, findings
    assert not (tmp_path / name).exists()


SERVICE = "service Work { rpc Do(Task) returns (Task); }"
# Definitions that csi-proxy-api-gen rejects, too, or ignores.
DEFINITIONS = [
    ("3.6 inconsistent RPC", SERVICE.replace("(Task);", "(Other);") + " message Other {}", "group-rpc"),
    ("3.6 streaming that differs", SERVICE.replace("Do(Task)", "Do(stream Task)"), "group-rpc"),
    ("3.6 second service", SERVICE + " service More {}", "group-service"),
]


@pytest.mark.parametrize(("service", "rule"), [row[1:] for row in DEFINITIONS], ids=[row[0] for row in DEFINITIONS])
def test_a_definition_is_reported(tmp_path: Path, service: str, rule: str) -> None:
    protos = make_protos("", "")
    protos["work/v2/api.proto"] = protos["work/v2/api.proto"].replace(SERVICE, service)
    assert rule in [item.rule for item in generate_package(protos, tmp_path)[1]]


FUNCTIONS = "from . import hub\n"
WHOLE = 'option (protoc_gen_crd.v1.message).type_conversion = {function: {from: "up" to: "down"}};'
IDENTITY = "def up(source, derived):\n    return derived(source)\n"
DELEGATE = "def up(source, derived):\n    task = derived(source)\n    task.size = int(source.size)\n    return task\n"
# Functions of the user: their text, and the finding, empty if they are called. 3.5 has their silent failures.
OVERRIDES = [
    ("3.5 an override delegates the other fields", DELEGATE, ""),
    ("3.5 an override that omits a field", "def up(source, derived):\n    return hub.Task(size=1)\n",
     "function up omits fields of hub.Task: note"),
    ("3.5 a wrong name", "def convert_pb_Task_To_impl_Task(source, derived):\n    return derived(source)\n",
     "no conversion calls the function convert_pb_Task_To_impl_Task"),
    ("3.5 a wrong signature", "def up(source):\n    return hub.Task()\n", "function up has 1 parameters instead of 2"),
    ("3.5 two functions of one name", 2 * IDENTITY, "function up is defined twice"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), [row[1:] for row in OVERRIDES], ids=[row[0] for row in OVERRIDES])
def test_a_function_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    from protoc_gen_crd.cli.main import main

    monkeypatch.chdir(tmp_path)
    old, new = "string size = 1; string note = 2;", f"{WHOLE} int64 size = 1; string note = 2;"
    for name, proto in make_protos(old, new).items():
        (tmp_path / "proto" / name).parent.mkdir(parents=True)
        (tmp_path / "proto" / name).write_text(proto)
    command = ["generate", "-q", "proto", "--groups", "functions_in_test", "--out", "gen"]
    assert main(command) == 0
    functions = tmp_path / "gen/functions_in_test/work/functions.py"
    functions.write_text(f"{FUNCTIONS}def down(source, derived):\n    return derived(source)\n{text}")
    capsys.readouterr()
    assert main(command) == 0
    error = "".join(line for line in capsys.readouterr().err.splitlines() if "proto-warning" not in line)
    assert message in error
    if not message:
        with import_package(tmp_path / "gen", "functions_in_test", "work") as package:
            task = package.load("v1.messages").Task(size="7", note="n")
            assert package.load("v1.conversions").task_to_hub(task) == package.load("hub").Task(7, "n")
