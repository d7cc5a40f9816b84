"""Options without their required fields: each kind of options, in each encoding of a descriptor set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.plugin import respond

OPTIONS = ("file", "message", "field", "oneof", "range", "enum", "value", "service", "method")


def write_file(kind: str) -> FileDescriptorProto:
    """Return a file with a resource, in which the options of one kind lack required fields."""
    file = FileDescriptorProto(name="a.proto", package="a.v1", syntax="proto2")
    message = file.message_type.add(name="Widget")
    message.oneof_decl.add(name="choice")
    message.field.add(
        name="x", number=1, label=FieldDescriptorProto.LABEL_OPTIONAL, type=FieldDescriptorProto.TYPE_ENUM,
        type_name=".a.v1.State", oneof_index=0,
    )  # fmt: skip
    message.extension_range.add(start=100, end=200)
    file.enum_type.add(name="State").value.add(name="OFF", number=0)
    file.service.add(name="Lamps").method.add(name="Get", input_type=".a.v1.Widget", output_type=".a.v1.Widget")
    for place, text in (((4, 0), " +kubebuilder:resource\n"), ((2,), " +groupName=example.com\n")):
        file.source_code_info.location.add(path=place, span=(0, 0, 1), leading_comments=text)
    elements: dict[str, Any] = {
        "file": file,
        "message": message,
        "field": message.field[0],
        "oneof": message.oneof_decl[0],
        "range": message.extension_range[0],
        "enum": file.enum_type[0],
        "value": file.enum_type[0].value[0],
        "service": file.service[0],
        "method": file.service[0].method[0],
    }
    elements[kind].options.uninterpreted_option.add().name.add()
    return file


@pytest.mark.parametrize("kind", OPTIONS)
def test_the_plugin_ignores_them(kind: str) -> None:
    request = CodeGeneratorRequest(file_to_generate=["a.proto"], proto_file=[write_file(kind)])
    assert b"example.com_widgets.yaml" in b"".join(respond(request.SerializePartialToString()))


@pytest.mark.parametrize("name", ["api.binpb", "api.json"])
@pytest.mark.parametrize("kind", OPTIONS)
def test_generate_ignores_them(kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    image = FileDescriptorSet(file=[write_file(kind)])
    text = json.dumps(json_format.MessageToDict(image)).encode()
    Path(name).write_bytes(text if name.endswith(".json") else image.SerializePartialToString())
    assert main(["generate", name, "--out", "out", "--dump-request", "request"]) == 0
    assert Path("out/example.com_widgets.yaml").exists()
    assert b"".join(respond(Path("request").read_bytes()))
