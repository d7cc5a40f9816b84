"""Requests without the second copies of their targets."""

from __future__ import annotations

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message import DecodeError

from protoc_gen_crd.proto.large_requests import parse_without_copies


def make_file(name: str, package: str) -> FileDescriptorProto:
    return FileDescriptorProto(name=name, package=package)


def make_request(*sources: FileDescriptorProto) -> CodeGeneratorRequest:
    """A request with two files, one with a long name, and with copies of some."""
    files = [make_file("a.proto", "plain"), make_file("b" * 300, "plain")]
    return CodeGeneratorRequest(
        file_to_generate=["a.proto", "b" * 300],
        parameter="compat=istio",
        proto_file=files,
        source_file_descriptors=sources,
    )


@pytest.mark.parametrize("replaced", [(), ("a.proto",), ("b" * 300, "a.proto")])
def test_copies_replace_the_files_of_their_names(replaced: tuple[str, ...]) -> None:
    request = make_request(*(make_file(name, "source") for name in replaced), make_file("c.proto", "unknown"))
    reduced = parse_without_copies(request.SerializeToString())
    assert (reduced.parameter, reduced.file_to_generate) == (request.parameter, request.file_to_generate)
    assert [(file.name, file.package) for file in reduced.proto_file] == [
        (name, "source" if name in replaced else "plain") for name in request.file_to_generate
    ]
    assert not reduced.source_file_descriptors


VALID = make_request(make_file("a.proto", "source")).SerializeToString()


@pytest.mark.parametrize(
    "data",
    [
        VALID + b"\x08\x01",  # a number
        VALID + b"\x8a\x01\x00",  # a copy without a name
        VALID + b"\x8a\x01\x0d\x12\x01p\x0a\x08ab.proto",  # a copy with the name after the package
    ],
)
def test_other_requests_are_parsed_as_they_are(data: bytes) -> None:
    assert parse_without_copies(data) == CodeGeneratorRequest.FromString(data)


@pytest.mark.parametrize(
    "data",
    [
        VALID[:-1],
        VALID + b"\x8a",  # a tag without its end
        VALID + b"\x8a\x01\x05",  # a size beyond the end
        VALID + b"\xff" * 1000,
        VALID + b"\x7a\x05\x0a\x01a\x12\x05",  # a file whose package is cut off
        VALID + b"\x1a\x02\x12\x05",  # a compiler version whose suffix is cut off
    ],
)
def test_invalid_requests_are_rejected(data: bytes) -> None:
    with pytest.raises(DecodeError):
        parse_without_copies(data)


def test_a_file_without_a_name_is_not_replaced() -> None:
    request = CodeGeneratorRequest(parameter="p", proto_file=[make_file("", "plain")])
    request.source_file_descriptors.append(make_file("", "source"))
    reduced = parse_without_copies(request.SerializeToString())
    assert (reduced.parameter, reduced.proto_file[0].package) == ("p", "source")
