"""`changes [PATH...] --old OLD`: the changes since an older API, and whether they need a new version."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_lines, print_status, report_findings
from protoc_gen_crd.cli.flags import add_flags, read_command_settings
from protoc_gen_crd.cli.old_side import SideInputs, find_default_references, open_old_side
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change_findings import make_findings
from protoc_gen_crd.comparison.verdicts import Verdict, find_verdict
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import require_crds
from protoc_gen_crd.documents.api_side import drop_repeated
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.report import Report
from protoc_gen_crd.findings.severity_policy import is_accepted
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.versions import parse_minors
from protoc_gen_crd.settings.settings import Settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "changes")


def run(arguments: argparse.Namespace) -> int:
    """Print the changes and the verdict; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = _find_inputs(arguments, settings)
    if not inputs:
        raise UsageError('no input: pass a path, or set "inputs" or "documents" in the settings file')
    paths: dict[str, str] = {}
    new = drop_repeated(require_crds(inputs, settings, paths, problems), {}, "the new API", problems)
    references = settings.old or find_default_references(settings, problems)
    with open_old_side(references, _describe_old_inputs(arguments, settings, new), settings, problems) as old:
        sources = SourceFiles(paths, old.contents, old.copies) if old else SourceFiles(paths)
        if old is None or not references or has_errors(problems, settings):
            return report_findings(_make_report(problems, settings, sources, None, ""), settings)
        verdict = _compare(old.crds, new, settings, problems)
        print_status(() if settings.old else [f"compared with {old.label}"], settings)
        print_lines([f"verdict: {verdict.text}"], settings)
        return report_findings(_make_report(problems, settings, sources, verdict, old.label), settings)


def _find_inputs(arguments: argparse.Namespace, settings: Settings) -> Sequence[str]:
    """Return the paths of the new API."""
    if settings.artifacts:
        return (settings.out,)
    paths: Sequence[str] = arguments.paths
    return paths or settings.inputs or settings.documents


def _describe_old_inputs(arguments: argparse.Namespace, settings: Settings, new: Sequence[Crd]) -> SideInputs:
    paths, options = ((), ("out",)) if settings.artifacts else (arguments.paths, ("inputs", "documents"))
    return SideInputs(paths, options, groups={crd.group for crd in new}, requires_crds=True)


def _compare(old: Sequence[Crd], new: Sequence[Crd], settings: Settings, problems: Problems) -> Verdict:
    changes = judge_changes(old, new, parse_minors(settings.kubernetes))
    findings = list(make_findings(changes, settings.findings))
    problems.findings += (finding for _, finding in findings)
    remaining = [change for change, finding in findings if not is_accepted(finding, settings.findings)]
    return find_verdict(remaining, {version.name for crd in (*old, *new) for version in crd.versions})


def _make_report(
    problems: Problems, settings: Settings, sources: SourceFiles, verdict: Verdict | None, old: str
) -> Report:
    report = make_report(problems.findings, settings, sources, command="changes" if verdict else "")
    return report.replace(details={"verdict": verdict.text, "old": old}, baseline=old) if verdict else report
