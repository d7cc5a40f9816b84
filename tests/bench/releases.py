"""A history of Istio's networking API: as many releases as wanted, of which each adds a field to every kind."""

from __future__ import annotations

import shutil
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd import pipeline
from protoc_gen_crd.comparison.api_summary import format_summary, summarize_api
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.crd_files import make_crd_files
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history import release_store
from protoc_gen_crd.kubernetes.version_ranges import get_next_release
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings
from tests.bench.requests import networking
from tests.conftest import ROOT

FOLDER = ROOT / ".bench" / "history"


def releases(count: int, shared: Path) -> bytes | None:
    """Nothing, once the folder holds so many releases; None without the API."""
    request = networking("", shared)
    if request is None:
        return None
    shutil.rmtree(FOLDER, ignore_errors=True)
    parsed = Request.from_message(CodeGeneratorRequest.FromString(request), problems := Problems())
    crds = pipeline.build_crds(parsed, Settings(), problems) if parsed else ()
    name = ""
    for number in range(count):
        name = get_next_release(name)
        crds = tuple(_grown(crd, f"since{number}") for crd in crds)
        files = {f"crds/{file.name}": file.text for file in make_crd_files(crds, Settings(), problems)}
        known = release_store.load_releases(FOLDER, problems)
        contents = {release_store.API: format_summary(summarize_api(crds)), **files}
        release_store.record_release(FOLDER, name, "2026-01-31", contents, known[-1] if known else None)
    return b""


def _grown(crd: Crd, field: str) -> Crd:
    versions = (each.replace(schema=_with(each.schema, field)) for each in crd.versions if each.schema)
    return crd.replace(versions=tuple(versions))


def _with(schema: Schema, field: str) -> Schema:
    spec = schema.properties["spec"]
    grown = spec.with_keywords({"properties": {**spec.properties, field: Schema({"type": "string"})}})
    return schema.with_keywords({"properties": {**schema.properties, "spec": grown}})
