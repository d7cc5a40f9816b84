from __future__ import annotations

import gzip

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.descriptor_sets import read_image

IS_IMPORT = {True: b"\xd2\xf6\x03\x04\x08\x01\x18\x00", False: b"\xd2\xf6\x03\x02\x18\x00"}


def image(*names: str, marks: dict[str, bool] | None = None) -> bytes:
    files = FileDescriptorSet()
    for name in names:
        file = files.file.add(name=name)
        if marks:
            file.MergeFromString(IS_IMPORT[marks[name]])
    return files.SerializeToString()


def read(data: bytes, *patterns: str) -> tuple[CodeGeneratorRequest, list[str]]:
    problems = Problems()
    request = read_image(data, "image.binpb", patterns, problems)
    return request, [f"{finding.at}: {finding.message} [{finding.rule}]" for finding in problems.findings]


def targets(data: bytes, *patterns: str) -> list[str]:
    request, findings = read(data, *patterns)
    assert findings == []
    return list(request.file_to_generate)


def test_imports_marked_by_buf_are_not_targets() -> None:
    marks = {"acme/a.proto": False, "acme/b.proto": True, "google/c.proto": False}
    data = image(*marks, marks=marks)
    assert targets(data) == ["acme/a.proto", "google/c.proto"]
    assert [file.name for file in read(data)[0].proto_file] == list(marks)


def test_without_marks_known_dependencies_are_not_targets() -> None:
    assert targets(image("google/api/x.proto", "acme/a.proto", "buf/validate/v.proto")) == ["acme/a.proto"]


def test_patterns_select_targets() -> None:
    data = image("acme/v1/a.proto", "acme/v2/b.proto", "google/c.proto")
    assert targets(data, "acme/v2/*", "google/c.proto") == ["acme/v2/b.proto", "google/c.proto"]


def test_a_zipped_image() -> None:
    assert targets(gzip.compress(image("a.proto"), mtime=0)) == ["a.proto"]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_an_image_as_json(mark: bytes) -> None:
    data = mark + (
        b' { "file": [\n{"name": "a.proto", "bufExtension": {"isImport": true}}, '
        b'{"name": "b.proto", "dependency": ["a.proto"], "bufExtension": {"isSyntaxUnspecified": false}}]}'
    )
    request, findings = read(data)
    assert findings == []
    assert list(request.file_to_generate) == ["b.proto"]
    assert [(file.name, list(file.dependency)) for file in request.proto_file] == [
        ("a.proto", []),
        ("b.proto", ["a.proto"]),
    ]


def test_pairs_of_surrogates_in_json_are_characters() -> None:
    location = rb'{"span": [0, 0, 0], "leadingComments": "\ud83d\ude00"}'
    request, findings = read(b'{"file": [{"name": "a.proto", "sourceCodeInfo": {"location": [%s]}}]}' % location)
    assert findings == []
    assert request.proto_file[0].source_code_info.location[0].leading_comments == "\U0001f600"


@pytest.mark.parametrize(
    "data",
    [
        b"syntax = 'proto3';",
        b"\x0a\xff",
        gzip.compress(image("a.proto"), mtime=0)[:-9],
        b"\x1f\x8bxx",
        gzip.compress(b"x", mtime=0),
        b'{"file": [',
        b'{"file": [1]}',
        b'{"file": [{}]}',
        b'{"file": [{"name": "a.proto", "dependency": ["gone.proto"]}]}',
        b'{"file": [{"name": "a.proto", "options": {"[acme.unknown]": 1}}]}',
        b'{"file": [{"name": "a.proto", "bufExtension": []}]}',
        b'{"file": [' * 2000,
        rb'{"file": [{"name": "a.proto", "\ud83d": 1}]}',
        rb'{"file": [{"name": "a.proto", "syntax": "\uDE00\uD83D"}]}',
        b'{"file": [{"name": "a.proto", "syntax": "\xed\xa0\xbd"}]}',
    ],
)
def test_other_bytes_are_rejected(data: bytes) -> None:
    assert read(data) == (
        CodeGeneratorRequest(),
        ["image.binpb: input is not a .proto file, descriptor set or buf image [image-invalid]"],
    )


def test_an_upper_case_extension_has_a_hint() -> None:
    problems = Problems()
    assert read_image(b'syntax = "proto3";\n', "a.PROTO", (), problems) == CodeGeneratorRequest()
    assert [finding.hint for finding in problems.findings] == ["rename it: the extension .proto is lower case"]


def test_an_empty_file_is_not_an_image() -> None:
    problems = Problems()
    assert read_image(b"", "a.binpb", (), problems) == CodeGeneratorRequest()
    assert [(finding.rule, finding.message) for finding in problems.findings] == [
        ("image-invalid", "input is an empty file")
    ]


@pytest.mark.parametrize(
    ("data", "patterns", "expected"),
    [
        (image("google/a.proto"), (), "descriptor set contains no file that is not an import (other files: 1)"),
        (image("a.proto"), ("b*", "c"), "descriptor set contains no file that matches b*, c (other files: 1)"),
    ],
)
def test_an_image_without_targets(data: bytes, patterns: tuple[str, ...], expected: str) -> None:
    assert read(data, *patterns)[1] == [f"image.binpb: {expected} [image-targets]"]


def test_a_file_name_that_is_not_utf_8_is_a_finding() -> None:
    request, findings = read(image("acme/QZ.proto").replace(b"QZ", b"\xff\xfe"))
    assert not request.file_to_generate
    assert findings == [
        "image.binpb: file name b'acme/\\xff\\xfe.proto' in the descriptor set is not UTF-8 [image-invalid]"
    ]
