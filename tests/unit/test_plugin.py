"""A plugin run that stops early."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorProto

from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.plugin import _serialize_response, fill_response, read_request

SETTINGS = "findings:\n- {rule: marker-target, path: acme.v1.Widget.size, reason: known, severity: note}\n"


def error(parameter: str) -> str:
    file = FileDescriptorProto(name="a.proto", package="acme.v1")
    request = CodeGeneratorRequest(parameter=parameter, file_to_generate=["a.proto"], proto_file=[file])
    response, problems = CodeGeneratorResponse(), Problems()
    fill_response(*read_request(request.SerializeToString(), problems), response, problems)
    return response.error


def test_unused_entries_are_reported_only_after_the_api_is_checked(tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(SETTINGS)
    at = f"settings={tmp_path / 's.yaml'}"
    assert "[policy-unused]" in error(f"{at},fail_on=note")
    stopped = error(f"{at},fail_on=note,oneof=modern")
    assert "[option-value]" in stopped
    assert "[policy-unused]" not in stopped


@pytest.mark.parametrize("size", [0, 1, 117, 118, 119, 120, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152])
def test_files_are_serialized_as_by_protobuf(size: int) -> None:
    files = [
        OutputFile("a.yaml", ("x" * size,)),
        OutputFile("ü" * size, ("xü" * size, "x", "ü")),
        OutputFile("", ("",)),
    ]
    expected = CodeGeneratorResponse(supported_features=1)
    for file in files:
        expected.file.add(name=file.name, content=file.text)
    parts = _serialize_response(CodeGeneratorResponse(supported_features=1), files)
    assert b"".join(parts) == expected.SerializeToString()
