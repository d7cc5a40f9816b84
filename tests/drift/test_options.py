"""The generated module of options.proto is up to date with the file that users import."""

from __future__ import annotations

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.bundled_protos import OPTIONS
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.v1 import options_pb2

NAME = "protoc_gen_crd/v1/options.proto"


def test_the_module_is_up_to_date() -> None:
    compiled = compile_files({NAME: str(OPTIONS / NAME)}, [], Problems()).proto_file[-1]
    compiled.ClearField("source_code_info")
    for message in compiled.message_type:
        _forget_json_names(message)
    for extension in compiled.extension:
        extension.ClearField("json_name")
    generated = FileDescriptorProto.FromString(options_pb2.DESCRIPTOR.serialized_pb)
    assert generated == compiled, "CONTRIBUTING.md describes how to regenerate it"


def _forget_json_names(message: DescriptorProto) -> None:
    """protoc writes them into requests and images, not into modules."""
    for field in message.field:
        field.ClearField("json_name")
    for nested in message.nested_type:
        _forget_json_names(nested)
