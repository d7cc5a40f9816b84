"""The generated modules of options.proto are up to date with the file that users import."""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.bundled_protos import OPTIONS
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.v1 import options_pb2
from tests.conftest import ROOT

NAME = "protoc_gen_crd/v1/options.proto"
ROWS = ROOT / "protoc_gen_crd" / "markers" / "option_rows.py"
HEADER = '''"""The options of options.proto by message, as the members of `MarkerOption`. Generated; do not edit."""

from __future__ import annotations

Row = tuple[
    str, int, str, bool, str, str, tuple[str, ...], tuple[str, ...], int, bool, tuple[str, ...], bool, int
]  # fmt: skip

'''
KINDS = {
    FieldDescriptor.CPPTYPE_BOOL: "bool",
    FieldDescriptor.CPPTYPE_DOUBLE: "number",
    FieldDescriptor.CPPTYPE_ENUM: "enum",
    FieldDescriptor.CPPTYPE_INT32: "integer",
    FieldDescriptor.CPPTYPE_INT64: "integer",
    FieldDescriptor.CPPTYPE_MESSAGE: "message",
    FieldDescriptor.CPPTYPE_STRING: "string",
    FieldDescriptor.CPPTYPE_UINT32: "integer",
}


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


def test_the_rows_are_up_to_date(update: bool) -> None:
    text = HEADER + "\n".join(format_tables())
    if update:
        ROWS.write_text(text)
    assert ROWS.read_text() == text, "run this test with --update"


def format_tables() -> Iterator[str]:
    file = options_pb2.DESCRIPTOR
    yield f"EXTENSION_NUMBERS = {tuple(extension.number for extension in file.extensions_by_name.values())!r}"
    yield "ENUMS: dict[str, dict[str, int]] = {"
    for name, enum in file.enum_types_by_name.items():
        numbers = {value.name: value.number for value in enum.values}
        yield f"    {name!r}: {numbers!r},"
    yield "}"
    yield "MESSAGES: dict[str, tuple[Row, ...]] = {"
    for name, message in file.message_types_by_name.items():
        yield f"    {name!r}: ("
        yield from (f"        {make_row(field)!r}," for field in message.fields)
        yield "    ),"
    yield "}\n"


def make_row(field: FieldDescriptor) -> tuple[object, ...]:
    marker = field.GetOptions().Extensions[options_pb2.marker]
    typed = field.message_type or field.enum_type
    return (
        field.name,
        field.number,
        KINDS[field.cpp_type],
        field.is_repeated,
        typed.name if typed else "",
        marker.keyword,
        tuple(options_pb2.Target.Name(target) for target in marker.targets),
        tuple(marker.types),
        marker.order or 10,
        marker.json,
        tuple(marker.values),
        marker.whole,
        32 if field.cpp_type == FieldDescriptor.CPPTYPE_INT32 else 64,
    )
