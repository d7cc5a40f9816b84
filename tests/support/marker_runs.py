"""Runs of marker cases: the CRDs of each, its rendered findings, and the schemas of its spellings."""

from __future__ import annotations

import atexit
import contextlib
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd import pipeline
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.renderers.text import render
from protoc_gen_crd.findings.report_order_and_limits import Report, ReportItem, build_report
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.settings.settings import OverrideEntry, Settings
from tests.support.compile import compile_texts, request_for
from tests.support.marker_cases import Case, all_cases
from tests.support.marker_protos import protos

Plain = dict[str, Any]


class Outcome:
    """The result of a case: the CRDs of each file in plain data, by plural, and the report."""

    def __init__(self, case: Case, request: CodeGeneratorRequest, folder: Path) -> None:
        self.case = case
        self.crds: dict[str, dict[str, Plain]] = {}
        self.reports: list[Report] = []
        self.folder = folder
        for name in protos(case):
            self._run(name, request)

    def _run(self, name: str, request: CodeGeneratorRequest) -> None:
        problems = Problems()
        crds = pipeline.build_crds(
            request_for(request, file_name(self.case, name)), Settings(kubernetes="1.37"), problems
        )
        self.crds[name] = {f"{crd.names.plural}.{crd.group}": encode(crd) for crd in crds}
        with contextlib.chdir(self.folder):
            self.reports.append(build_report(problems.findings, (), SourceFiles()))

    @property
    def items(self) -> Iterator[ReportItem]:
        """All findings."""
        return (item for report in self.reports for item in report.items)

    @property
    def text(self) -> str:
        """All findings as a user reads them."""
        return "".join(render(report) for report in self.reports)

    def schemas(self) -> Mapping[str, Plain]:
        """The schemas of a case's spellings by name, `plain` without markers."""
        (crd,) = self.crds["api.proto"].values()
        properties: Mapping[str, Plain] = view(crd)["schema"]["properties"]
        return properties


def view(crd: Plain) -> Plain:
    """Return a CRD with short keys: `schema` is that of the spec, `root` that of the object, of the first version."""
    root = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    return {**crd, "root": root, "schema": root["properties"].get("spec", {})}


def at(plain: Any, path: str) -> Any:
    """Return the value at a path such as `spec.versions.0.name`; None if there is no value."""
    for step in path.split("."):
        if isinstance(plain, list):
            plain = plain[int(step)] if int(step) < len(plain) else None
        else:
            plain = plain.get(step) if isinstance(plain, dict) else None
    return plain


def file_name(case: Case, name: str) -> str:
    """Return the name of the file of a case in findings."""
    return f"{case.id}.proto" if name == "api.proto" else f"{case.id}.{name}"


@cache
def _compiled() -> tuple[tempfile.TemporaryDirectory[str], CodeGeneratorRequest]:
    """All cases compiled at once."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    texts = {file_name(case, name): text for case in all_cases().values() for name, text in protos(case).items()}
    return folder, compile_texts(texts, Path(folder.name))


def overridden_schemas(case: Case, overrides: Mapping[str, OverrideEntry]) -> Mapping[str, Plain]:
    """The schemas of a case on schemas under overrides, `plain` without other markers."""
    name = file_name(case, "api.proto")
    crds = pipeline.build_crds(request_for(_compiled()[1], name), Settings(overrides=overrides), Problems())
    (crd,) = map(encode, crds)
    properties: Mapping[str, Plain] = view(crd)["schema"]["properties"]
    return properties


def outcome(case: Case) -> Outcome:
    """Return the result of one case."""
    return _outcome(case.id)


@cache
def _outcome(name: str) -> Outcome:
    folder, request = _compiled()
    return Outcome(all_cases()[name], request, Path(folder.name))
