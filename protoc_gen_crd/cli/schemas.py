"""`schemas PATHS`: a JSON Schema of each kind and version, for editors and validators of manifests."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_delivery, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.output_delivery import deliver_files
from protoc_gen_crd.crd_loader import drop_repeated_kinds, require_crds
from protoc_gen_crd.emit.editor_schemas import make_editor_schemas
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.settings.settings import Settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "schemas")


def run(arguments: argparse.Namespace) -> int:
    """Write the schemas; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.api_inputs
    require_inputs(inputs, settings, "inputs", "documents")
    paths: dict[str, str] = {}
    print_delivery(_write_schemas(inputs, settings, paths, problems), settings)
    return report_findings(make_report(problems.findings, settings, SourceFiles(paths)), settings)


def _write_schemas(
    inputs: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems
) -> Sequence[str]:
    """Write the schemas and return the lines to print."""
    # Options that shorten the descriptions of CRDs do not apply to editors.
    whole = settings.replace(include_description=True, max_description_length=None)
    crds = drop_repeated_kinds(require_crds(inputs, whole, paths, problems), problems)
    if has_errors(problems, settings):
        return ()
    files = make_editor_schemas(crds)
    if not files:
        problems.report("crd-none", f"no served version with a schema found in {', '.join(inputs)}")
        return ()
    return deliver_files(settings.schemas, files, settings, problems, command="schemas")
