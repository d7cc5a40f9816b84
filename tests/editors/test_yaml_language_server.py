"""The JSON Schemas and the modeline of samples in yaml-language-server, the one of most editors."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.editors.language_server import LanguageServer, start_server

PROTO = """syntax = "proto3";
package acme.bookcases.v1;
import "protoc_gen_crd/v1/options.proto";
option (protoc_gen_crd.v1.file).group = "acme.example";

// A bookcase of books.
message Bookcase {
  option (protoc_gen_crd.v1.resource).versions = "v1";
  BookcaseSpec spec = 1;
}

// Desired state of a bookcase.
message BookcaseSpec {
  // How books are sorted.
  Order order = 1;
  // Length of the bookcase in millimeters.
  int32 length = 2 [(protoc_gen_crd.v1.field) = {minimum: 100 maximum: 5000 default: "800"}];
  // Name of the room.
  string room = 3 [deprecated = true];
}

enum Order {
  TITLE = 0;
  AUTHOR = 1;
}
"""
MODELINE = "# yaml-language-server: $schema=schemas/acme.example/bookcase_v1.json\n"
HEAD = "apiVersion: acme.example/v1\nkind: Bookcase\nmetadata:\n  name: a\n"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("api")
    (folder / "bookcase.proto").write_text(PROTO)
    outputs = ["--out", str(folder / "schemas")]
    assert main(["schemas", str(folder / "bookcase.proto"), *outputs]) == 0
    return folder


@pytest.fixture
def server(folder: Path) -> Iterator[LanguageServer]:
    program = os.environ.get("YAML_LANGUAGE_SERVER")
    if not program:
        pytest.skip("needs yaml-language-server: run `make test-editors`")
    with start_server([str(Path(program).resolve()), "--stdio"], folder) as server:
        yield server


def _write(folder: Path, name: str, spec: str) -> Path:
    path = folder / name
    path.write_text(f"{MODELINE}{HEAD}spec:\n{spec}")
    return path


def test_mistakes_are_errors_at_their_place(server: LanguageServer, folder: Path) -> None:
    diagnostics = server.open(_write(folder, "wrong.yaml", "  order: SIZE\n  length: 7\n  lenght: 900\n"))
    shown = {(each["range"]["start"]["line"], each["message"].split("\n")[0]) for each in diagnostics}
    assert {line for line, _ in shown} == {6, 7, 8}, shown
    assert any('"TITLE", "AUTHOR"' in message for _, message in shown), shown
    assert any("lenght is not allowed" in message for _, message in shown), shown
    assert any("100" in message for _, message in shown), shown


def test_a_valid_manifest_has_no_errors(server: LanguageServer, folder: Path) -> None:
    assert server.open(_write(folder, "valid.yaml", "  order: AUTHOR\n  length: 900\n")) == []


def test_a_deprecated_field_is_marked(server: LanguageServer, folder: Path) -> None:
    (diagnostic,) = server.open(_write(folder, "deprecated.yaml", "  room: den\n"))
    assert "deprecated" in diagnostic["message"]


def test_fields_and_values_are_completed(server: LanguageServer, folder: Path) -> None:
    path = _write(folder, "completion.yaml", "  order: \n")
    server.open(path)
    values = {item["label"] for item in server.ask_at("completion", path, "  order: ")["items"]}
    assert {"TITLE", "AUTHOR"} <= values
    path = _write(folder, "fields.yaml", "  order: TITLE\n  \n")
    server.open(path)
    fields = {item["label"] for item in server.ask_at("completion", path, "TITLE\n  ")["items"]}
    assert "length" in fields
    assert "order" not in fields


def test_hovering_shows_the_description(server: LanguageServer, folder: Path) -> None:
    path = _write(folder, "hover.yaml", "  length: 900\n")
    server.open(path)
    shown = server.ask_at("hover", path, "  leng")["contents"]
    assert "Length of the bookcase in millimeters." in (shown["value"] if isinstance(shown, dict) else shown)


def test_samples_name_their_schema(server: LanguageServer, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert main(["samples", "bookcase.proto", "--modeline"]) == 0
    sample = folder / "samples/bookcases.acme.example/v1-full.yaml"
    assert "$schema=../../schemas/acme.example/bookcase_v1.json" in sample.read_text()
    text = sample.read_text().replace("  order: ", "  order: WRONG", 1)
    sample.write_text(text)
    diagnostics = server.open(sample)
    assert any("AUTHOR" in each["message"] for each in diagnostics), (text, diagnostics)
