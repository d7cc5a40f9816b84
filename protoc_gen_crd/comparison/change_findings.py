"""Findings for changes: severities by class, stability of the version, and evidence."""

from __future__ import annotations

from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.profiles import DEFAULT_PROFILES, ProfileChoice
from protoc_gen_crd.findings.finding import Finding, Severity


def make_finding(change: Change, profiles: ProfileChoice = DEFAULT_PROFILES) -> Finding:
    """Return the finding of a change."""
    return Finding(
        change.rule, _format_message(change), change.at, change.element, change.hint,
        severity=get_severity(change, profiles), details=get_details(change), related=change.old_at,
    )  # fmt: skip


def _format_message(change: Change) -> str:
    """Format the element, the change, and the versions that have it."""
    versions = f" {', '.join(change.versions)}" if change.versions else ""
    subject = f'"{change.path}" of {change.kind}{versions}' if change.path else f"{change.kind}{versions}"
    return f"{subject}: {change.message}"


def get_severity(change: Change, profiles: ProfileChoice = DEFAULT_PROFILES) -> Severity | None:
    """Return the severity of a change by its profile, None for that of its rule.

    It is one level lower if the search for an example was in vain.
    """
    severity = profiles.find(change.kind).decide(change).severity
    lowered = severity if change.is_proven else min(severity, Severity(severity - 1))
    is_own = change.change_class == CHANGE_RULES[change.rule].change_class
    is_usual = lowered == DEFAULT_PROFILES.find(change.kind).decide(change.replace(versions=())).severity
    return None if is_own and is_usual else lowered


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
