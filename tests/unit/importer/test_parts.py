"""Parts of an import: names, comments, options and types."""

from __future__ import annotations

import pytest

from protoc_gen_crd.base.escapes import proto_string
from protoc_gen_crd.crd.crd_differences import find_differences
from protoc_gen_crd.importer.description_comments import make_comment
from protoc_gen_crd.importer.identifiers import make_field_name, make_package, make_type_name
from protoc_gen_crd.importer.keyword_options import make_options
from protoc_gen_crd.importer.proto_types import choose_type
from protoc_gen_crd.proto.json_names import make_json_name


@pytest.mark.parametrize(
    ("json_name", "name"),
    [
        ("size", "size"),
        ("serviceAccount", "service_account"),
        ("podIP", "pod_i_p"),
        ("x-kubernetes-list", "x_kubernetes_list"),
        ("$ref", "ref"),
        ("1st", "field_1st"),
        ("", "field"),
        ("URL", "url"),
        ("_id", "id"),
    ],
)
def test_field_names(json_name: str, name: str) -> None:
    assert make_field_name(json_name, set()) == name


def test_field_names_of_a_message_have_different_json_names() -> None:
    taken: set[str] = set()
    names = [make_field_name(name, taken) for name in ("fooBar", "foo_bar", "foo-bar", "foo_bar_2")]
    assert len({make_json_name(name).lower() for name in names}) == len(names)


def test_packages_and_types() -> None:
    assert make_package("cert-manager.io", "v1") == "io.cert_manager.v1"
    assert make_package("3scale.net", "v1") == "net._3scale.v1"
    assert make_type_name("x-kubernetes-list") == "XKubernetesList"
    assert make_type_name("1st") == "Type1st"


@pytest.mark.parametrize("description", ["A size.", "Two\n\nparagraphs.", "Indented:\n  - a\n  - b", "é ü 日本"])
def test_comments_have_the_description(description: str) -> None:
    assert "\n".join(make_comment(description)) == description


@pytest.mark.parametrize("description", ["", " a", "a ", "a \nb", "+optional", "a <!-- b -->", "a\rb", "a (-- b --)"])
def test_some_descriptions_have_no_comment(description: str) -> None:
    assert make_comment(description) == ()


def test_strings_are_escaped() -> None:
    assert proto_string('a"b\\c\n\t\x01é') == '"a\\"b\\\\c\\n\\t\\U00000001é"'


@pytest.mark.parametrize(
    ("schema", "base", "options"),
    [
        ({"type": "string", "maxLength": 3}, {"type": "string"}, {"max_length": 3}),
        ({"type": "integer"}, {"type": "integer", "format": "int64"}, {"format": ""}),
        ({"type": "string", "default": '"a'}, {"type": "string"}, {"default": '"\\"a"'}),
        ({"type": "string", "enum": ["a", "b c"]}, {"type": "string"}, {"enum": ["a", "b c"]}),
        ({"type": "string", "not": {"enum": ["a"]}}, {"type": "string"}, {"keywords": '{"not": {"enum": ["a"]}}'}),
        ({"type": "array"}, {"type": "array", "items": {}}, {"keywords": '{"items": null}'}),
    ],
)
def test_options(schema: dict[str, object], base: dict[str, object], options: dict[str, object]) -> None:
    assert make_options(schema, base, "FIELD") == options


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ({"type": "integer", "format": "int32"}, "int32"),
        ({"type": "integer"}, "int64"),
        ({"type": "integer", "minimum": 0}, "uint64"),
        ({"type": "string", "format": "date-time"}, "google.protobuf.Timestamp"),
        ({"type": "string", "format": "unknown"}, "string"),
        ({"x-kubernetes-preserve-unknown-fields": True}, "google.protobuf.Value"),
        ({}, "google.protobuf.Value"),
    ],
)
def test_types(schema: dict[str, object], name: str) -> None:
    assert choose_type(schema).name == name


def test_differences_have_paths() -> None:
    expected = {"a": [{"b": 1}], "c": True, "d": 1}
    actual = {"a": [{"b": 2}], "c": 1, "e": 1}
    assert list(find_differences(expected, actual)) == [
        (("a", 0, "b"), "differs"),
        (("c",), "differs"),
        (("d",), "is missing"),
        (("e",), "is added"),
    ]
