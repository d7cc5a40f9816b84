"""`validate PATHS`: validate documents and CRDs as the API servers of a range of Kubernetes versions would."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.cli.findings_output import make_report, print_lines, print_status, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.progress_line import ProgressLine
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.crd_loader import load_documents
from protoc_gen_crd.documents.document_files import STDIN
from protoc_gen_crd.documents.foreign_files import limit_skip_notes
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.findings.report_order_and_limits import Report
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.testing.process_pool import validate_files
from protoc_gen_crd.testing.run_summary import FileResult, format_summary
from protoc_gen_crd.testing.validation_run import Session

if TYPE_CHECKING:
    from protoc_gen_crd.documents.api_side import ApiSide
    from protoc_gen_crd.testing.coverage import Coverage


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    help_text = "file or folder of documents and CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=help_text)
    add_flags(parser, "validate")


def run(arguments: argparse.Namespace) -> int:
    """Validate; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    paths = arguments.paths or settings.documents or settings.inputs
    require_inputs(paths, settings, "documents", "inputs")
    if STDIN in settings.old and STDIN in paths:
        raise UsageError("standard input can be read only once: pass - as a PATH or to --old, not both")
    if settings.update and STDIN in paths:
        raise UsageError("--update cannot be used with documents on standard input")
    with _open_old_side(arguments.paths, settings, problems) as old:
        session = Session(settings, paths, problems, old=old)
        if settings.old and old is None:  # verdicts on creation would hide why there are none on updates
            return report_findings(_make_report(session, ()), settings)
        return _validate(session, settings)


def _open_old_side(
    paths: Sequence[str], settings: Settings, problems: Problems
) -> AbstractContextManager[ApiSide | None]:
    """Open the old side; None if there is none, or with findings if it cannot be read."""
    if not settings.old:
        return nullcontext()
    from protoc_gen_crd.cli.old_side import SideInputs, open_old_side

    inputs = SideInputs(paths, options=("documents", "inputs"), test_options=())
    return open_old_side(settings.old, inputs, settings, problems)


def _validate(session: Session, settings: Settings) -> int:
    results, written = _update_files(session, _validate_files(session))
    coverage = session.measure_coverage(results)
    report = _make_report(session, results)
    print_status([f"wrote {file}" for file in written], settings)
    print_lines(_format_coverage(coverage), settings)
    print_status(format_summary(session.definitions, session.minors, settings, results), settings)
    return report_findings(report, settings, [case for result in results for case in result.tested])


def _update_files(session: Session, results: Sequence[FileResult]) -> tuple[Sequence[FileResult], Sequence[str]]:
    """Write the files that --update changes and validate them again; returns all results, and the written files."""
    written = {result.file: result.new_data for result in results if result.new_data is not None}
    if not written:
        return results, ()
    from protoc_gen_crd.cli.output_folder import write_files

    write_files(Path(), written)
    return [session.revalidate_file(result.file) if result.file in written else result for result in results], list(
        written
    )


def _format_coverage(coverage: Coverage | None) -> Iterable[str]:
    return coverage.format_lines() if coverage else ()


def _validate_files(session: Session) -> Sequence[FileResult]:
    progress = ProgressLine(quiet=session.settings.quiet)
    results: list[FileResult] = []
    try:
        progress.show_stage("reading CRDs")
        load_documents(session)
        for result in validate_files(session, session.settings.jobs):
            results.append(result)
            progress.show_stage(f"validated {len(results)} of {len(session.files)} files")
    finally:
        progress.clear()
    session.report_run(results)
    return results


def _make_report(session: Session, results: Sequence[FileResult]) -> Report:
    settings: Settings = session.settings
    findings: list[Finding] = [
        *session.problems.findings,
        *(finding for result in results for finding in result.findings),
    ]
    findings = limit_skip_notes(findings)
    return make_report(findings, settings, session.make_sources(), command="validate")
