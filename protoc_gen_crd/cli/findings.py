"""The findings of a command to where they are read: standard error for people, standard output for programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from protoc_gen_crd import __version__
from protoc_gen_crd.base.render.report import Report

if TYPE_CHECKING:
    from protoc_gen_crd.base.render.junit import Tested

MACHINE = ("json", "sarif", "junit")


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
