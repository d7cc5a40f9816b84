"""`cost PATHS`: what the CEL rules of CRDs cost by the estimate of API servers, and which bounds make dear ones fit."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from protoc_gen_crd.admission.crd.estimates import Estimator
from protoc_gen_crd.admission.crd.spending import Spending, spending
from protoc_gen_crd.base.diagnostics import Finding, Problems
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.base.versions import NEWEST, OLDEST, minors_of
from protoc_gen_crd.cli.costs import as_json, as_text
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.crds import crds_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "cost")


def run(arguments: argparse.Namespace) -> int:
    """Print the costs; exit status 1 where a server refuses a rule or there is a finding of the severity asked for."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.documents or settings.inputs
    if not given:
        raise UsageError('what is to be estimated? Give a path, or "documents" or "inputs" in the settings file')
    paths: dict[str, str] = {}
    minors = minors_of(settings.kubernetes) if settings.kubernetes else range(OLDEST, NEWEST + 1)
    estimator = Estimator()
    found: list[Spending] = []
    for crd in _crds(given, settings, paths, problems):
        found += spending(crd, minors, estimator)
    print(as_json(found) if settings.json else as_text(found), end="")
    status = end(conclude(problems.findings, settings.findings, Sources(paths)), settings)
    return int(bool(status) or any(each.refused for each in found))


def _crds(given: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> Iterator[Crd]:
    said = Problems()
    yield from crds_of(given, settings, paths, problems, said)
    problems.findings += [finding for finding in said.findings if not _of_cost(finding)]


def _of_cost(finding: Finding) -> bool:
    """Whether a finding says what the table shows."""
    return finding.rule == "crd-refused" and "estimated" in finding.message and "cost" in finding.message
