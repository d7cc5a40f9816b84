"""A history of Istio's networking API: as many releases as wanted, of which each adds a field to every kind."""

from __future__ import annotations

import shutil
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd import pipeline
from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.versions import following
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit.crds import crd_files
from protoc_gen_crd.history import store
from protoc_gen_crd.history.summary import summarise, write
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.schema.types import Schema
from protoc_gen_crd.settings import Settings
from tests.bench.requests import networking
from tests.conftest import ROOT

FOLDER = ROOT / ".bench" / "history"


def releases(count: int, shared: Path) -> bytes | None:
    """Nothing, once the folder holds so many releases; None without the API."""
    request = networking("", shared)
    if request is None:
        return None
    shutil.rmtree(FOLDER, ignore_errors=True)
    parsed = Request.of(CodeGeneratorRequest.FromString(request), problems := Problems())
    crds = pipeline.crds(parsed, Settings(), problems) if parsed else ()
    name = ""
    for number in range(count):
        name = following(name)
        crds = tuple(_grown(crd, f"since{number}") for crd in crds)
        files = {f"crds/{file.name}": file.text for file in crd_files(crds, Settings(), problems)}
        known = store.load(FOLDER, problems)
        contents = {store.API: write(summarise(crds)), **files}
        store.record(FOLDER, name, "2026-01-31", contents, known[-1] if known else None)
    return b""


def _grown(crd: Crd, field: str) -> Crd:
    versions = (each.replace(schema=_with(each.schema, field)) for each in crd.versions if each.schema)
    return crd.replace(versions=tuple(versions))


def _with(schema: Schema, field: str) -> Schema:
    spec = schema.properties["spec"]
    grown = spec.having({"properties": {**spec.properties, field: Schema({"type": "string"})}})
    return schema.having({"properties": {**schema.properties, "spec": grown}})
