"""`manifests PATHS`: what a cluster needs to run the webhook that converts and judges the objects of these kinds."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Problems, Severity
from protoc_gen_crd.base.policy import fails
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.cli.delivery import bring
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import MACHINE, show
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.crds import crds_of, with_rules


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "manifests")


def run(arguments: argparse.Namespace) -> int:
    """Write the manifests; exit status 1 where a finding is as severe as --fail-on says."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.inputs
    if not given:
        raise UsageError('of which kinds is there a webhook? Give a path, or "inputs" in the settings file')
    if not settings.webhook_service:
        raise UsageError("which service is the webhook? Give --webhook-service NAMESPACE/NAME")
    paths: dict[str, str] = {}
    lines = _lines(given, settings, paths, problems)
    for line in lines:
        print(line, file=sys.stderr if settings.format_findings in MACHINE else sys.stdout)
    report = conclude(problems.findings, settings.findings, Sources(paths))
    show(report, settings.format_findings)
    return int(report.reaches(Severity[settings.fail_on.upper()]))


def _lines(given: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> Sequence[str]:
    """Make and write; the lines to print."""
    from protoc_gen_crd.emit.manifests.files import manifest_files

    made = tuple(crds_of(given, settings, paths, problems, problems))
    crds = with_rules(given, made, settings, problems)
    if not crds and not problems.findings:
        problems.report("crd-none", "the paths must hold a CRD, found none")
    if fails(problems.findings, settings.findings, complete=False):
        return ()
    files = manifest_files(crds, settings, problems)
    return bring(settings.manifests, files, settings, problems) if not _failed(settings, problems) else ()


def _failed(settings: Settings, problems: Problems) -> bool:
    return fails(problems.findings, settings.findings, complete=False)
