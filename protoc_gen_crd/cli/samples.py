"""`samples PATHS`: valid minimal and full samples of each kind and version."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_delivery, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.output_delivery import deliver_files
from protoc_gen_crd.cli.progress_line import ProgressLine
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.group_loader import load_groups
from protoc_gen_crd.groups.rpc_samples import make_group_samples
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.handwritten_samples import find_generated_files
from protoc_gen_crd.testing.kind_samples import collect_samples
from protoc_gen_crd.testing.validation_run import Session

if TYPE_CHECKING:
    from protoc_gen_crd.proto.request import Request


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    help_text = "file or folder of CRDs in YAML or JSON, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=help_text)
    add_flags(parser, "samples")


def run(arguments: argparse.Namespace) -> int:
    """Write the samples; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.api_inputs
    require_inputs(inputs, settings, "inputs", "documents")
    # A sample has only the fields of the channel, even if the CRD has more.
    session = Session(settings.replace(channel_fields="omit"), inputs, problems, settings.output_folders)
    progress = ProgressLine(quiet=settings.quiet)
    try:
        progress.show_stage(f"generating samples of {', '.join(inputs)}")
        lines = _write_samples(session, settings, problems)
    finally:
        progress.clear()
    print_delivery(lines, settings)
    command = "" if has_errors(problems, settings) else "samples"  # with errors, not all samples are generated
    sources = session.make_sources()
    return report_findings(make_report(problems.findings, settings, sources, command=command), settings)


def _write_samples(session: Session, settings: Settings, problems: Problems) -> Sequence[str]:
    """Write the samples and return the lines to print. A sample that cannot be generated does not affect others."""
    requests: list[Request] = []
    load_documents(session, requests)
    session.report_unreadable()
    groups = load_groups(requests, settings, problems)
    if not groups.plans or len(session.definitions):
        session.report_run(())
    if not len(session.definitions) and not groups.plans and not problems.findings:
        problems.report("crd-none", "no CRDs found")
    if has_errors(problems, settings):
        return ()
    shown = collect_samples(session.definitions, settings, problems, session.make_sources())
    files = [OutputFile(sample.file, (sample.text,)) for sample in shown if not sample.is_handwritten]
    for plan in groups.plans:
        files += [OutputFile(file.name, (file.text,), is_written_once=True) for file in make_group_samples(plan)]
    by_hand = [sample.file for sample in shown if sample.is_handwritten]
    generated = find_generated_files(Path(settings.samples))
    return deliver_files(settings.samples, files, settings, problems, by_hand, generated, "samples")
