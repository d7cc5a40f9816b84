"""Output of findings: to standard error for people, to standard output for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd import __version__
from protoc_gen_crd.base.escapes import terminal_line
from protoc_gen_crd.cli.terminal import is_color_enabled
from protoc_gen_crd.findings.finding import Finding, Location, Problems, Severity
from protoc_gen_crd.findings.report_order_and_limits import MAX_ITEMS, Report, build_report
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.findings.renderers.junit import TestedDocument

MACHINE_FORMATS = ("json", "gitlab", "junit", "markdown", "sarif")  # on standard output
# The variables of CI with the folder of the repository, to which the paths of these formats are relative.
_REPOSITORY_FOLDERS = {"github": "GITHUB_WORKSPACE", "gitlab": "CI_PROJECT_DIR", "sarif": "GITHUB_WORKSPACE"}
_COMPLETE_FORMATS = ("json", "gitlab", "junit", "sarif")  # without a limit on the number of findings


def has_errors(problems: Problems, settings: Settings, *, complete: bool = False) -> bool:
    """Return whether there is an error; `complete` at the end of a run."""
    return has_error(problems.findings, settings.findings, complete=complete)


def make_report(
    findings: Sequence[Finding],
    settings: Settings,
    sources: SourceFiles,
    *,
    packages: Collection[str] | None = None,
    command: str = "",
) -> Report:
    """Return the report of a run; see `build_report`. Formats for programs contain all findings."""
    cap = sys.maxsize if settings.format_findings in _COMPLETE_FORMATS else MAX_ITEMS
    return build_report(findings, settings.findings, sources, cap, packages, command)


def print_lines(lines: Iterable[str], settings: Settings, *, now: bool = False) -> None:
    """Print result lines, flushed with `now`: to standard error if the findings are machine-readable."""
    stream = sys.stderr if settings.format_findings in MACHINE_FORMATS else sys.stdout
    for line in lines:
        print(terminal_line(line), file=stream, flush=now)


def print_status(lines: Iterable[str], settings: Settings, *, now: bool = False) -> None:
    """Print lines about the run itself, such as written files and counts; nothing with --quiet.

    A generator of lines does its work in any case.
    """
    if settings.quiet:
        lines = [*lines][:0]
    print_lines(lines, settings, now=now)


def print_delivery(lines: Iterable[str], settings: Settings) -> None:
    """Print what a delivery did, or the diff of --check."""
    (print_lines if settings.check else print_status)(lines, settings)


def report_findings(report: Report, settings: Settings, tested: Iterable[TestedDocument] = ()) -> int:
    """Print a report and return the exit status: 1 if a finding is as severe as --fail-on."""
    print_report(report, settings, tested)
    return int(is_failing(report, settings))


def is_failing(report: Report, settings: Settings) -> bool:
    """Return whether a finding is as severe as --fail-on."""
    return report.has_severity(Severity[settings.fail_on.upper()])


def print_report(report: Report, settings: Settings, tested: Iterable[TestedDocument] = ()) -> None:
    """Print a report in the format of --format-findings. Only junit lists the tested documents."""
    form = settings.format_findings
    stream = sys.stdout if form in MACHINE_FORMATS else sys.stderr
    if form == "text":
        from protoc_gen_crd.findings.renderers.text import render

        print(render(report, color=is_color_enabled(settings.color)), end="", file=stream)
    elif form == "junit":
        from protoc_gen_crd.findings.renderers.junit import render_junit

        print(render_junit(report, tested), end="", file=stream)
    elif form == "markdown":
        from protoc_gen_crd.findings.renderers.markdown import render_markdown

        print(render_markdown(report), end="", file=stream)
    else:
        print(_render_for_programs(report, form), end="", file=stream)


def _make_paths_relative(report: Report, folder: str) -> Report:
    """Return a report whose paths are relative to the folder of the repository, if the current folder is below it."""
    below = Path(os.path.relpath(os.path.realpath("."), os.path.realpath(folder or ".")))
    if not below.parts or below.parts[0] == "..":
        return report

    def move(at: Location | None) -> Location | None:
        return at.replace(file=os.path.normpath(below / at.file)) if at and at.file else at

    items = tuple(item.replace(at=move(item.at), related=move(item.related)) for item in report.items)
    return report.replace(items=items)


def _render_for_programs(report: Report, form: str) -> str:
    from protoc_gen_crd.findings.renderers import github, gitlab, json_report, sarif

    report = _make_paths_relative(report, os.environ.get(_REPOSITORY_FOLDERS.get(form, ""), ""))
    if form == "sarif":
        from protoc_gen_crd.findings.rule_catalog import load_rules

        return sarif.render_sarif(report, load_rules(), __version__)
    render = {
        "github": github.render_github,
        "gitlab": gitlab.render_gitlab,
        "json": json_report.render_json,
    }
    return render[form](report)
