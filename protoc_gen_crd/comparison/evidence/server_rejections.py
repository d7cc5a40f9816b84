"""Rejections by API servers: of the new CRD, or of the update of the old CRD to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.admission.crd.rules.cost_limit_errors import TOTAL_COST
from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.schema import VALIDATIONS

REJECTED_RULE, VERSION_REMOVED = "change-crd-rejected", "change-version-removed"
# Members whose change servers reject, and the rule that reports it.
_REPORTED = {"spec.scope": "change-scope", "spec.names": "change-names", "spec.group": "change-names",
             "status.storedVersions": VERSION_REMOVED}  # fmt: skip
_IMMUTABLE_NAME = "metadata.name", "field is immutable"  # which consists of the plural and the group


class Rejection(Record):
    """An error of servers on the new CRD: its path, its message, and its place."""

    path: str
    message: str
    at: Place | None


def list_rejections(verdicts: Sequence[Verdict], crd: Crd) -> list[Rejection]:
    """Return the errors of verdicts on a CRD, one for each path."""
    rejections = {
        cause.path: Rejection(cause.path, cause.message, cause.place or crd.origin)
        for verdict in verdicts
        for cause in _merge_costs(verdict.causes)
    }
    return list(rejections.values())


def _merge_costs(causes: Sequence[Cause]) -> Iterator[Cause]:
    """Yield causes; of the cost errors of a schema only that of the total, if any, at the most expensive rule."""
    totals = [cause for cause in causes if cause.detail.startswith(TOTAL_COST)]
    rules = {total.path: [rule for rule in causes if rule.expression and rule.path.startswith(total.path)]
             for total in totals}  # fmt: skip
    merged = {id(rule) for group in rules.values() for rule in group}
    for cause in causes:
        if cause.path in rules and cause in totals:
            expensive = max(rules[cause.path], key=lambda rule: rule.cost, default=cause)
            yield cause.replace(place=expensive.place)
        elif id(cause) not in merged:
            yield cause


def report_rejections(changes: Sequence[Change], rejections: Sequence[Rejection], kind: str) -> list[Change]:
    """Return the changes with the errors of servers: at the change of a member, or as changes of their own, first."""
    reported, others = list(changes), []
    for rejection in rejections:
        if any(_causes(change, rejection) for change in reported):
            reported = [
                _mark_rejected(change, rejection) if _causes(change, rejection) else change for change in reported
            ]
        else:
            message = f"API servers reject the CRD: {rejection.message}"
            others.append(
                Change(REJECTED_RULE, ChangeClass.BREAK, kind, "", message, at=rejection.at, is_rejected=True)
            )
    return [*others, *reported]


def _causes(change: Change, rejection: Rejection) -> bool:
    """Return whether a rejection is about a change: of a CEL rule at its place, or of a member.

    Each removed version has a rejection of its own.
    """
    if change.keyword == VALIDATIONS:
        places = [place and place.resolve() for place in (change.at, rejection.at)]
        return places[0] is not None and places[0] == places[1]
    rule = next((rule for path, rule in _REPORTED.items() if rejection.path.startswith(path)), "")
    if (rejection.path, rejection.message.rpartition(": ")[2]) == _IMMUTABLE_NAME:
        rule = "change-names"
    return change.rule == rule and (rule != VERSION_REMOVED or f'"{change.old}"' in rejection.message)


def _mark_rejected(change: Change, rejection: Rejection) -> Change:
    hint = f"API servers reject the {'CRD' if change.keyword == VALIDATIONS else 'update'}: {rejection.message}"
    return change.replace(hint=hint, is_rejected=True, change_class=max(change.change_class, ChangeClass.BREAK))
