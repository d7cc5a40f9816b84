"""Documents and their locations. conformance/test_yaml.py compares their values with Kubernetes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.yaml import fast_decoder
from protoc_gen_crd.yaml.reader import Document, read, read_document

TEXT = """# A comment
kind: Widget
spec:
  size: 3
  names: [a, {deep: 1.0}]
  "wörter":  ü
---
# Another

- &one {x: 1}
- *one
- <<: *one
  z: 2
"""


def at(document: Document, *path: str | int, key: bool = False) -> str:
    return str(document.get_place(path, key=key))


@pytest.fixture(params=[True, False], ids=["libyaml", "by rule"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", request.param and yaml.__with_libyaml__)
    monkeypatch.setattr(fast_decoder, "_IMPORT_SIZE", 0)


by_both = pytest.mark.usefixtures("parser")


@by_both
def test_values_and_lines() -> None:
    first, second = read(TEXT, "w.yaml")
    assert first.value == {"kind": "Widget", "spec": {"size": 3, "names": ["a", {"deep": 1}], "wörter": "ü"}}
    assert type(first.value["spec"]["names"][1]["deep"]) is int
    assert second.value == [{"x": 1}, {"x": 1}, {"x": 1, "z": 2}]
    assert (first.line, second.line) == (1, 8)
    assert (first.error, first.error_at, first.duplicates) == (None, None, ())


def test_short_files_are_read_alike() -> None:
    assert read(TEXT, "w.yaml", short=True) == read(TEXT, "w.yaml")


@by_both
def test_places_of_values_and_keys() -> None:
    first, second = read(TEXT, "w.yaml")
    assert at(first) == "w.yaml:2:1"
    assert at(first, "spec") == "w.yaml:4:3"
    assert at(first, "spec", key=True) == "w.yaml:3:1"
    assert at(first, "spec", "names", 1, "deep") == "w.yaml:5:21"
    assert at(first, "spec", "names", 1, "deep", key=True) == "w.yaml:5:15"
    assert at(first, "spec", "wörter") == "w.yaml:6:14"
    assert at(second, 0, "x") == "w.yaml:10:12"


@by_both
def test_a_place_through_an_alias_is_where_it_stands_and_inside_where_it_points() -> None:
    second = read(TEXT, "w.yaml")[1]
    assert at(second, 1) == "w.yaml:11:3"
    assert at(second, 1, "x") == "w.yaml:10:12"
    assert at(second, 2, "x", key=True) == "w.yaml:10:9"
    assert at(second, 2, "z") == "w.yaml:13:6"


@by_both
@pytest.mark.parametrize("path", [("spec", "no"), ("spec", "no", "more", 1), ("spec", 0)])
def test_a_path_that_is_not_there_has_the_place_of_the_nearest_thing_above(path: tuple[str | int, ...]) -> None:
    first = read(TEXT, "w.yaml")[0]
    assert at(first, *path) == at(first, *path, key=True) == "w.yaml:4:3"
    assert at(first, "spec", "names", 7) == "w.yaml:5:10"
    assert at(first, "spec", "names", "a") == "w.yaml:5:10"


@by_both
def test_the_last_of_equal_keys_has_the_place() -> None:
    document = read("a: 1\nb:\n  a: 1\n  a: 2\na: 3\n")[0]
    assert document.value == {"a": 3, "b": {"a": 2}}
    assert document.duplicates == ('line 4: key "a" already set in map', 'line 5: key "a" already set in map')
    assert at(document, "a", key=True) == "<stdin>:5:1"


@by_both
def test_keys_other_than_strings_have_their_json_name() -> None:
    document = read("1: a\nyes: b\n1.50: c\n")[0]
    assert document.value == {"1": "a", "true": "b", "1.5": "c"}
    assert [at(document, key) for key in document.value] == ["<stdin>:1:4", "<stdin>:2:6", "<stdin>:3:7"]


def test_json_documents_have_places_and_floats() -> None:
    first, second = read('{"a": 1.0,\n "b": [2]}\n\n {"c":\n  3}', "j")
    assert first.value == {"a": 1.0, "b": [2]}
    assert type(first.value["a"]) is float
    assert (first.line, second.line) == (1, 4)
    assert (at(first, "b", 0), at(second, "c"), at(second, "c", key=True)) == ("j:2:8", "j:5:3", "j:4:3")


def test_yaml_after_json_on_the_same_line_keeps_its_columns() -> None:
    document = read('{"é": 1} b: 2\nc: 3\n')[1]
    assert (at(document, "b"), at(document, "c")) == ("<stdin>:1:13", "<stdin>:2:4")


@pytest.mark.parametrize(
    ("text", "place", "error"),
    [
        ("a: b: c\n", "1:5", "yaml: mapping values are not allowed in this context"),
        ("a: 1\n---\nb: 2\nc: [\n", "5:1", "yaml: line 2: did not find expected node content"),
        ("a: 1\n--- x\n", "2:1", None),
        ("a:\n- b\n- !!int c\n", "3:3", "yaml: cannot decode !!str `c` as a !!int"),
        ("a: 1\nb:\n  c: .inf\n", "3:6", "json: unsupported value: +Inf"),
        ("a:\n  null: 1\n", "2:3", "unsupported map key of type: %!s(<nil>), key: <nil>, value: 1"),
        ("a:\n  {b: 1}: 1\n", "2:3", 'yaml: invalid map key: map[interface {}]interface {}{"b":1}'),
        ("a: 1\nb: *c\n", "2:4", "yaml: unknown anchor 'c' referenced"),
        ("a: \x01\n", "1:4", "yaml: control characters are not allowed"),
        ("a: é\r\nb: \x01\n", "2:4", "yaml: control characters are not allowed"),
        (b"a:\n  b: caf\xe9\n", "2:9", "yaml: incomplete UTF-8 octet sequence"),
        (f"a: {'x' * 600}\nb: ".encode() + b"\xff\n", "2:4", "yaml: invalid leading UTF-8 octet"),
        ("a: &a [*a]\n", "1:8", "yaml: anchor 'a' value contains itself"),
    ],
)
def test_errors_have_a_place(text: str | bytes, place: str, error: str | None) -> None:
    *before, last = read(text, "e")
    assert (str(last.error_at), last.value) == (f"e:{place}", None)
    assert last.error == (f"error converting YAML to JSON: {error}" if error else "invalid Yaml document separator: x")
    assert [document.error for document in before] == [None] * len(before)


@pytest.mark.parametrize(
    ("text", "place", "error"),
    [
        (
            '{"a": 1,\n  b [}',
            "2:3",
            "json: offset 12: invalid character 'b' looking for beginning of object key string",
        ),
        ('{"a": 1}\n{"a":\n nul]', "3:5", "json: offset 20: invalid character ']' in literal null (expecting 'l')"),
        ('{"a": [1,', "1:10", "unexpected EOF"),
        ('{"a":\n [0, 1e999]}', "2:6", "json: cannot unmarshal number 1e999 into Go value of type float64"),
    ],
)
def test_json_errors_have_a_place(text: str, place: str, error: str) -> None:
    last = read(text, "e")[-1]
    assert (str(last.error_at), last.error) == (f"e:{place}", error)


@by_both
def test_nothing_is_read_after_an_error() -> None:
    documents = read("a: 1\n---\nb: [\n---\nc: 3\n")
    assert [document.value for document in documents] == [{"a": 1}, None]


def test_a_last_line_that_fills_the_buffer_of_the_reader_is_lost() -> None:
    assert [document.value for document in read("a: 1\nb: " + "c" * 4093)] == [{"a": 1}]
    assert [document.value for document in read("a: 1\nb: " + "c" * 4093 + "\n")] == [{"a": 1, "b": "c" * 4093}]


@by_both
def test_common_errors_have_a_hint() -> None:
    tab, colon, other = (read(text, "f")[0] for text in ("a:\n\tb: c\n", "a: b: c\n", "a: [b\n"))
    assert tab.hint.startswith("indent with spaces instead of tabs")
    assert colon.hint == 'check the indentation, or quote a value that contains ": "'
    assert other.error is not None
    assert (other.hint, read("a: b\n", "f")[0].hint) == ("", "")


def test_one_document_is_read_whole() -> None:
    document = read_document("a: 1\n...\nwhat [ever\n", "one")
    assert (document.value, document.file, document.line) == ({"a": 1}, "one", 1)
    assert read_document('{"a": 1.0}').value == {"a": 1}


@by_both
def test_bytes_and_strings() -> None:
    assert read(b"\xef\xbb\xbfa: \xc3\xa9")[0].value == read("\ufeffa: é")[0].value == {"a": "é"}
    assert read("\ufeffa: é\n".encode("utf-16-be"))[0].value == {"a": "é"}
    assert read("\ufeffa: é\n".encode("utf-16-le"))[0].error  # Go splits lines before it decodes, amid the line break
    assert read("a: \ud800")[0].error == "error converting YAML to JSON: yaml: invalid Unicode character"
    assert read("") == []


def bomb(levels: int, width: int = 9) -> str:
    """A list of lists of lists, all but the innermost aliases."""
    lines = [f"l0: &l0 [{', '.join('x' * width)}]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * width)}]" for n in range(1, levels)]
    return "\n".join(lines)


EXCESSIVE = "error converting YAML to JSON: yaml: document contains excessive aliasing"
TOO_DEEP = "error converting YAML to JSON: yaml: exceeded max depth of 10000"
DEEP_JSON = "error unmarshaling JSON: while decoding JSON: invalid character '[' exceeded max depth"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (bomb(9), EXCESSIVE),
        (bomb(9).replace("x", "{}").replace("[", "{<<: [").replace("]", "]}"), EXCESSIVE),
        ("[" * 1000 + "]" * 1000, None),
        ("[" * 10_000 + "]" * 10_000, None),
        ("[" * 10_001 + "]" * 10_001, TOO_DEEP),
        ("- " * 10_001 + "a", TOO_DEEP),
        ("[" * 50_000, TOO_DEEP),
        ("- " * 9000 + "[" * 2000 + "]" * 2000, DEEP_JSON),
        ("{a: " * 10_000 + "1" + "}" * 10_000, None),
        ('{"a": ' * 10_001 + "1" + "}" * 10_001, "json: offset 60001: invalid character '{' exceeded max depth"),
        ("- a\n" * 100_000, None),
        ("a: " + "1" * 100_000, None),
        ("a: 0x" + "f" * 100_000, None),
        ("a: '" + "''" * 100_000, "error converting YAML to JSON: yaml: line 2: found unexpected end of stream"),
    ],
)  # fmt: skip
def test_hostile_input(text: str, error: str | None) -> None:
    (document,) = read(text)
    assert document.error == error


def test_a_collection_that_is_too_deep_to_be_shown_recursively() -> None:
    (document,) = read("? " + "[" * 9999 + "]" * 9999 + "\n: 1\n")
    assert document.error
    assert document.error.endswith("interface {}{" + "}" * 9999)


BOUNDED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
from protoc_gen_crd.yaml.reader import read
size = 3 << 20
for text in (
    "".join(f"key{n}: value\\n" for n in range(size // 16)),
    "a: |\\n" + "  line\\n" * (size // 7) + "}",
    "a: &a [" + "1," * (size // 20) + "]\\nb: *a",
):
    print(len(text) >> 20, (read(text)[-1].error or "")[-25:])
"""


def test_large_input_fits_into_half_a_gibibyte() -> None:
    root = Path(__file__).parents[3]
    run = subprocess.run([sys.executable, "-c", BOUNDED], cwd=root, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["3 ", "3 did not find expected key", "0 "]


IMPORTS = """
import sys
from protoc_gen_crd.yaml.reader import read
text = "a: {b: [c, 1]} # d\\n"
first = read(text)
for _ in range(300):
    assert read(text) == first
    print("yaml" in sys.modules)
"""


def test_libyaml_is_imported_once_that_is_worthwhile() -> None:
    run = subprocess.run([sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True)
    imported = run.stdout.splitlines()
    assert (imported[0], imported[-1]) == ("False", "True")


def test_locations_are_values() -> None:
    assert read("a: 1")[0].get_place(("a",)) == Location("<stdin>", 1, 4)


def test_documents_after_an_error_are_read_on_request() -> None:
    stream = "a: 1\n---\nb: [\n---\nc: 3\n"
    assert [document.value for document in read(stream)] == [{"a": 1}, None]
    documents = read(stream, past_errors=True)
    assert [document.value for document in documents] == [{"a": 1}, None, {"c": 3}]
    assert (documents[2].line, bool(documents[1].error)) == (5, True)
