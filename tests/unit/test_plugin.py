"""A plugin run that stops early."""

from __future__ import annotations

from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorProto

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.plugin import fill_response, read_request

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
