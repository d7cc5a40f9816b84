"""The findings of a command to where they are read: standard error for people, standard output for programs."""

from __future__ import annotations

import os
import sys

from protoc_gen_crd import __version__
from protoc_gen_crd.base.render.report import Report

MACHINE = ("json", "sarif")


def show(report: Report, form: str) -> None:
    """Print a report as text, json, github or sarif."""
    if form == "text":
        from protoc_gen_crd.base.render.text import render

        print(render(report, colour=wants_colour()), end="", file=sys.stderr)
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
