"""The networking API of Istio: compat=istio byte for byte, and the errors that default mode reports."""

from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from tests.conftest import ROOT, shared
from tests.support.goldens import compare
from tests.support.plugin import run

GOLDEN = ROOT / "testdata" / "istio"
FOLDERS = ("analysis/", "meta/", "networking/", "type/")


@pytest.fixture(scope="module")
def request_() -> CodeGeneratorRequest:
    image = FileDescriptorSet.FromString(shared("corpora", "istio-networking", "image.binpb").read_bytes())
    targets = [file.name for file in image.file if file.name.startswith(FOLDERS)]
    return CodeGeneratorRequest(file_to_generate=targets, proto_file=image.file)


def test_compat_is_byte_for_byte(request_: CodeGeneratorRequest) -> None:
    expected = shared("corpora", "istio-networking", "expected.yaml").read_text()
    result = run(request_, "compat=istio")
    assert result.pop("kubernetes/customresourcedefinitions.gen.yaml") == expected
    assert list(result) == ["warnings.txt"]


def test_default_mode_names_the_real_mistakes(request_: CodeGeneratorRequest, update: bool) -> None:
    results = {"errors.txt": run(request_)["errors.txt"]}
    assert not (differences := compare(GOLDEN / "mistakes", results, update=update)), "\n".join(differences)


def test_default_mode_differs_in_documented_ways(request_: CodeGeneratorRequest, update: bool) -> None:
    result = run(request_, f"settings={GOLDEN / 'protoc-gen-crd.yaml'}")
    assert len([name for name in result if name.endswith(".yaml")]) == 9
    differences = run(request_, "compat=istio,report=differences")["warnings.txt"]
    changes = compare(GOLDEN / "differences", {"differences.txt": differences}, update=update)
    assert not changes, "\n".join(changes)


def test_settings_file_is_there() -> None:
    assert Path(GOLDEN / "protoc-gen-crd.yaml").is_file()
