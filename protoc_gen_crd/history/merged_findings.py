"""Findings on the same change in several versions of a kind, merged into one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Finding, Location
from protoc_gen_crd.findings.severity_policy import PolicyEntry


class VersionFinding(Record):
    """A finding on one version and its `recorded` place; findings with the same `key` are about the same change."""

    finding: Finding
    version: str
    key: tuple[str | None, ...]
    recorded: Location


def merge_versions(findings: Iterable[VersionFinding], entries: Sequence[PolicyEntry]) -> Iterator[Finding]:
    """Yield the first finding of each change, with the other versions in its message.

    Findings that an entry of the settings is about stay separate, since entries are about one version.
    """
    groups: dict[tuple[str | None, ...], list[VersionFinding]] = {}
    for version_finding in findings:
        if any(entry.matches(version_finding.finding) for entry in entries):
            yield _format_finding(version_finding, ())
        else:
            groups.setdefault(version_finding.key, []).append(version_finding)
    for first, *others in groups.values():
        yield _format_finding(first, [other.version for other in others])


def _format_finding(version_finding: VersionFinding, others: Sequence[str]) -> Finding:
    finding, listed = version_finding.finding, ", ".join(others)
    notes = [f"also in {listed}"] if others else []
    notes += [f"recorded at {version_finding.recorded}"] if version_finding.recorded != finding.at else []
    hint = f"{finding.hint}, and likewise for {listed}" if others and finding.path in finding.hint else finding.hint
    message = f"{finding.message} ({'; '.join(notes)})" if notes else finding.message
    return finding.replace(message=message, hint=hint)
