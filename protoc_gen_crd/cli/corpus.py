"""`corpus PATHS`: write test documents as seeds for a fuzzer."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from protoc_gen_crd.cli.findings_output import is_failing, make_report, print_status, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.output_folder import write_files
from protoc_gen_crd.documents.document_files import find_files, read_content
from protoc_gen_crd.documents.document_reader import DocumentCase, read_cases
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.testing.seed_corpus import build_seeds


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of test documents in YAML or JSON, - for standard input"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "corpus")


def run(arguments: argparse.Namespace) -> int:
    """Write the files; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    paths = arguments.paths or settings.documents
    require_inputs(paths, settings, "documents")
    cases = [case for file in find_files(paths, problems).documents for case in _read_cases(file, problems)]
    seeds = build_seeds(cases, settings.form)
    if not seeds and not problems.findings:
        problems.report("document-none", "no documents found")
    report = make_report(problems.findings, settings, SourceFiles({}))
    if not is_failing(report, settings):
        write_files(Path(settings.corpus), seeds)
        counts = f"{_format_count(len(seeds), 'file')} from {_format_count(len(cases), 'document')}"
        print_status([f"{settings.corpus}: {counts}"], settings)
    return report_findings(report, settings)


def _read_cases(file: str, problems: Problems) -> Iterator[DocumentCase]:
    """Yield the documents of a file, without CRDs."""
    return (case for case in read_cases(read_content(file, problems), file, problems) if not case.is_crd)


def _format_count(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
