"""Defaults of fields, as protoc writes them and as it never does."""

from __future__ import annotations

from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.proto.request import Request

VALID = (
    ("bool", "true"), ("bytes", r'"\000\177\377a\n\t\"\'\\?é"'), ("string", r'"a\n\000é"'), ("string", '""'),
    ("Color", "RED"), ("double", "-1e300"), ("double", "inf"), ("double", "-inf"), ("double", "nan"),
    ("float", "1.5e-7"), ("float", "0x10"), ("int32", "-0x80000000"), ("int64", "-9223372036854775808"),
    ("sint64", "017"), ("uint64", "18446744073709551615"), ("fixed32", "1"),
)  # fmt: skip
INVALID = (
    ("bool", "yes"), ("bytes", r"\777"), ("bytes", "é"), ("bytes", "\\"), ("double", "1e"), ("int32", "1.5"),
    ("int64", "9" * 5_000), ("uint64", "-1"), ("Color", ""), ("Color", "a b"), ("Thing", "x"),
)  # fmt: skip


def compiled(folder: Path, fields: tuple[tuple[str, str], ...]) -> CodeGeneratorRequest:
    lines = [f"optional {kind} f{at} = {at}{default};" for at, (kind, default) in enumerate(fields, 1)]
    text = f'syntax = "proto2"; enum Color {{ RED = 0; }} message Thing {{ {" ".join(lines)} }}'
    (folder / "api.proto").write_text(text)
    return compile_files({"api.proto": str(folder / "api.proto")}, [str(folder)], Problems())


def find_problems(message: CodeGeneratorRequest) -> list[str]:
    problems = Problems()
    request = Request.from_message(message, problems)
    assert request is not None
    assert ApiSet(request, problems).find_message("Thing") is not None
    return [finding.message for finding in problems.findings if finding.rule == "request-descriptor"]


def test_defaults_of_protoc_are_valid(tmp_path: Path) -> None:
    fields = tuple((kind, f" [default = {default}]") for kind, default in VALID)
    message = compiled(tmp_path, fields)
    assert sum(field.HasField("default_value") for field in message.proto_file[-1].message_type[0].field) == len(VALID)
    assert find_problems(message) == []


def test_other_defaults_are_reported(tmp_path: Path) -> None:
    message = compiled(tmp_path, tuple((kind, "") for kind, _ in INVALID))
    for field, (_, default) in zip(message.proto_file[-1].message_type[0].field, INVALID, strict=True):
        field.default_value = default
    kinds = {"Color": "enum", "Thing": "message"}
    assert find_problems(message) == [
        f'default "{default}" of field "f{at}" is not a value of type {kinds.get(kind, kind)}'
        for at, (kind, default) in enumerate(INVALID, 1)
    ]
