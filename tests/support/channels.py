"""Istio's networking API with lines of testdata/channels/corpus.yaml added to its comments, and its generated CRDs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FileDescriptorProto, FileDescriptorSet

from tests.conftest import ROOT, shared
from tests.support.plugin import run
from tests.support.yaml_data import load_yaml, load_yaml_stream

ROWS: list[dict[str, Any]] = load_yaml((ROOT / "testdata" / "channels" / "corpus.yaml").read_text())
_TARGETS = ("analysis/", "meta/", "networking/", "type/")
_SETTINGS = ROOT / "testdata" / "istio" / "protoc-gen-crd.yaml"

Place = tuple[str, tuple[int, ...]]


@cache
def generated(parameter: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]], str]:
    """The CRDs and the policies of the marked API, and the warnings."""
    image = FileDescriptorSet.FromString((shared("corpora", "istio-networking") / "image.binpb").read_bytes())
    for file in image.file:
        _mark(file)
    targets = [file.name for file in image.file if file.name.startswith(_TARGETS)]
    request = CodeGeneratorRequest(file_to_generate=targets, proto_file=image.file)
    files = run(request, f"settings={_SETTINGS},channel=stable,{parameter}", folder=Path.cwd())
    warnings = files.pop("warnings.txt", "")
    assert "errors.txt" not in files, files["errors.txt"]
    documents = [document for text in files.values() for document in load_yaml_stream(text)]
    crds = [document for document in documents if document["kind"] == "CustomResourceDefinition"]
    return crds, [document for document in documents if document not in crds], warnings


def _mark(file: FileDescriptorProto) -> None:
    lines = {row["mark"]: row["line"] for row in ROWS if row["line"]}
    places = {path: name for name, path in _elements(file)}
    for location in file.source_code_info.location:
        line = lines.get(places.get(tuple(location.path), ""))
        if line:
            location.leading_comments += f"\n {line}\n"


def _elements(file: FileDescriptorProto) -> Iterator[Place]:
    """The full names of messages, fields and enum values with their paths in the descriptor."""
    yield from _messages(file.message_type, file.package, (4,))
    yield from _enums(file.enum_type, file.package, (5,))


def _messages(messages: Iterable[DescriptorProto], scope: str, path: tuple[int, ...]) -> Iterator[Place]:
    for index, message in enumerate(messages):
        name, at = f"{scope}.{message.name}", (*path, index)
        yield name, at
        yield from ((f"{name}.{field.name}", (*at, 2, number)) for number, field in enumerate(message.field))
        yield from _messages(message.nested_type, name, (*at, 3))
        yield from _enums(message.enum_type, name, (*at, 4))


def _enums(enums: Iterable[EnumDescriptorProto], scope: str, path: tuple[int, ...]) -> Iterator[Place]:
    for index, enum in enumerate(enums):
        for number, value in enumerate(enum.value):
            yield f"{scope}.{enum.name}.{value.name}", (*path, index, 2, number)
