"""`corpus PATHS`: the test documents that `validate` finds, written as the seeds of a fuzzer."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, reached
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.cli.folder import write_files
from protoc_gen_crd.testing.cases import Case, read_cases
from protoc_gen_crd.testing.corpus import seeds
from protoc_gen_crd.testing.files import content, find_files


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of test documents in YAML or JSON, - for standard input"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "corpus")


def run(arguments: argparse.Namespace) -> int:
    """Write the files; exit status 1 where a finding is as severe as --fail-on says."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.documents
    if not given:
        raise UsageError('where are the documents? Give a path, or "documents" in the settings file')
    cases = [case for file in find_files(given, problems).documents for case in _cases(file, problems)]
    found = seeds(cases, settings.form)
    if not found and not problems.findings:
        problems.report("document-none", "the paths must hold a document, found none")
    report = conclude(problems.findings, settings.findings, Sources({}))
    if not reached(report, settings):
        write_files(Path(settings.corpus), found)
        print(f"{settings.corpus}: {_counted(len(found), 'file')} of {_counted(len(cases), 'document')}")
    return end(report, settings)


def _cases(file: str, problems: Problems) -> Iterator[Case]:
    """The documents of a file that are no CRDs."""
    return (case for case in read_cases(content(file, problems), file, problems) if not case.is_crd)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
