"""Findings for changes: severities by profile and evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.comparison.api_comparison import get_place
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.evidence_severity import get_severity
from protoc_gen_crd.comparison.severity_profiles import DEFAULT_PROFILES, ProfileChoice
from protoc_gen_crd.findings.finding import Finding
from protoc_gen_crd.findings.severity_policy import PolicyEntry

_HISTORY_RULES = ("history-incompatible", "history-narrowed", "history-removal")  # which report the same changes
_MAX_PATHS = 3  # further paths that a message names


def make_findings(
    changes: Iterable[Change], entries: Sequence[PolicyEntry], profiles: ProfileChoice = DEFAULT_PROFILES
) -> Iterator[tuple[Change, Finding]]:
    """Yield the changes with their findings.

    Versions that an entry of the settings is about have findings of their own, since entries are about one version.
    """
    for change in changes:
        parts = [change.replace(versions=(name,)) for name in change.versions]
        named = [part for part in parts if len(parts) > 1 and _is_named(_make_finding(part, profiles), entries)]
        versions = tuple([name for name in change.versions if all(name not in part.versions for part in named)])
        others = [change.replace(versions=versions)] if versions or not parts else []
        yield from ((part, _make_finding(part, profiles)) for part in (*others, *named))


def merge_kinds(pairs: Iterable[tuple[Change, Finding]], entries: Sequence[PolicyEntry]) -> Iterator[Finding]:
    """Yield the findings; the same change of a message that several kinds share is one finding.

    Elements that an entry of the settings is about have findings of their own.
    """
    groups: dict[object, list[tuple[Change, Finding]]] = {}
    for change, finding in pairs:
        is_shared = len(place := get_place(change)) > 1 and not _is_named(finding, entries)
        key = (change.rule, change.change_class, change.message, change.versions, finding.severity, place)
        groups.setdefault(key if is_shared else id(change), []).append((change, finding))
    for (_, finding), *others in groups.values():
        elements = [change.element for change, _ in others]
        message = f"{finding.message}{_format_other_paths(elements)}"
        details = {**finding.details, "otherElements": elements}
        yield finding.replace(message=message, details=details) if elements else finding


def _is_named(finding: Finding, entries: Sequence[PolicyEntry]) -> bool:
    return any(entry.path and entry.matches(finding) for entry in entries)


def _make_finding(change: Change, profiles: ProfileChoice) -> Finding:
    is_narrowing = change.change_class >= ChangeClass.TIGHTEN
    return Finding(
        change.rule, _format_message(change), change.at, change.element, change.hint,
        severity=get_severity(change, profiles), details=get_details(change), related=change.old_at,
        aliases=_HISTORY_RULES if is_narrowing else (), is_first=change.is_rejected,
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
        "subresource": change.subresource or None,
    }
