"""`cost PATHS`: estimated cost of CEL rules, with bounds that bring it under the limit of API servers."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from protoc_gen_crd.admission.crd.rules.cost_report import SchemaCostReport, report_costs
from protoc_gen_crd.admission.crd.rules.rule_estimates import RuleEstimator
from protoc_gen_crd.cli.cost_output import render_json, render_text
from protoc_gen_crd.cli.findings_output import make_report, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import load_crds
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, parse_minors
from protoc_gen_crd.settings.settings import Settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "cost")


def run(arguments: argparse.Namespace) -> int:
    """Print the costs; exit status 1 if a rule is rejected or a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.api_inputs
    require_inputs(inputs, settings, "inputs", "documents")
    paths: dict[str, str] = {}
    minors = parse_minors(settings.kubernetes) if settings.kubernetes else range(OLDEST, NEWEST + 1)
    estimator = RuleEstimator()
    reports: list[SchemaCostReport] = []
    for crd in _load_crds(inputs, settings, paths, problems):
        reports += report_costs(crd, minors, estimator)
    print(render_json(reports) if settings.json else render_text(reports), end="")
    status = report_findings(make_report(problems.findings, settings, SourceFiles(paths)), settings)
    return int(bool(status) or any(report.rejected for report in reports))


def _load_crds(inputs: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> Iterator[Crd]:
    generator_problems = Problems()
    yield from load_crds(inputs, settings, paths, problems, generator_problems)
    problems.findings += [finding for finding in generator_problems.findings if not _is_cost_finding(finding)]


def _is_cost_finding(finding: Finding) -> bool:
    """Return whether a finding reports a cost that the table shows."""
    return finding.rule == "crd-rejected" and "estimated" in finding.message and "cost" in finding.message
