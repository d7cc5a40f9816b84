"""Conversions of fields between two versions: pairs of types that other generators lose or corrupt silently.

The cases are the failures that csi-proxy-api-gen has: each is converted correctly here, or reported by `generate`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.findings.finding import Finding, Location
from protoc_gen_crd.settings.settings import HubEntry, Settings
from tests.support.groups import Package, generate_package, import_package

PROTO = """syntax = "proto3";
package case.{version};
{imports}
service Case {{ rpc Do(Thing) returns (Thing); }}
message Thing {{
  {fields}
}}
{types}
"""


IMPORTS = {
    "google/protobuf/any.proto": "protobuf.Any",
    "google/protobuf/duration.proto": "protobuf.Duration",
    "google/protobuf/timestamp.proto": "protobuf.Timestamp",
    "protoc_gen_crd/v1/options.proto": "protoc_gen_crd.v1",
}


def expand(fields: str) -> str:
    """Write `@...@` as the conversion option of a field."""
    return re.sub("@(.*?)@", r"[(protoc_gen_crd.v1.field).conversion = {\1}]", fields, flags=re.DOTALL)


def make_protos(old: str, new: str, types: tuple[str, str] = ("", "")) -> dict[str, str]:
    """Return the files of two versions of a message with these fields."""
    pairs = zip(("v1", "v2"), map(expand, (old, new)), types, strict=True)
    protos = {}
    for version, fields, more in pairs:
        used = [f'import "{name}";' for name, word in IMPORTS.items() if word in fields]
        text = PROTO.format(version=version, fields=fields, types=more, imports="\n".join(used))
        protos[f"case/{version}/api.proto"] = text
    return protos


def find(folder: Path, old: str, new: str, types: tuple[str, str] = ("", "")) -> list[Finding]:
    return [item for item in generate_package(make_protos(old, new, types), folder)[1] if item.rule != "group-enum"]


@contextmanager
def convert(folder: Path, old: str, new: str, types: tuple[str, str] = ("", "")) -> Iterator[Package]:
    """Generate and import the package of two versions without findings."""
    name, findings = generate_package(make_protos(old, new, types), folder)
    assert [finding.message for finding in findings if finding.rule != "group-enum"] == []
    with import_package(folder, name, "case") as package:
        yield package


def to_hub(package: Package, version: str, **fields: Any) -> Any:
    """Convert a request of a version to the hub."""
    message = package.load(f"{version}.messages").Thing(**fields)
    return package.load(f"{version}.conversions").thing_to_hub(message)


def from_hub(package: Package, version: str, thing: Any) -> Any:
    """Convert a response from the hub to a version."""
    message = package.load(f"{version}.messages").Thing()
    package.load(f"{version}.conversions").thing_from_hub(thing, message)
    return message


TREE = "message Node { string name = 1; repeated Node kids = 2; map<string, Node> named = 3; Node next = 4; }"


@pytest.mark.parametrize(
    ("old", "new", "rule", "message", "hint"),
    [
        ("double a = 1;", "int64 a = 1;", "conversion-type", "(double)", "function"),
        ("int64 a = 1;", "string a = 1;", "conversion-type", "(int64)", "decimal: true"),
        ("string a = 1;", "uint32 a = 1;", "conversion-type", "(string)", "decimal: true"),
        ("bool a = 1;", "int32 a = 1;", "conversion-type", "(bool)", "function"),
        ("bytes a = 1;", "string a = 1;", "conversion-type", "(bytes)", "function"),
        ("string a = 1;", "repeated string a = 1;", "conversion-type", "(repeated string)", "one_item: true"),
        ("map<string, Item> a = 1;", "map<uint32, Item> a = 1;", "conversion-type", "map<uint32, Item>", "decimal"),
        ("google.protobuf.Timestamp a = 1;", "google.protobuf.Duration a = 1;", "conversion-type", "Timestamp", ""),
        ("Item a = 1;", "Other a = 1;", "conversion-type", '"a" (Item)', 'renamed_from: "Item"'),
        ("int64 size = 1;", "int64 size_bytes = 1;", "conversion-lost", '"size"', 'renamed_from: "size"'),
        ("string x = 1; string y = 2;", "string a = 1; string b = 2;", "conversion-lost", '"x"', "gone"),
        ("string a = 1;", '''string b = 1 @preserved: true@;''', "conversion-value", "preserved", "gone"),
        ("string a = 1;", '''string b = 1 @renamed_from: "c"@;''', "conversion-path", '"c"', ""),
        ("string a = 1;", 'string a = 1; int32 b = 2 @default: "x"@;', "conversion-value", 'default "x" is not a', ""),
        ("string a = 1;", 'string a = 1; Color b = 2 @default: "PINK"@;', "conversion-value", "PINK", ""),
        ("string a = 1;", 'string b = 1 @renamed_from: "a" default: "x"@;', "conversion-value", "together", ""),
        ("string a = 1;", 'string b = 1 @renamed_from: "a" versions: "v3"@;', "conversion-version", '"v3"', ""),
    ],
)  # fmt: skip
def test_a_loss_is_reported(tmp_path: Path, old: str, new: str, rule: str, message: str, hint: str) -> None:
    types = "message Item { string name = 1; } message Other { string name = 1; } enum Color { RED = 0; }"
    findings = find(tmp_path, old, new, (types, types))
    matching = [
        finding for finding in findings if finding.rule == rule and message in finding.message and hint in finding.hint
    ]
    assert matching, findings
    assert all(finding.at is not None and finding.at.resolve().line for finding in findings)


@pytest.mark.parametrize(
    ("old", "new", "number", "fits"),
    [
        ("int64", "int32", 2**31 - 1, True),
        ("int64", "int32", 2**31, False),
        ("int32", "uint64", -1, False),
        ("uint64", "int64", 2**63, False),
        ("uint32", "int64", 2**32 - 1, True),
        ("double", "float", 1e39, False),
        ("double", "float", float("inf"), True),
    ],
)
def test_a_number_is_checked(tmp_path: Path, old: str, new: str, number: float, fits: bool) -> None:
    with convert(tmp_path, f"{old} a = 1;", f"{new} b = 1 @renamed_from: 'a'@;") as package:
        if fits:
            assert to_hub(package, "v1", a=number).b == number
        else:
            with pytest.raises(package.runtime("values").ConversionError, match=r"^a: .* does not fit into") as error:
                to_hub(package, "v1", a=number)
            assert error.value.code == "OUT_OF_RANGE"


def test_numbers_in_lists_and_maps_are_checked(tmp_path: Path) -> None:
    old = "repeated int64 a = 1; map<int64, int64> b = 2;"
    with convert(tmp_path, old, old.replace("int64", "int32")) as package:
        thing = to_hub(package, "v1", a=[1, 2], b={1: 2})
        assert (thing.a, thing.b) == ([1, 2], {1: 2})
        for fields in ({"a": [1, 2**31]}, {"b": {2**31: 1}}, {"b": {1: 2**31}}):
            with pytest.raises(package.runtime("values").ConversionError):
                to_hub(package, "v1", **fields)


def test_containers_are_copied(tmp_path: Path) -> None:
    fields = "repeated string a = 1; map<string, string> b = 2; bytes c = 3;"
    with convert(tmp_path, fields, fields) as package:
        message = package.load("v1.messages").Thing(a=["x"], b={"k": "v"}, c=b"z")
        thing = package.load("v1.conversions").thing_to_hub(message)
        thing.a.append("y")
        thing.b["l"] = "w"
        assert (list(message.a), dict(message.b)) == (["x"], {"k": "v"})
        assert from_hub(package, "v1", thing).a == ["x", "y"]


def test_messages_in_lists_maps_and_themselves(tmp_path: Path) -> None:
    with convert(
        tmp_path, "Node a = 1;", "Node a = 1;", (TREE, TREE.replace("string name = 1", "string name = 7"))
    ) as package:
        messages, hub = package.load("v1.messages"), package.load("hub")
        leaf = messages.Node(name="leaf")
        message = messages.Node(name="root", kids=[leaf, leaf], named={"k": leaf}, next=messages.Node())
        thing = to_hub(package, "v1", a=message)
        kid = hub.Node("leaf", [], {}, None)
        assert thing == hub.Thing(hub.Node("root", [kid, kid], {"k": kid}, hub.Node()))
        assert from_hub(package, "v1", thing).a == message
        assert from_hub(package, "v2", thing).a.kids[1].name == "leaf"


def test_enums_are_converted_by_name(tmp_path: Path) -> None:
    types = ("enum Color { RED = 0; BLUE = 1; GREEN = 2; }", "enum Color { BLUE = 0; RED = 1; GREEN = 2; }")
    with convert(
        tmp_path, "Color a = 1; repeated Color b = 2;", "Color a = 1; repeated Color b = 2;", types
    ) as package:
        color = package.load("hub").Color
        thing = to_hub(package, "v1", a=1, b=[0, 2])
        assert (thing.a, thing.b) == (color.BLUE, [color.RED, color.GREEN])
        assert from_hub(package, "v2", thing).a == 0
        assert list(from_hub(package, "v1", thing).b) == [0, 2]


def test_unset_and_zero_are_distinct(tmp_path: Path) -> None:
    old, new = (
        "optional int32 a = 1; optional string b = 2; Item c = 3;",
        "optional int64 a = 1; string b = 2; Item c = 3;",
    )
    types = "message Item { string name = 1; }"
    with convert(tmp_path, old, new, (types, types)) as package:
        item = package.load("hub").Item
        unset, zero = to_hub(package, "v1"), to_hub(package, "v1", a=0, b="", c={})
        assert (unset.a, unset.b, unset.c) == (None, None, None)
        assert (zero.a, zero.b, zero.c) == (0, "", item())
        assert not from_hub(package, "v1", unset).ListFields()
        assert [field.name for field, _ in from_hub(package, "v1", zero).ListFields()] == ["a", "b", "c"]
        assert [field.name for field, _ in from_hub(package, "v2", zero).ListFields()] == ["a", "c"]


def test_a_oneof_is_a_union(tmp_path: Path) -> None:
    fields = "oneof a { string b = 1; int32 c = 2; Item d = 3; }"
    types = "message Item { string name = 1; }"
    with convert(tmp_path, fields, fields.replace("int32", "int64"), (types, types)) as package:
        hub = package.load("hub")
        assert to_hub(package, "v1").a is None
        assert to_hub(package, "v1", b="").a == hub.ThingAB("")
        assert to_hub(package, "v1", d={}).a == hub.ThingAD(hub.Item())
        assert from_hub(package, "v1", hub.Thing(hub.ThingAC(0))).WhichOneof("a") == "c"
        with pytest.raises(package.runtime("values").ConversionError, match="c: 2147483648 does not fit into int32"):
            from_hub(package, "v1", hub.Thing(hub.ThingAC(2**31)))


def test_fields_become_a_oneof(tmp_path: Path) -> None:
    with convert(tmp_path, "string b = 1; string c = 2;", "oneof a { string b = 1; string c = 2; }") as package:
        hub = package.load("hub")
        assert to_hub(package, "v1", c="x").a == hub.ThingAC("x")
        assert from_hub(package, "v1", hub.Thing(hub.ThingAB("y"))).b == "y"
        with pytest.raises(package.runtime("values").ConversionError, match="only one of b, c can be set"):
            to_hub(package, "v1", b="x", c="y")


def test_well_known_types_are_those_of_the_default_pool(tmp_path: Path) -> None:
    from google.protobuf.any_pb2 import Any as AnyMessage
    from google.protobuf.timestamp_pb2 import Timestamp

    fields = "google.protobuf.Timestamp a = 1; repeated google.protobuf.Any b = 2;"
    with convert(tmp_path, fields, fields) as package:
        thing = package.load("hub").Thing(Timestamp(seconds=-1, nanos=999_999_999), [AnyMessage(type_url="x")])
        message = from_hub(package, "v1", thing)
        assert (message.a.nanos, message.b[0].type_url) == (999_999_999, "x")
        assert package.load("v1.conversions").thing_to_hub(message) == thing


@pytest.mark.parametrize(
    ("old", "new", "older", "newer"),
    [
        ("string a = 1;", '''uint32 b = 1 @renamed_from: "a" decimal: true@;''', {"a": "42"}, {"b": 42}),
        ("map<string, string> a = 1;", '''map<int64, string> a = 1 @decimal: true@;''',
         {"a": {"-7": "x"}}, {"a": {-7: "x"}}),
        ("repeated string a = 1;", '''string a = 1 @one_item: true@;''', {"a": ["x"]}, {"a": "x"}),
        ("string a = 1;", '''repeated string a = 1 @one_item: true@;''', {"a": "x"}, {"a": ["x"]}),
        ("int64 a = 1;", '''int64 b = 1 @renamed_from: "a" factor: 1024@;''', {"a": 3}, {"b": 3072}),
        ("string a = 1;", '''string b = 1 @part: {of: "a" separator: ":" index: 0}@;
         string c = 2 @part: {of: "a" separator: ":" index: 1}@;''', {"a": "x:y:z"}, {"b": "x", "c": "y:z"}),
        ("string a = 1; string b = 2;", '''string c = 1 @join: {fields: ["a", "b"] separator: "/"}@;''',
         {"a": "x", "b": "y"}, {"c": "x/y"}),
        ("string a = 1;", '''bool b = 1 @renamed_from: "a"
         values: [{there: "on" here: "true"}, {there: "off" here: "false"}]@;''',
         {"a": "on"}, {"b": True}),
        ("map<string, string> a = 1;", '''string b = 1 @renamed_from: "a['k']"@;''',
         {"a": {"k": "v"}}, {"b": "v"}),
        ("map<string, Item> a = 1;", '''repeated Item a = 1 @key: "name"@;''',
         {"a": {"n": {"name": "n"}}}, {"a": [{"name": "n"}]}),
    ],
)  # fmt: skip
def test_declared_changes_in_both_directions(
    tmp_path: Path, old: str, new: str, older: dict[str, Any], newer: dict[str, Any]
) -> None:
    types = "message Item { string name = 1; }"
    with convert(tmp_path, old, new, (types, types)) as package:
        thing = to_hub(package, "v1", **older)
        assert thing == to_hub(package, "v2", **newer)
        assert from_hub(package, "v1", thing) == package.load("v1.messages").Thing(**older)
        assert from_hub(package, "v2", thing) == package.load("v2.messages").Thing(**newer)


@pytest.mark.parametrize(
    ("old", "new", "fields", "message"),
    [
        ("repeated string a = 1;", "string a = 1 @one_item: true@;", {"a": ["x", "y"]}, "a: 2 items do not fit"),
        ("repeated Item a = 1;", "Item a = 1 @one_item: true@;", {"a": [{}, {}]}, "a: 2 items do not fit"),
        ("map<string, string> a = 1;", """string b = 1 @renamed_from: "a['k']"@;""", {"a": {"l": "v"}},
         "a: key 'l' has no counterpart"),
        ("map<string, Item> a = 1;", """Item b = 1 @renamed_from: "a['k']"@;""", {"a": {"l": {}}},
         "a: key 'l' has no counterpart"),
    ],
)  # fmt: skip
def test_no_value_is_dropped(tmp_path: Path, old: str, new: str, fields: dict[str, Any], message: str) -> None:
    types = "message Item { string name = 1; }"
    with convert(tmp_path, old, new, (types, types)) as package:
        conversion_error = package.runtime("values").ConversionError
        with pytest.raises(conversion_error, match=message):
            to_hub(package, "v1", **fields)


def vars_of(thing: Any) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in thing.__slots__}


@pytest.mark.parametrize("hub", ["v1", "v2", "v3"])
def test_changes_are_followed_through_versions(tmp_path: Path, hub: str) -> None:
    """Convert through two changes of a field, with every version as the hub."""
    kinds = {"v1": "string a = 1; string note = 2;", "v2": "uint32 b = 1 @renamed_from: 'a' decimal: true@;",
             "v3": "uint32 c = 4 @renamed_from: 'b'@; repeated string tags = 5;"}  # fmt: skip
    protos = {}
    for version, fields in kinds.items():
        gone = 'option (protoc_gen_crd.v1.message).gone = "note"; ' if version == "v2" else ""
        first, second = make_protos(gone + fields, gone + fields).values()
        protos[f"case/{version}/api.proto"] = (first if version != "v2" else second).replace(
            "case.v1", f"case.{version}"
        )
    settings = Settings().replace(group_hubs={"case": HubEntry(hub, Location("settings.yaml", 1))})
    name, findings = generate_package(protos, tmp_path, settings)
    assert findings == []
    with import_package(tmp_path, name, "case") as package:
        values: dict[str, dict[str, Any]] = {
            "v1": {"a": "42", "note": "n"},
            "v2": {"b": 42},
            "v3": {"c": 42, "tags": ["t"]},
        }
        for version, fields_by_name in values.items():
            thing = to_hub(package, version, **fields_by_name)
            assert {"v1": ("a", "42"), "v2": ("b", 42), "v3": ("c", 42)}[hub] in vars_of(thing).items()
            assert from_hub(package, version, thing) == package.load(f"{version}.messages").Thing(**fields_by_name)
            assert from_hub(package, "v1", thing).a == "42"
            assert from_hub(package, "v3", thing).c == 42


def test_a_field_that_is_gone_stays_in_the_hub(tmp_path: Path) -> None:
    gone = 'option (protoc_gen_crd.v1.message).gone = "b"; string a = 1;'
    with convert(tmp_path, "string a = 1; int32 b = 2;", gone) as package:
        assert to_hub(package, "v1", b=3) == package.load("hub").Thing("", 3)
        assert from_hub(package, "v1", package.load("hub").Thing("x", 4)).b == 4
        assert "# Last version: v1." in Path(str(package.load("hub").__file__)).read_text()


def test_keywords_and_names_of_types_are_escaped(tmp_path: Path) -> None:
    fields = (
        "string class = 1; string list = 2; repeated string None = 3; int32 self = 4; string Thing = 5; bool __x = 6;"
    )
    with convert(tmp_path, fields, fields) as package:
        hub = package.load("hub")
        thing = hub.Thing("a", "b", ["c"], 1, "d", True)
        assert (thing.class_, thing.list_, thing.None_, thing.self, thing.Thing_, thing.x__x) == (
            "a",
            "b",
            ["c"],
            1,
            "d",
            True,
        )
        assert package.load("v1.conversions").thing_to_hub(from_hub(package, "v2", thing)) == thing
