"""The options in .proto files in buf's language server, with the modules of docs/editors.md."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT
from tests.editors.language_server import LanguageServer, start_server
from tests.support.pages import blocks_of

BUF = str(Path(sys.executable).with_name("buf"))
PROTO = """syntax = "proto3";
package acme.v1;
import "protoc_gen_crd/v1/options.proto";

message Bookcase {
  option (protoc_gen_crd.v1.resource).group = "acme.example";
  int32 length = 1 [(protoc_gen_crd.v1.field).minimum = 100];
  int32 width = 2 [(protoc_gen_crd.v1.field).max];
}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("api")
    page = (ROOT / "docs/editors.md").read_text("utf-8")
    (modules,) = (block.text for block in blocks_of(page) if block.comment == "file module/buf.yaml")
    (folder / "buf.yaml").write_text(modules)
    (folder / "proto").mkdir()
    (folder / "proto" / "bookcase.proto").write_text(PROTO)
    assert main(["include", "--copy", str(folder / "third_party")]) == 0
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[LanguageServer]:
    with start_server([BUF, "lsp", "serve"], folder) as server:
        server.open(folder / "proto" / "bookcase.proto", "proto")
        yield server


def test_options_are_completed(server: LanguageServer, folder: Path) -> None:
    completion = server.ask_at("completion", folder / "proto" / "bookcase.proto", "field).max")
    items = completion["items"] if isinstance(completion, dict) else completion
    assert {"maximum", "max_length", "max_items"} <= {item["label"] for item in items}


def test_a_hover_shows_the_documentation(server: LanguageServer, folder: Path) -> None:
    hover = server.ask_at("hover", folder / "proto" / "bookcase.proto", "field).minim")
    assert hover["contents"]["value"] == "The minimum value."
