"""Groups of descriptor sets that protoc would not write."""

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
