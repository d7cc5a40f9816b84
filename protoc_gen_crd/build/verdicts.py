"""What API servers say of the Crds that were made, as findings at the markers that caused it."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.admission.crd.survey import Survey
from protoc_gen_crd.admission.server import Server, Verdict
from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.versions import minors_of, worded
from protoc_gen_crd.crd.types import Crd


def check_admission(crds: Sequence[Crd], kubernetes: str, problems: Problems, survey: Survey | None = None) -> None:
    """Report what servers of these versions refuse or warn of; the same text once, with its versions.

    `survey` holds what is known of the schemas already.
    """
    asked = minors_of(kubernetes)
    server = Server(asked, survey=survey)
    for crd in crds:
        for verdict in server.admit(crd):
            report_verdict(crd, verdict, len(asked), problems)


def report_verdict(crd: Crd, verdict: Verdict, asked: int, problems: Problems) -> None:
    """Report one verdict; `asked` is how many versions were asked for their verdicts."""
    versions = "" if len(verdict.minors) == asked else f" of version {worded(verdict.minors)}"
    for error in verdict.errors:
        message = f"an API server{versions} must accept {crd.name}, found {verdict.text(error)}"
        at = crd.place(error.path) if error.path.startswith("metadata.") else error.origin
        _report_at("crd-refused", message, at or crd.origin, crd, problems)
    for notice in (*verdict.strict, *verdict.warnings):
        message = f"an API server{versions} should take {crd.name} without a warning, found {notice.text}"
        _report_at("crd-warning", message, notice.origin or crd.origin, crd, problems)


def _report_at(rule: str, message: str, at: Place | None, crd: Crd, problems: Problems) -> None:
    problems.report(rule, message, at, path=(at.owner() if at else "") or crd.name)
