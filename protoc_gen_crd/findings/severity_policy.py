"""The severity policy: final severities of findings, and suppressions with their reasons.

Locations of entries are those of the settings file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Finding, Location, Severity

if TYPE_CHECKING:  # a run without findings reads no catalog
    from protoc_gen_crd.findings.rule_catalog import CatalogRule

GENERATE = "generate"
# The commands that report unused suppressions of rules with these prefixes; "generate" reports all others. Empty: a run
# of the command that reports the rule sees only some documents, is done once, or needs a flag or a cluster.
_COMMANDS = {
    "policy-": "",
    "migrate-": "",
    "patch-": "",
    "fuzz-": "",
    "old-": "",
    "edit-": "",
    "output-stale": "",
    "conversion-object": "",
    "conversion-round-trip": "",
    "conversion-stale": "",
    "conversion-outdated": "",
    "conversion-hub-change": "history",
    "history-": "history",
    "microversion-note": "",
    "microversion-number": "history",
    "change-": "changes",
    "lint-": "lint",
    "version-storage-too-early": "history",
    "version-stored": "history",
    "sample-": "samples",
    "document-": "validate",
    "case-": "validate",
    "coverage-": "validate",
    "import-": "",
    "crd-none": "validate",
    "crd-repeated": "validate",
}
_ABOUT_ELEMENTS = "override-"  # rules about names in the settings, which another run may see
_STARS = 'use "*" only as the last part of a path: "a.b.*" matches "a.b" and everything below it'
_NUMBER = r"\.[0-9]+\.[0-9]+(?=\.[A-Za-z])"  # a microversion in the path of an element of an API group
_CONSEQUENCE, _CAUSES = "crd-rejected", ("marker-", "cel-", "resource-shape")


class PolicyEntry(Record):
    """One entry: a rule id has this severity, everywhere or at one path (`a.b.C`, or `a.b.*` for it and all below).

    A path without a microversion, such as `volume.Volume.size`, applies to that element of all microversions.
    `until` is its last day (YYYY-MM-DD) or its last release, empty for no end; `is_expired` is true after it.
    """

    rule: str
    severity: Severity
    path: str = ""
    reason: str = ""
    at: Location | None = None
    until: str = ""
    is_expired: bool = False

    def matches(self, finding: Finding) -> bool:
        """Return whether the entry applies to a finding."""
        if self.is_expired or (self.rule != finding.rule and not (self.path and finding.has_rule(self.rule))):
            return False
        if self.path.endswith(".*"):
            return f"{finding.path}.".startswith(self.path[:-1])
        return self.path in ("", finding.path) or self.path == re.sub(_NUMBER, "", finding.path, count=1)


def apply_policy(
    findings: Iterable[Finding],
    entries: Iterable[PolicyEntry],
    rules: Mapping[str, CatalogRule],
    packages: Collection[str] | None = None,
    command: str = GENERATE,
) -> list[Finding]:
    """Return the findings with their final severities, without those that are off, and findings about the entries.

    `packages` are those of a run that may see only a part of the API: only entries and overrides of elements in these
    are reported as unused. Unused entries are reported only by the command that reports their rules. The entry with
    the longest path wins, the first of equals. An unknown rule id is an error.
    """
    renamed = _rename(entries := list(entries), rules)
    ordered = sorted(renamed, key=lambda entry: -len(entry.path))
    usable = [entry for entry in ordered if entry.rule in rules and not _is_fixed_severity_lowered(entry, rules)]
    used: set[int] = set()
    visible = [finding for finding in findings if _is_seen(finding, packages)]
    resolved = [_apply_entries(finding, usable, used, rules) for finding in visible]
    unused = [entry for entry in ordered if id(entry) not in used and _is_of_command(entry, command)]
    entry_findings = [finding for entry in ordered if (finding := _check_entry(entry, rules))]
    entry_findings += [finding for entry in unused if (finding := _check_unused(entry, rules, packages))]
    entry_findings += [_former_id(old, new) for old, new in zip(entries, renamed, strict=True) if old is not new]
    resolved += [_apply_entries(finding, usable, used, rules) for finding in entry_findings]
    return _drop_consequences([finding for finding in resolved if finding.severity])


def _rename(entries: Sequence[PolicyEntry], rules: Mapping[str, CatalogRule]) -> list[PolicyEntry]:
    """Replace the ids that rules had in the last release, and do not have any more."""
    if all(entry.rule in rules for entry in entries):
        return list(entries)
    current = {rule.former: rule.id for rule in rules.values() if rule.former}
    return [entry.replace(rule=current[entry.rule]) if entry.rule in current else entry for entry in entries]


def _former_id(old: PolicyEntry, new: PolicyEntry) -> Finding:
    message = f'rule "{old.rule}" is renamed to "{new.rule}"'
    return Finding("policy-renamed", message, old.at, old.rule, f'replace "{old.rule}" with "{new.rule}"')


def is_accepted(finding: Finding, entries: Iterable[PolicyEntry]) -> bool:
    """Return whether an entry turns off a finding."""
    applicable = sorted((entry for entry in entries if entry.matches(finding)), key=lambda entry: -len(entry.path))
    return bool(applicable) and not applicable[0].severity


def has_error(findings: Collection[Finding], entries: Collection[PolicyEntry], *, complete: bool) -> bool:
    """Return whether there is an error. Unused suppressions count only if the findings of a run are complete."""
    if not findings and not entries:
        return False
    from protoc_gen_crd.findings.rule_catalog import load_rules  # noqa: PLC0415 - a run without findings reads no catalog

    resolved = apply_policy(findings, entries, load_rules())
    return any(
        finding.severity == Severity.ERROR and (complete or finding.rule != "policy-unused") for finding in resolved
    )


def _drop_consequences(findings: list[Finding]) -> list[Finding]:
    """Drop server errors on a marker that has a finding of at least the same severity: both have the same cause."""
    rejections = [finding for finding in findings if finding.rule == _CONSEQUENCE and finding.at]
    if not rejections:
        return findings
    causes: dict[Location, Severity] = {}
    for finding in findings:
        if finding.rule.startswith(_CAUSES) and finding.at and finding.severity:
            at = finding.at.resolve()
            causes[at] = max(finding.severity, causes.get(at, Severity.OFF))
    duplicates = {
        id(rejection)
        for rejection in rejections
        if rejection.at and causes.get(rejection.at.resolve(), -1) >= (rejection.severity or 0)
    }
    return [finding for finding in findings if id(finding) not in duplicates]


def _apply_entries(
    finding: Finding, entries: list[PolicyEntry], used: set[int], rules: Mapping[str, CatalogRule]
) -> Finding:
    for entry in entries:
        if entry.matches(finding):
            used.add(id(entry))
            return finding.replace(severity=entry.severity)
    if finding.severity is not None:
        return finding
    rule = rules.get(finding.rule)
    return finding.replace(severity=rule.severity if rule else Severity.ERROR)


def _is_seen(finding: Finding, packages: Collection[str] | None) -> bool:
    """Return False for findings about overrides of elements that another run may see."""
    return not finding.rule.startswith(_ABOUT_ELEMENTS) or _is_in_packages(finding.path, packages)


def _is_in_packages(path: str, packages: Collection[str] | None) -> bool:
    return packages is None or any(f"{path}.".startswith(f"{package}.") for package in packages)


def check_rule(rule: str, rules: Mapping[str, CatalogRule], at: Location | None) -> Finding | None:
    """Return the finding for a rule id that is not in the catalog."""
    if rule in rules:
        return None
    return Finding("policy-rule", f'unknown rule "{rule}"', at, rule, suggest(rule, rules))


def _is_fixed_severity_lowered(entry: PolicyEntry, rules: Mapping[str, CatalogRule]) -> bool:
    return rules[entry.rule].fixed and entry.severity < Severity.ERROR


def _check_entry(entry: PolicyEntry, rules: Mapping[str, CatalogRule]) -> Finding | None:
    if unknown := check_rule(entry.rule, rules, entry.at):
        return unknown
    if _is_fixed_severity_lowered(entry, rules):
        message = f'rule "{entry.rule}" is always an error and cannot have severity "{entry.severity.name.lower()}"'
        return Finding("policy-severity", message, entry.at, entry.rule)
    if entry.is_expired:
        location = f' at "{entry.path}"' if entry.path else ""
        message = f'suppression of "{entry.rule}"{location} expired after {entry.until}'
        return Finding("policy-expired", message, entry.at, entry.rule, "fix the finding, or agree on a later end")
    return None


def _is_of_command(entry: PolicyEntry, command: str) -> bool:
    """Return whether a command reports that the entry is unused."""
    commands = (reporting_command for prefix, reporting_command in _COMMANDS.items() if entry.rule.startswith(prefix))
    return bool(command) and next(commands, GENERATE) == command


def _check_unused(
    entry: PolicyEntry, rules: Mapping[str, CatalogRule], packages: Collection[str] | None
) -> Finding | None:
    """Return the finding for an unused entry. An entry that raises a severity is never unused: it is for the future."""
    if entry.rule not in rules or _is_fixed_severity_lowered(entry, rules):
        return None
    if entry.is_expired or entry.severity > rules[entry.rule].severity:
        return None
    if not _is_in_packages(entry.path, packages):
        return None
    location = f' at "{entry.path}"' if entry.path else ""
    message = f'unused suppression: no "{entry.rule}" finding{location}'
    hint = _STARS if "*" in entry.path.removesuffix(".*") else ""
    return Finding("policy-unused", message, entry.at, entry.rule, hint)
