"""The policy: which severity a finding has in the end, and which findings a project has accepted, with the reason.

Knows findings and rule ids only; the settings file says where an entry stands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from protoc_gen_crd.base.catalogue import Rule
from protoc_gen_crd.base.diagnostics import Finding, Location, Severity
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggestion

_OF_OTHER_RUNS = ("policy-", "history-", "migrate-")  # commands of the history and of clusters alone ask for these
_STARS = 'a star is the end of a path alone: "a.b.*" is "a.b" and all below it'
_CONSEQUENCE, _CAUSES = "crd-refused", ("marker-", "cel-")


class Entry(Record):
    """One entry: a rule id has this severity, everywhere or at one path (`a.b.C`, or `a.b.*` for it and all below)."""

    rule: str
    severity: Severity
    path: str = ""
    reason: str = ""
    at: Location | None = None

    def covers(self, finding: Finding) -> bool:
        """Whether the entry is about this finding."""
        if self.rule != finding.rule:
            return False
        if self.path.endswith(".*"):
            return f"{finding.path}.".startswith(self.path[:-1])
        return self.path in ("", finding.path)


def resolve(
    findings: Iterable[Finding],
    entries: Iterable[Entry],
    rules: Mapping[str, Rule],
    packages: Collection[str] | None = None,
) -> list[Finding]:
    """The findings with their final severities, less those that are off, and what is wrong with the entries themselves.

    `packages` are those of a run that perhaps sees a part of the API: only entries about these are seen to be unused.
    The entry with the longest path decides, the first of equals. Raises KeyError for a rule id that
    the catalogue lacks, which is a bug of ours.
    """
    ordered = sorted(entries, key=lambda entry: -len(entry.path))
    usable = [entry for entry in ordered if entry.rule in rules and not _softens_fixed(entry, rules)]
    used: set[int] = set()
    resolved = [_resolved(finding, usable, used, rules) for finding in findings]
    own = [finding for entry in ordered if (finding := _misuse(entry, used, rules, packages))]
    resolved += [_resolved(finding, usable, used, rules) for finding in own]
    return _without_consequences([finding for finding in resolved if finding.severity])


def fails(findings: Collection[Finding], entries: Collection[Entry], *, complete: bool) -> bool:
    """Whether there is an error. Until the findings of a run are complete no entry is known to be unused."""
    if not findings and not entries:
        return False
    from protoc_gen_crd.base.catalogue import rules  # noqa: PLC0415 - a run that finds nothing reads no catalogue

    found = resolve(findings, entries, rules())
    return any(one.severity == Severity.ERROR and (complete or one.rule != "policy-unused") for one in found)


def _without_consequences(findings: list[Finding]) -> list[Finding]:
    """The findings less what servers say of a marker that is at least as bad by itself: it is one mistake."""
    refused = [finding for finding in findings if finding.rule == _CONSEQUENCE and finding.at]
    if not refused:
        return findings
    causes: dict[Location, Severity] = {}
    for finding in findings:
        if finding.rule.startswith(_CAUSES) and finding.at and finding.severity:
            at = finding.at.resolve()
            causes[at] = max(finding.severity, causes.get(at, Severity.OFF))
    told = {id(one) for one in refused if one.at and causes.get(one.at.resolve(), -1) >= (one.severity or 0)}
    return [finding for finding in findings if id(finding) not in told]


def _resolved(finding: Finding, entries: list[Entry], used: set[int], rules: Mapping[str, Rule]) -> Finding:
    for entry in entries:
        if entry.covers(finding):
            used.add(id(entry))
            return finding.replace(severity=entry.severity)
    return finding if finding.severity is not None else finding.replace(severity=rules[finding.rule].severity)


def unknown_rule(rule: str, rules: Mapping[str, Rule], at: Location | None) -> Finding | None:
    """The finding of a rule id that the catalogue lacks."""
    if rule in rules:
        return None
    return Finding("policy-rule", f'a rule must exist, found "{rule}"', at, rule, suggestion(rule, rules))


def _softens_fixed(entry: Entry, rules: Mapping[str, Rule]) -> bool:
    return rules[entry.rule].fixed and entry.severity < Severity.ERROR


def _misuse(
    entry: Entry, used: set[int], rules: Mapping[str, Rule], packages: Collection[str] | None
) -> Finding | None:
    if unknown := unknown_rule(entry.rule, rules, entry.at):
        return unknown
    if _softens_fixed(entry, rules):
        message = f'"{entry.rule}" must stay an error, found severity "{entry.severity.name.lower()}"'
        return Finding("policy-fixed", message, entry.at, entry.rule)
    # An entry that makes a rule stricter guards the future; only one that accepts findings can go stale.
    if id(entry) in used or entry.rule.startswith(_OF_OTHER_RUNS) or entry.severity > rules[entry.rule].severity:
        return None
    if packages is not None and not any(f"{entry.path}.".startswith(f"{package}.") for package in packages):
        return None
    where = f' at "{entry.path}"' if entry.path else ""
    message = f'an entry must match a finding, found none of "{entry.rule}"{where}'
    hint = _STARS if "*" in entry.path.removesuffix(".*") else ""
    return Finding("policy-unused", message, entry.at, entry.rule, hint)
