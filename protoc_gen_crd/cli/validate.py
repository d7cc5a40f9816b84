"""`validate PATHS`: documents and CRDs, put to the servers of a range of Kubernetes versions, as tests of an API."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.diagnostics import Finding, Problems
from protoc_gen_crd.base.render.report import CAP, Report, conclude
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, tell
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.cli.folder import write_files
from protoc_gen_crd.cli.progress import Progress
from protoc_gen_crd.settings import Settings
from protoc_gen_crd.testing.pool import judge_all
from protoc_gen_crd.testing.session import Result, Session, summary

if TYPE_CHECKING:
    from protoc_gen_crd.testing.coverage import Coverage

BARE = {"--coverage": "0"}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    text = "file or folder of documents and CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=text)
    add_flags(parser, "validate")


def run(arguments: argparse.Namespace) -> int:
    """Judge; exit status 1 where a finding is as severe as --fail-on says."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.paths or settings.documents
    if not given:
        raise UsageError('what is to be judged? Give a path, or "documents" in the settings file')
    if "-" in settings.old and "-" in given:
        raise UsageError("standard input can be read once: give - as a PATH or to --old")
    session = Session(settings, given, problems)
    results, written = _written(session, _judged(session))
    coverage = session.coverage(results)
    report = _report(session, results)
    tell((*(f"wrote {file}" for file in written), *_table(coverage), summary(session, results)), settings)
    return end(report, settings, [each for result in results for each in result.tested])


def _written(session: Session, results: Sequence[Result]) -> tuple[Sequence[Result], Sequence[str]]:
    """Write the files that --update changes, and judge them again as they are then; all results, and their names."""
    written = {result.file: result.text for result in results if result.text is not None}
    write_files(Path(), written)
    return [session.judge_again(result.file) if result.file in written else result for result in results], list(written)


def _table(coverage: Coverage | None) -> Iterable[str]:
    return coverage.lines() if coverage else ()


def _judged(session: Session) -> Sequence[Result]:
    progress = Progress()
    results: list[Result] = []
    try:
        progress.stage("reading CRDs")
        session.load()
        for result in judge_all(session, session.settings.jobs):
            results.append(result)
            progress.stage(f"judged {len(results)} of {len(session.files)} files")
    finally:
        progress.done()
    session.close(results)
    return results


def _report(session: Session, results: Sequence[Result]) -> Report:
    settings: Settings = session.settings
    findings: list[Finding] = [*session.problems.findings, *(each for result in results for each in result.findings)]
    cap = sys.maxsize if settings.format_findings == "junit" else CAP
    return conclude(findings, settings.findings, session.sources(), cap)
