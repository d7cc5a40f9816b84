"""What API servers say of the Crds that were made, as findings at the markers that caused it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.admission.crd.cel import Cel
from protoc_gen_crd.admission.crd.survey import HAS_RULE, Survey
from protoc_gen_crd.admission.server import Server, Verdict
from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.versions import minors_of, worded
from protoc_gen_crd.crd.types import Crd


def check_admission(
    crds: Sequence[Crd], kubernetes: str, problems: Problems, survey: Survey | None = None, *, rules: bool = True
) -> None:
    """Report what servers of these versions refuse or warn of; the same text once, with its versions.

    `survey` holds what is known of the schemas already. Without `rules`, CEL is neither compiled nor costed.
    """
    asked = minors_of(kubernetes)
    survey = survey or Survey()
    server = Server(asked, _compiler(crds, survey) if rules else None, survey)
    for crd in crds:
        report_verdicts(crd, server.admit(crd), len(asked), problems)


def _compiler(crds: Sequence[Crd], survey: Survey) -> Cel | None:
    schemas = [version.schema for crd in crds for version in crd.versions]
    if not any(survey.of(schema).bits & HAS_RULE for schema in schemas if schema is not None):
        return None
    from protoc_gen_crd.admission.crd.compiling import Compiler  # noqa: PLC0415 - many APIs have no rules

    return Compiler()


def report_verdicts(crd: Crd, verdicts: Sequence[Verdict], asked: int, problems: Problems) -> None:
    """Report what the verdicts on one CRD say; `asked` is how many versions were asked for them."""
    found: dict[tuple[str, str, int], tuple[Place | None, list[int]]] = {}
    for verdict in verdicts:
        counts: dict[tuple[str, str], int] = {}
        for rule, text, at in _said(crd, verdict):
            nth = counts[rule, text] = counts.get((rule, text), 0) + 1
            found.setdefault((rule, text, nth), (at, []))[1].extend(verdict.minors)
    for (rule, text, _), (at, minors) in found.items():
        versions = "" if len(minors) == asked else f" of version {worded(sorted(minors))}"
        taken = f"must accept {crd.name}" if rule == "crd-refused" else f"should take {crd.name} without a warning"
        message = f"an API server{versions} {taken}, found {text}"
        problems.report(rule, message, at, path=(at.owner() if at else "") or crd.name)


def _said(crd: Crd, verdict: Verdict) -> Iterator[tuple[str, str, Place | None]]:
    """Rule, text and place of everything that a verdict holds."""
    for error in verdict.errors:
        at = crd.place(error.path) if error.path.startswith("metadata.") else error.origin
        yield "crd-refused", verdict.text(error), at or crd.origin
    for notice in (*verdict.strict, *verdict.warnings):
        yield "crd-warning", notice.text, notice.origin or crd.origin
