"""Options of other vocabularies with values that API servers cannot enforce: warnings, and a CRD that is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd import admit
from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT
from tests.support.yaml_data import load_yaml

HEAD = """syntax = "proto3";
package x.v1;
import "buf/validate/validate.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "protoc-gen-openapiv2/options/annotations.proto";
import "protoc_gen_crd/v1/options.proto";
import "validate/validate.proto";
message A {
  option (protoc_gen_crd.v1.resource) = {group: "x.io"};
"""
BUF, PGV, OPENAPI = (
    "(buf.validate.field)", "(validate.rules)", "(grpc.gateway.protoc_gen_openapiv2.options.openapiv2_field)"
)  # fmt: skip
MOST = 2**64 - 1
ENFORCED = (f"double a = 1 [{PGV}.double.gte = 0.5];", f"google.protobuf.DoubleValue a = 1 [{PGV}.double.gte = 0.5];",
            f"map<string, double> a = 1 [{PGV}.map.values.double.gte = 0.5];",
            f"double a = 1 [{BUF}.double = {{in: [0.5, nan, inf]}}];",
            f"double a = 1 [{BUF}.double = {{not_in: [nan]}}];",
            f"string a = 1 [{OPENAPI} = {{default: \"5\"}}];",
            f"repeated google.protobuf.StringValue a = 1 [{BUF}.repeated.unique = true];",
            f"repeated google.protobuf.Int32Value a = 1 [{PGV}.repeated.unique = true];",
            f"repeated google.protobuf.StringValue a = 1 [{OPENAPI} = {{unique_items: true}}];",
            f"map<int32, string> a = 1 [{PGV}.map.max_pairs = 10];")  # fmt: skip
INVALID = (
    f"double a = 1 [{PGV}.double.gte = inf];",
    f"double a = 1 [{PGV}.double.lt = nan];",
    f"double a = 1 [{PGV}.double = {{gt: inf lt: 0}}];",
    f"float a = 1 [{BUF}.float.const = nan];",
    f"double a = 1 [{BUF}.double = {{in: [nan]}}];",
    f"int32 a = 1 [{PGV}.double.gte = 0.5];",
    f"uint32 a = 1 [{BUF}.uint32.gt = 4294967295];",
    f"string a = 1 [{PGV}.string = {{min_len: 5 max_len: 2}}];",
    f"string a = 1 [{PGV}.string.pattern = '(?<x'];",
    f"double a = 1 [{BUF}.double.example = nan];",
    f"float a = 1 [{BUF}.float.example = -inf];",
    f"google.protobuf.Timestamp a = 1 [{PGV}.timestamp.gt = {{seconds: {2**63 - 1}}}];",
    f"google.protobuf.Timestamp a = 1 [{BUF}.timestamp.lt = {{seconds: {-(2**63)}}}];",
    f"string a = 1 [{OPENAPI} = {{type: ARRAY}}];",
    f"map<string, string> a = 1 [{OPENAPI} = {{type: ARRAY}}];",
    f"repeated bytes a = 1 [{OPENAPI} = {{default: '*'}}];",
    f"repeated string a = 1 [{BUF} = {{repeated: {{min_items: {2**63}}} ignore: IGNORE_IF_ZERO_VALUE}}];",
    f"string a = 1 [{BUF} = {{string: {{min_len: {2**63}}} ignore: IGNORE_IF_ZERO_VALUE}}];",
    f"map<int32, string> a = 1 [{PGV}.map.max_pairs = {2**63 - 1}];",
    f"map<bool, string> a = 1 [{BUF}.map.max_pairs = {2**63 - 1}];",
    f"string a = 1 [{PGV}.string.len = {MOST}];",
    f"string a = 1 [{BUF}.string.len_bytes = {MOST}];",
    f"bytes a = 1 [{BUF}.bytes.min_len = {MOST}];",
    f"bytes a = 1 [{PGV}.bytes.max_len = {MOST}];",
    f"repeated string a = 1 [{PGV}.repeated = {{min_items: 5 max_items: 2}}];",
    f"map<string, string> a = 1 [{PGV}.map.min_pairs = {MOST}];",
    f"google.protobuf.Duration a = 1 [{PGV}.duration.gte = {{seconds: -400000000000}}];",
    f"google.protobuf.Timestamp a = 1 [{PGV}.timestamp.gt = {{seconds: 1000000000000}}];",
    f"int32 a = 1 [{OPENAPI} = {{default: 'abc'}}];",
    f"bool a = 1 [{OPENAPI} = {{default: 'maybe'}}];",
    f"int32 a = 1 [{OPENAPI} = {{default: '5', maximum: 3}}];",
    f"string a = 1 [{OPENAPI} = {{default: '\"abc\"', max_length: 1}}];",
    f"double a = 1 [{OPENAPI} = {{multiple_of: -1 minimum: 5 maximum: 1}}];",
    f"int32 a = 1 [{OPENAPI} = {{exclusive_minimum: true minimum: 0.5}}];",
    f"string a = 1 [{BUF}.cel = {{id: 'a' expression: 'this ='}}];",
    f"string a = 1 [{BUF}.cel = {{id: 'a' expression: 'this.missing == 1'}}];",
    f"oneof o {{ string a = 1 [{BUF}.required = true]; string b = 2; }}",
)


@pytest.mark.parametrize(("field", "warns"), [*((field, False) for field in ENFORCED), *((f, True) for f in INVALID)])
def test_the_crd_is_accepted(
    field: str, warns: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.proto").write_text(f"{HEAD}  {field}\n}}\n")
    assert main(["generate", "a.proto", "-I", ".", "-I", str(ROOT / "testdata" / "include"), "--out", "."]) == 0
    assert ("a.proto:12:" in capsys.readouterr().err) == warns
    (verdict,) = admit(load_yaml(Path("x.io_as.yaml").read_text()), kubernetes="1.37")
    assert verdict.accepted
