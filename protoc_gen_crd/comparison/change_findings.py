"""Findings for changes: severities by class, stability of the version, and evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.verdicts import is_released
from protoc_gen_crd.findings.finding import Finding, Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry

_HISTORY_RULES = ("history-incompatible", "history-narrowed", "history-removal")  # which report the same changes
_MAX_PATHS = 3  # further paths that a message names
_SEVERITIES = {
    ChangeClass.NONE: Severity.NOTE,
    ChangeClass.ADDITIVE: Severity.NOTE,
    ChangeClass.LOOSEN: Severity.NOTE,
    ChangeClass.SEMANTIC: Severity.WARNING,
    ChangeClass.TIGHTEN: Severity.ERROR,
    ChangeClass.BREAK: Severity.ERROR,
}


def make_findings(changes: Iterable[Change], entries: Sequence[PolicyEntry]) -> Iterator[tuple[Change, Finding]]:
    """Yield the changes with their findings.

    Versions that an entry of the settings is about have findings of their own, since entries are about one version.
    """
    for change in changes:
        parts = [change.replace(versions=(name,)) for name in change.versions]
        named = [part for part in parts if len(parts) > 1 and _is_named(_make_finding(part), entries)]
        versions = tuple([name for name in change.versions if all(name not in part.versions for part in named)])
        others = [change.replace(versions=versions)] if versions or not parts else []
        yield from ((part, _make_finding(part)) for part in (*others, *named))


def _is_named(finding: Finding, entries: Sequence[PolicyEntry]) -> bool:
    return any(entry.path and entry.matches(finding) for entry in entries)


def _make_finding(change: Change) -> Finding:
    is_narrowing = change.change_class >= ChangeClass.TIGHTEN
    return Finding(
        change.rule, _format_message(change), change.at, change.element, change.hint, severity=get_severity(change),
        details=get_details(change), related=change.old_at, aliases=_HISTORY_RULES if is_narrowing else (),
    )  # fmt: skip


def _format_message(change: Change) -> str:
    """Format the element, the change, and the versions that have it."""
    versions = f" {', '.join(change.versions)}" if change.versions else ""
    subject = f'"{change.path}" of {change.kind}{versions}' if change.path else f"{change.kind}{versions}"
    return f"{subject}: {change.message}{_format_other_paths(change.other_paths)}"


def _format_other_paths(paths: Sequence[str]) -> str:
    if not paths:
        return ""
    shown = ", ".join(f'"{path}"' for path in paths[:_MAX_PATHS])
    return f" (also at {shown}{f' and {len(paths) - _MAX_PATHS} more paths' if len(paths) > _MAX_PATHS else ''})"


def get_severity(change: Change) -> Severity | None:
    """Return the severity of a change, None for that of its rule."""
    severity = _SEVERITIES[change.change_class]
    lowered = severity
    if change.versions and not any(map(is_released, change.versions)):
        lowered = min(lowered, Severity.WARNING)
    if not change.is_proven or (change.change_class is ChangeClass.TIGHTEN and _is_status(change)):
        lowered = min(lowered, Severity(severity - 1))
    is_own = change.change_class == CHANGE_RULES[change.rule].change_class and lowered is severity
    return None if is_own else lowered


def _is_status(change: Change) -> bool:
    """Report whether only controllers write the changed element."""
    return change.path.partition(".")[0] == "status"


def get_details(change: Change) -> dict[str, object]:
    """Return the members of a change in JSON."""
    return {
        "class": change.change_class.name.lower(),
        "kind": change.kind,
        "versions": list(change.versions),
        "path": change.path,
        "otherPaths": list(change.other_paths),
        "old": change.old,
        "new": change.new,
        "example": change.example,
        "before": change.before,
    }
