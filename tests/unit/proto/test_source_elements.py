"""Offsets of elements and values in the text of .proto files."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.generate_inputs import read_inputs
from protoc_gen_crd.proto.option_text_values import read_option, read_text_format
from protoc_gen_crd.proto.source_elements import SourceFile
from protoc_gen_crd.proto.source_tokens import SourceText, tokenize, unquote

PROTO = """\ufeffsyntax = "proto2";\r
package a.v1; import "protoc_gen_crd/v1/options.proto";\r
\t// é: a "message" // {\r
\tmessage M {\r
\t\toptional\tstring s = 0x1 [deprecated\t=\ttrue, (protoc_gen_crd.v1.field) =\r
{max_length: 3}]; /* after */ optional M m = 2;\r
/* block\r
 */ map<string, .a.v1.M> map = 3;\r
  // detached\r
\r
  repeated group G = 4 { optional v1.M inner = 1; }\r
  oneof o { a.v1.E e = 5; }\r
  extensions 100 to 200;\r
}\r
enum E { Z = -1; }\r
extend M { optional M more = 100; }\r
service S { rpc R(M) returns (stream v1.M); }\r
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SourceFile:
    (tmp_path / "a.proto").write_bytes(PROTO.encode())
    monkeypatch.chdir(tmp_path)
    inputs = read_inputs(["a.proto"], (), (), problems := Problems())
    assert problems.findings == []
    file = next(file for file in inputs.request.proto_file if file.name == "a.proto")
    return SourceFile(file, "a.proto", PROTO.encode())


def test_elements_are_where_protoc_reports_them(source: SourceFile) -> None:
    texts = {name: source.text[item.start : item.end] for name, item in source.elements.items()}
    assert texts["a.proto"] == "package a.v1;"
    assert texts["a.v1.M"].startswith("message M {")
    assert texts["a.v1.M"].endswith("}")
    assert texts["a.v1.M.m"] == "optional M m = 2;"
    assert texts["a.v1.M.map"] == "map<string, .a.v1.M> map = 3;"
    assert texts["a.v1.M.G.inner"] == "optional v1.M inner = 1;"
    assert texts["a.v1.M.e"] == "a.v1.E e = 5;"
    assert texts["a.v1.E.Z"] == "Z = -1;"
    assert (source.elements["a.v1.E.Z"].number, source.elements["a.v1.M.s"].number) == (-1, 1)
    assert source.text[: source.elements["a.v1.M.s"].number_end].endswith("0x1")


def test_options_are_where_protoc_reports_them(source: SourceFile) -> None:
    deprecated, ours = source.elements["a.v1.M.s"].options
    assert (deprecated.path, source.text[deprecated.start : deprecated.end]) == ((3,), "deprecated\t=\ttrue")
    assert [(value.names, value.value) for value in ours.values] == [(("max_length",), "3")]


def test_only_comments_of_an_element_are_its_comments(source: SourceFile) -> None:
    comments = {name: [token.text for token in item.comments] for name, item in source.elements.items()}
    assert comments["a.v1.M"] == ['// é: a "message" // {']
    assert comments["a.v1.M.map"] == ["/* block\r\n */"]
    assert comments["a.v1.M.m"] == []
    assert comments["a.v1.M.g"] == []


def test_references_are_aligned_with_their_full_names(source: SourceFile) -> None:
    results = [(reference.written, reference.full_name) for reference in source.list_references()]
    assert results == [
        ("M", "a.v1.M"), (".a.v1.M", "a.v1.M"), ("G", "a.v1.M.G"), ("a.v1.E", "a.v1.E"), ("v1.M", "a.v1.M"),
        ("M", "a.v1.M"), ("M", "a.v1.M"), ("M", "a.v1.M"), ("v1.M", "a.v1.M"),
    ]  # fmt: skip
    assert all(
        source.text[reference.start : reference.end] == reference.written for reference in source.list_references()
    )
    assert source.declares_extensions


def test_a_tab_ends_at_a_multiple_of_eight_and_a_character_counts_its_bytes() -> None:
    text = SourceText("a\n\tb é\tc")
    assert [text.find_offset(1, column) for column in (0, 8, 10, 12, 16)] == [2, 3, 5, 6, 7]


@pytest.mark.parametrize(
    ("text", "value"),
    [('"a\\n\\x41\\101\\""', 'a\nAA"'), ("'it\\'s'", "it's"), ("v1", "v1")],
)
def test_strings_are_unescaped(text: str, value: str) -> None:
    assert [unquote(token) for token in tokenize(text)] == [value]


def test_values_have_the_entries_around_them() -> None:
    text = 'option (x.resource) = {a: ["1", \'2\'], b <c: -1.5e3; d: "x" "y">, e: [{f: z}, {f: true}] [g.h] {i: 1}};'
    names, values, entries = read_option(tokenize(text))
    assert names == ()
    results = [(".".join(value.names), value.value, value.items) for value in values]
    assert results == [
        ("a", "1", 2), ("a", "2", 2), ("b.c", "-1.5e3", 0), ("b.d", "xy", 0), ("e.f", "z", 0), ("e.f", "true", 0),
        ("[g.h].i", "1", 0),
    ]  # fmt: skip
    spans = [text[entry.start : entry.end] for entry in values[4].entries]
    assert spans == [text[22:-1], "e: [{f: z}, {f: true}]", "{f: z}", "f: z"]
    assert [text[entry.start : entry.end] for entry in entries if entry.names == ("b",)] == [
        'b <c: -1.5e3; d: "x" "y">'
    ]


def test_names_of_an_option_follow_its_extension() -> None:
    assert read_option(tokenize("(.a.field).b.c = 1"))[0] == ("b", "c")
    assert read_option(tokenize("option deprecated = true;"))[0] == ("deprecated",)


@pytest.mark.parametrize("text", ["[", "[}", "{a", "{a:", "{:}", "[{]", "{a: [}", "]", ",", "<a: }>"])
def test_malformed_values_end(text: str) -> None:
    read_text_format(tokenize(text), ("a",))
