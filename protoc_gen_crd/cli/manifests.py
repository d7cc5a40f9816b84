"""`manifests PATHS`: manifests that run the conversion and admission webhook in a cluster."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_delivery, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.output_delivery import deliver_files
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.conversion.rule_files.rule_file_search import add_webhook
from protoc_gen_crd.crd_loader import require_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.settings.settings import Settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    help_text = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=help_text)
    add_flags(parser, "manifests")


def run(arguments: argparse.Namespace) -> int:
    """Write the manifests; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.inputs
    require_inputs(inputs, settings, "inputs")
    if not settings.webhook_service:
        raise UsageError("no webhook service: pass --webhook-service NAMESPACE/NAME")
    paths: dict[str, str] = {}
    lines = _write_manifests(inputs, settings, paths, problems)
    print_delivery(lines, settings)
    return report_findings(make_report(problems.findings, settings, SourceFiles(paths)), settings)


def _write_manifests(
    inputs: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems
) -> Sequence[str]:
    """Write the manifests and return the lines to print."""
    from protoc_gen_crd.emit.manifests.manifest_files import make_manifest_files

    crds = add_webhook(inputs, require_crds(inputs, settings, paths, problems), settings, problems)
    if has_errors(problems, settings):
        return ()
    files = make_manifest_files(crds, settings, problems)
    if has_errors(problems, settings):
        return ()
    return deliver_files(settings.manifests, files, settings, problems, command="manifests")
