"""Names in descriptors that protoc rejects, or that are unusual."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from protoc_gen_crd.cli.main import main
from tests.support.compile import compile_texts

PROTO = """syntax = "proto3";
package acme.v1;
service Widgets { rpc Get(Widget) returns (Widget); }
message Widget {}
"""


@pytest.mark.parametrize("name", ["a|b", "get\nx", '"""', "a b"])
def test_names_that_protobuf_rejects_are_reported(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = FileDescriptorSet(file=compile_texts({"acme/v1/widgets.proto": PROTO}, tmp_path).proto_file)
    files.file[-1].service[0].method[0].name = name
    (tmp_path / "api.binpb").write_bytes(files.SerializeToString())
    command = ["generate", str(tmp_path / "api.binpb"), "--groups", "groups", "--out", str(tmp_path / "out")]
    assert main(command) == 1
    assert "group acme cannot be loaded" in capsys.readouterr().err


def test_a_file_name_can_have_any_characters(tmp_path: Path) -> None:
    file = tmp_path / "acme" / "v1" / "gerät \u2066😀.proto"
    file.parent.mkdir(parents=True)
    file.write_text(PROTO)
    command = ["generate", str(tmp_path / "acme"), "--groups", "groups", "--out", str(tmp_path / "out"), "--quiet"]
    assert main(command) == 0
    assert (tmp_path / "out" / "groups" / "acme" / "v1" / "messages.py").is_file()
