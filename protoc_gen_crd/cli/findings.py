"""The findings of a command to where they are read: standard error for people, standard output for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from protoc_gen_crd import __version__
from protoc_gen_crd.base.diagnostics import Problems, Severity
from protoc_gen_crd.base.policy import fails
from protoc_gen_crd.base.render.report import Report
from protoc_gen_crd.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.base.render.junit import Tested

MACHINE = ("json", "sarif", "junit")


def failed(problems: Problems, settings: Settings, *, complete: bool = False) -> bool:
    """Whether there is an error so far, or at the end of a run."""
    return fails(problems.findings, settings.findings, complete=complete)


def tell(lines: Iterable[str], settings: Settings, *, now: bool = False) -> None:
    """Print what was done, `now` for who waits: to standard error where findings are for a program to read."""
    stream = sys.stderr if settings.format_findings in MACHINE else sys.stdout
    for line in lines:
        print(line, file=stream, flush=now)


def end(report: Report, settings: Settings, tested: Iterable[Tested] = ()) -> int:
    """Print what was found; the exit status, 1 where a finding is as severe as --fail-on says."""
    show(report, settings.format_findings, tested)
    return int(reached(report, settings))


def reached(report: Report, settings: Settings) -> bool:
    """Whether a finding is as severe as --fail-on says."""
    return report.reaches(Severity[settings.fail_on.upper()])


def show(report: Report, form: str, tested: Iterable[Tested] = ()) -> None:
    """Print a report as text, json, github, sarif or junit, which lists everything that was tested."""
    if form == "text":
        from protoc_gen_crd.base.render.text import render

        print(render(report, colour=wants_colour()), end="", file=sys.stderr)
        return
    if form == "junit":
        from protoc_gen_crd.base.render.junit import as_junit

        print(as_junit(report, tested), end="")
        return
    from protoc_gen_crd.base.catalogue import rules
    from protoc_gen_crd.base.render.machine import as_github, as_json, as_sarif

    if form == "github":
        print(as_github(report), end="", file=sys.stderr)
    else:
        print(as_json(report) if form == "json" else as_sarif(report, rules(), __version__), end="")


def wants_colour() -> bool:
    """Colours are for terminals whose user has not said NO_COLOR (no-color.org)."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
