"""Embedded files: the presence of fields."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main

FILE = """\
syntax = "proto2";
package acme.things.v1;
import "protoc_gen_crd/v1/options.proto";
message Thing {
  option (protoc_gen_crd.v1.resource).group = "acme.example";
  optional string one = 1 [json_name = "two"];
  optional string two = 2;
}
"""


def test_equal_json_names_of_an_old_file_are_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "api.proto").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    assert main(["changes", "api.proto", "--old", "api.proto"]) == 1
    assert 'api.proto:7:3: error: duplicate JSON name "two"' in capsys.readouterr().err
