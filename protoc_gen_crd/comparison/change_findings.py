"""Findings for changes: severities by class, stability of the version, and evidence."""

from __future__ import annotations

from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.verdicts import is_released
from protoc_gen_crd.findings.finding import Finding, Severity

_SEVERITIES = {
    ChangeClass.NONE: Severity.NOTE,
    ChangeClass.ADDITIVE: Severity.NOTE,
    ChangeClass.LOOSEN: Severity.NOTE,
    ChangeClass.SEMANTIC: Severity.WARNING,
    ChangeClass.TIGHTEN: Severity.ERROR,
    ChangeClass.BREAK: Severity.ERROR,
}


def make_finding(change: Change) -> Finding:
    """Return the finding of a change."""
    return Finding(
        change.rule, _format_message(change), change.at, change.element, change.hint, severity=get_severity(change),
        details=get_details(change), related=change.old_at,
    )  # fmt: skip


def _format_message(change: Change) -> str:
    """Format the element, the change, and the versions that have it."""
    versions = f" {', '.join(change.versions)}" if change.versions else ""
    subject = f'"{change.path}" of {change.kind}{versions}' if change.path else f"{change.kind}{versions}"
    return f"{subject}: {change.message}"


def get_severity(change: Change) -> Severity | None:
    """Return the severity of a change, None for that of its rule."""
    severity = _SEVERITIES[change.change_class]
    lowered = severity
    if change.versions and not any(map(is_released, change.versions)):
        lowered = min(lowered, Severity.WARNING)
    if not change.is_proven:
        lowered = min(lowered, Severity(severity - 1))
    is_own = change.change_class == CHANGE_RULES[change.rule].change_class and lowered is severity
    return None if is_own else lowered


def get_details(change: Change) -> dict[str, object]:
    """Return the members of a change in JSON."""
    return {
        "class": change.change_class.name.lower(),
        "kind": change.kind,
        "versions": list(change.versions),
        "path": change.path,
        "old": change.old,
        "new": change.new,
        "example": change.example,
        "before": change.before,
    }
