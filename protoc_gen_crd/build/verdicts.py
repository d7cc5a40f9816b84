"""What API servers say of the Crds that were made, as findings at the markers that caused it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from protoc_gen_crd.admission.crd.survey import Survey
from protoc_gen_crd.admission.server import Server, Verdict
from protoc_gen_crd.admission.switches import NEWEST
from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.crd.types import Crd

_RANGE = re.compile(r"1\.(\d+)(?:\.\.1\.(\d+))?")


def minors(kubernetes: str) -> range:
    """The minor versions of a range such as `1.28..1.37`; empty text means the newest known one."""
    match = _RANGE.fullmatch(kubernetes)
    if match is None:
        return range(NEWEST, NEWEST + 1)
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def check_admission(crds: Sequence[Crd], kubernetes: str, problems: Problems, survey: Survey | None = None) -> None:
    """Report what servers of these versions refuse or warn of; the same text once, with its versions.

    `survey` holds what is known of the schemas already.
    """
    asked = minors(kubernetes)
    server = Server(asked, survey=survey)
    for crd in crds:
        for verdict in server.admit(crd):
            _report(crd, verdict, len(asked), problems)


def _report(crd: Crd, verdict: Verdict, asked: int, problems: Problems) -> None:
    versions = "" if len(verdict.minors) == asked else f" of version {_shown(verdict.minors)}"
    for error in verdict.errors:
        message = f"an API server{versions} must accept {crd.name}, found {verdict.text(error)}"
        at = crd.place(error.path) if error.path.startswith("metadata.") else error.origin
        _report_at("crd-refused", message, at or crd.origin, crd, problems)
    for notice in (*verdict.strict, *verdict.warnings):
        message = f"an API server{versions} should take {crd.name} without a warning, found {notice.text}"
        _report_at("crd-warning", message, notice.origin or crd.origin, crd, problems)


def _report_at(rule: str, message: str, at: Place | None, crd: Crd, problems: Problems) -> None:
    problems.report(rule, message, at, path=(at.owner() if at else "") or crd.name)


def _shown(found: Sequence[int]) -> str:
    """Versions in words: `1.25 to 1.29 and 1.31`."""
    runs: list[list[int]] = []
    for minor in found:
        if runs and runs[-1][-1] == minor - 1:
            runs[-1].append(minor)
        else:
            runs.append([minor])
    return " and ".join(f"1.{run[0]} to 1.{run[-1]}" if len(run) > 1 else f"1.{run[0]}" for run in runs)
