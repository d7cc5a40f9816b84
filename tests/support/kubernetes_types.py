"""Kubernetes' own types as controller-gen writes them, and the same types as our schemas.

`schemas.jsonl` of the judge has controller-gen's answers, `protos.binpb.xz` the messages of the .proto files with the
marker lines of their comments.
"""

from __future__ import annotations

import json
import lzma
from functools import cache
from typing import Any

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation.message_schemas import MessageBuilder
from protoc_gen_crd.generation.run_context import RunContext
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.schema.schema import TYPE, Schema, ValidationRule
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import ROOT

JUDGE = ROOT / "tests" / "judges" / "kubernetes_types"
SCHEMAS = JUDGE / "schemas.jsonl"
PROTOS = JUDGE / "protos.binpb.xz"

Difference = tuple[str, Any, Any]  # path, controller-gen's value, ours


@cache
def read_schemas() -> dict[str, Any]:
    """controller-gen's schemas by the full names of messages."""
    return read_answers(SCHEMAS.read_text())


def read_answers(text: str) -> dict[str, Any]:
    """Return the judge's answers, with the names of messages instead of Go types."""
    rows = [json.loads(line, object_hook=_rename_types) for line in text.splitlines()]
    return {row["type"]: row["schema"] for row in rows}


def _rename_types(values: dict[str, Any]) -> dict[str, Any]:
    for key in ("type", "$type"):
        if isinstance(values.get(key), str) and "/" in values[key]:
            values[key] = values[key].replace("/", ".").replace("-", "_")
    return values


def read_protos() -> FileDescriptorSet:
    """The recorded .proto files."""
    return FileDescriptorSet.FromString(lzma.decompress(PROTOS.read_bytes()))


def read_api(protos: FileDescriptorSet) -> tuple[ApiSet, MessageBuilder]:
    """The messages of .proto files and a builder of their schemas."""
    problems, settings = Problems(), Settings()
    request = Request.from_message(CodeGeneratorRequest(proto_file=protos.file), problems)
    assert request is not None
    api = ApiSet(request, problems)
    context = RunContext(problems, settings.channels)
    return api, MessageBuilder(api, MarkerCollector(api, problems), settings, context)


def format_schema(value: Any, names: Any, *, top: bool = True) -> Any:
    """Our schema in the form of the judge: without the properties of other types and without descriptions."""
    if isinstance(value, ValidationRule):
        return {"message": value.message, "rule": value.rule}
    if isinstance(value, (list, tuple)):
        return [format_schema(item, names, top=False) for item in value]
    if isinstance(value, Schema):
        keywords = {key: format_schema(child, names, top=False) for key, child in value.keywords.items()}
        keywords.pop("description", None)
        named = value.facts.get(TYPE) if value.facts else None
        if not top and named is not None and named.name in names:
            keywords.pop("properties", None)
            keywords["$type"] = named.name
        return keywords
    if isinstance(value, dict):
        return {key: format_schema(child, names, top=False) for key, child in value.items()}
    return value


def find_differences(expected: Any, actual: Any, path: str = "") -> list[Difference]:
    """The keywords that differ; a missing one is None."""
    if expected == actual:
        return []
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return [(path, expected, actual)]
    keys = sorted({*expected, *actual})
    return [
        difference
        for key in keys
        for difference in find_differences(expected.get(key), actual.get(key), f"{path}.{key}".lstrip("."))
    ]
