"""`lint [PATH...]`: the elements of an API that violate conventions; with --old, only new and changed ones."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from protoc_gen_crd.cli.findings_output import make_report, print_status, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.lint.linter import LintApi, Linter
from protoc_gen_crd.lint_loader import LintBuilder, load_lint_api
from protoc_gen_crd.settings.settings import Settings

_PROTOS_HINT = "once a commit contains the .proto files, compare with it: --old git:REF"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "lint")


def run(arguments: argparse.Namespace) -> int:
    """Print the findings; exit status 1 if one is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs: Sequence[str] = arguments.paths or (*settings.inputs, *settings.documents)
    require_inputs(inputs, settings, "inputs", "documents")
    paths: dict[str, str] = {}
    api = load_lint_api(inputs, settings, paths, problems)
    linter = Linter(ProfileChoice({"": settings.profile, **settings.profiles}), settings.findings)
    if not settings.old:
        problems.findings += linter.lint(api)
        return _report(problems, settings, SourceFiles(paths), api)
    return _report_new(arguments.paths, settings, paths, problems, api, linter)


def _report_new(
    inputs: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems, api: LintApi, linter: Linter
) -> int:
    """Report the findings of elements that the old API does not have, or that have changed."""
    from protoc_gen_crd.cli.old_side import SideInputs, open_old_side, report_empty_side

    builder = LintBuilder()
    with open_old_side(
        settings.old, SideInputs(inputs, may_be_empty=True, build=builder.build), settings, problems
    ) as old:
        if old is None:
            return _report(problems, settings, SourceFiles(paths), api)
        if not old.crds and not builder.protos:
            report_empty_side(old, "CRDs or .proto files", problems)
        old_api = LintApi(tuple(builder.protos), old.crds, old.protos)
        if api.protos and not old_api.has_protos:
            message = f"--old {old.label} has no protos, so the rules about protos are not applied"
            problems.report("old-protos", message, hint=_PROTOS_HINT)
        problems.findings += linter.lint(api, old_api)
        sources = SourceFiles(paths, old.contents, old.copies)
        return _report(problems, settings, sources, api, old.label)


def _report(problems: Problems, settings: Settings, sources: SourceFiles, api: LintApi, baseline: str = "") -> int:
    # With an old side, a suppression can be for an element that has not changed.
    report = make_report(problems.findings, settings, sources, command="" if baseline else "lint")
    if not report.items:
        print_status([f"no {'new ' if baseline else ''}findings in {_format_counts(api)}"], settings)
    return report_findings(report.replace(baseline=baseline), settings)


def _format_counts(api: LintApi) -> str:
    counts = {"CRD": len(api.crds), ".proto file": sum(len([*protos.list_targets()]) for protos, _ in api.protos)}
    return " and ".join(f"{count:,} {noun}{'s' * (count != 1)}" for noun, count in counts.items() if count)
