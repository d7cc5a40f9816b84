"""`changes [PATH...] --old OLD`: the changes since an older API, and whether they need a new version."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from protoc_gen_crd.cli.findings_output import has_errors, print_lines, report_findings
from protoc_gen_crd.cli.flags import add_flags, read_command_settings
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change_findings import make_finding
from protoc_gen_crd.comparison.verdicts import Verdict, find_verdict
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import require_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.report import MAX_ITEMS, Report, build_report
from protoc_gen_crd.findings.severity_policy import is_accepted
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.history.release_store import load_releases
from protoc_gen_crd.kubernetes.versions import parse_minors
from protoc_gen_crd.settings.settings import Settings

_HISTORY = "history"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "changes")


def run(arguments: argparse.Namespace) -> int:
    """Print the changes and the verdict; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = arguments.paths or settings.inputs or settings.documents
    if not inputs:
        raise UsageError('no input: pass a path, or set "inputs" or "documents" in the settings file')
    paths: dict[str, str] = {}
    old_paths: dict[str, str] = {}
    new = require_crds(inputs, settings, paths, problems)
    old = require_crds(_find_old_inputs(settings, problems), settings, old_paths, problems)
    verdict = None if has_errors(problems, settings) else _compare(old, new, settings, problems)
    report = _make_report(problems, settings, SourceFiles(old_paths | paths), verdict)
    print_lines([f"verdict: {verdict.text}"] if verdict else (), settings)
    return report_findings(report, settings)


def _find_old_inputs(settings: Settings, problems: Problems) -> Sequence[str]:
    """Return the paths of the old API: files and folders, or the CRDs of a recorded release."""
    inputs: list[str] = []
    for source in settings.old or (_HISTORY,):
        name, _, release = source.partition(":")
        if name != _HISTORY or Path(source).exists():
            inputs.append(source)
            continue
        releases = [each.name for each in load_releases(Path(settings.history), problems)]
        if release and release not in releases:
            message = f"release {release} is not recorded"
            problems.report("history-release", message, hint=f"recorded releases: {', '.join(releases) or 'none'}")
        elif releases:
            inputs.append(str(Path(settings.history) / (release or releases[-1]) / "crds"))
        else:
            message = f'no releases found in "{settings.history}"'
            problems.report("history-empty", message, hint="record one with `history record`, or pass --old")
    return inputs


def _compare(old: Sequence[Crd], new: Sequence[Crd], settings: Settings, problems: Problems) -> Verdict:
    changes = compare_apis(old, new, parse_minors(settings.kubernetes)[-1])
    findings = [make_finding(change) for change in changes]
    problems.findings += findings
    remaining = [
        change for change, finding in zip(changes, findings, strict=True) if not is_accepted(finding, settings.findings)
    ]
    return find_verdict(remaining, {version.name for crd in (*old, *new) for version in crd.versions})


def _make_report(problems: Problems, settings: Settings, sources: SourceFiles, verdict: Verdict | None) -> Report:
    cap = MAX_ITEMS if settings.format_findings == "text" else sys.maxsize
    report = build_report(problems.findings, settings.findings, sources, cap, command="changes" if verdict else "")
    return report.replace(details={"verdict": verdict.text}) if verdict else report
