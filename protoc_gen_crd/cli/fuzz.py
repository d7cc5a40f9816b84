"""`fuzz PATHS --against VALIDATOR`: search for minimal documents on which it and API servers disagree."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.cli.findings_output import make_report, print_status, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.output_folder import write_files
from protoc_gen_crd.cli.progress_line import ProgressLine
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.fuzz.external_validator import ExternalValidator, ValidatorOptions
from protoc_gen_crd.testing.fuzz.validator_choice import make_validator
from protoc_gen_crd.testing.validation_run import Session

if TYPE_CHECKING:
    from protoc_gen_crd.documents.crd_definitions import CrdDefinition
    from protoc_gen_crd.documents.document_reader import DocumentCase
    from protoc_gen_crd.testing.fuzz.verdict_comparison import VerdictDifference

ENVIRONMENT = 2
_MAX_ERRORS = 3  # errors of a document
_MISSING_HYPOTHESIS = "fuzz needs hypothesis, which is not installed: pip install 'protoc-gen-crd[fuzz]'"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of documents and CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "fuzz")


def run(arguments: argparse.Namespace) -> int:
    """Fuzz; exit status 0 without a disagreement, 1 with one, 2 where the validator gives no answers."""
    settings = read_command_settings(arguments, problems := Problems())
    paths = arguments.paths or settings.documents
    require_inputs(paths, settings, "documents")
    if len(parse_minors(settings.kubernetes)) > 1:
        raise UsageError(
            f'fuzz supports one Kubernetes version, got "{settings.kubernetes}"; pass one with --kubernetes'
        )
    validator = _make_validator(settings)
    session = Session(settings, paths, problems)
    try:
        return _run_campaign(session, validator)
    finally:
        validator.close()


def _make_validator(settings: Settings) -> ExternalValidator:
    if not settings.against:
        raise UsageError("no external validator: pass --against with a command or an address")
    try:
        return make_validator(settings.against, ValidatorOptions(settings.timeout, settings.ca_file, settings.insecure))
    except ValueError as error:
        raise UsageError(f'invalid value "{settings.against}" for --against: {error}') from None


def _run_campaign(session: Session, validator: ExternalValidator) -> int:
    try:
        from protoc_gen_crd.testing.fuzz.campaign import Campaign, CampaignLimits
    except ModuleNotFoundError as error:
        if error.name != "hypothesis":
            raise
        raise UsageError(_MISSING_HYPOTHESIS) from None
    settings, progress = session.settings, ProgressLine(quiet=session.settings.quiet)
    try:
        progress.show_stage("reading CRDs")
        load_documents(session)
        if not len(session.definitions):
            session.problems.report("crd-none", "no CRDs found")
        limits = CampaignLimits(settings.count, settings.time, settings.seed)
        finds = Campaign(session, validator, limits, progress.show_stage).run()
    finally:
        progress.clear()
    differences = [
        *_write_differences(session, finds.differences),
        *_report_case_differences(session, finds.case_differences),
    ]
    report = make_report(session.problems.findings, settings, session.make_sources())
    documents = f"{finds.validated_count:,} document{'s' * (finds.validated_count != 1)}"
    counts = f"{documents} validated, {_format_count(differences)} (Kubernetes 1.{session.minors[-1]})"
    print_status([counts], settings)
    status = report_findings(report, settings)
    if finds.failed and not differences:
        return ENVIRONMENT
    return int(bool(differences)) or status


def _format_count(names: Sequence[str]) -> str:
    return f"{len(names) or 'no'} disagreement{'s' * (len(names) != 1)}"


def _write_differences(session: Session, differences: Sequence[tuple[CrdDefinition, VerdictDifference]]) -> list[str]:
    """Write and report generated documents; returns their files."""
    from protoc_gen_crd.testing.fuzz.difference_files import format_document, make_file_name

    folder = session.settings.disagreements
    files = {
        make_file_name(document): (document, format_document(document, definition))
        for definition, document in differences
    }
    write_files(Path(folder), {name: text.encode() for name, (_, text) in sorted(files.items())})
    for name, (difference, _) in sorted(files.items()):
        at = Location(str(Path(folder, name)), 1, 1)
        session.problems.report("fuzz-disagreement", _format_message(difference), at)
    return sorted(files)


def _report_case_differences(session: Session, cases: Sequence[tuple[DocumentCase, VerdictDifference]]) -> list[str]:
    """Report documents of the user; returns their names."""
    for case, difference in cases:
        session.problems.report("fuzz-disagreement", _format_message(difference), case.at, path=case.name)
    return [case.name for case, _ in cases]


def _format_message(difference: VerdictDifference) -> str:
    errors = "; ".join(error.message for error in difference.verdict.causes[:_MAX_ERRORS])
    if errors:
        return f"external validator accepts a document that API servers reject: {errors}"
    reason = difference.external_verdict.message or "no reason given"
    return f"external validator rejects a document that API servers accept: {reason}"
