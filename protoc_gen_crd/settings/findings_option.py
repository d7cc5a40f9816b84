"""Reader of the option `findings`: severities of rules, and suppressions with their reasons."""

from __future__ import annotations

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry, check_rule
from protoc_gen_crd.settings.option_types import POLICY
from protoc_gen_crd.settings.settings_document import SettingsDocument, describe_value, read_list

_SEVERITIES = {severity.name.lower(): severity for severity in Severity}
_ENTRY_KEYS = ("rule", "severity", "path", "reason", "until")


def read_findings(data: object, file: SettingsDocument) -> tuple[PolicyEntry, ...]:
    """Read the entries of the policy, without invalid ones, which are reported."""
    items = enumerate(read_list(data, file, "findings", POLICY.requirement))
    return tuple(entry for index, item in items if (entry := _read_finding_entry(item, index, file)))


def _read_finding_entry(data: object, index: int, file: SettingsDocument) -> PolicyEntry | None:
    """Read one entry of the policy, None if it is invalid."""
    if not isinstance(data, dict):
        file.report("option-value", f"entry is {describe_value(data)}, expected a mapping", "findings", index)
        return None
    if data.get("severity") is False:
        data = {**data, "severity": "off"}  # YAML 1.1 reads a bare `off` as a boolean
    before = len(file.problems.findings)
    for key, value in data.items():
        _check_key(key, value, index, file)
    is_complete = data.keys() <= set(_ENTRY_KEYS)  # an unknown key can be a misspelled one
    if "rule" not in data and is_complete:
        file.report("option-value", 'entry has no "rule"', "findings", index)
    if "path" not in data and "severity" not in data and is_complete:
        file.report("option-value", 'entry has neither a "severity" nor a "path"', "findings", index)
    path, reason = data.get("path"), data.get("reason", "")
    if isinstance(path, str) and isinstance(reason, str) and not reason.strip() and is_complete:
        message = f'suppression of "{path}" has no reason'
        file.report("policy-reason", message, "findings", index)
    if len(file.problems.findings) > before:
        _check_rule(data.get("rule"), index, file)
        return None
    severity = _SEVERITIES[data.get("severity", "off")]
    place = file.get_place("findings", index)
    path, reason, until = (data.get(key, "") for key in ("path", "reason", "until"))
    return PolicyEntry(data["rule"], severity, path, reason, place, str(until))


def _check_rule(rule: object, index: int, file: SettingsDocument) -> None:
    """Report an unknown rule in an invalid entry."""
    from protoc_gen_crd.findings.rule_catalog import load_rules  # noqa: PLC0415 - few settings are wrong

    if isinstance(rule, str) and rule and (finding := check_rule(rule, load_rules(), None)):
        file.report(finding.rule, finding.message, "findings", index, hint=finding.hint)


def _check_key(key: str, value: object, index: int, file: SettingsDocument) -> None:
    path = ("findings", index, key)
    if key not in _ENTRY_KEYS:
        message = f'unknown key "{key}" in an entry, expected one of {", ".join(_ENTRY_KEYS)}'
        is_severity = value is False or (isinstance(value, str) and value in _SEVERITIES)
        hint = suggest(key, _ENTRY_KEYS) or ('did you mean "severity"?' if is_severity else "")
        file.report("option-unknown", message, *path, hint=hint)
    elif key == "until":
        from protoc_gen_crd.findings.expiry import is_limit  # noqa: PLC0415 - few entries have an end

        if not is_limit(str(value)) or isinstance(value, float):
            hint = "quote the release" if isinstance(value, float) else ""
            requirement = "a day (YYYY-MM-DD) or a release such as 1.4"
            file.report_value(key, requirement, value, *path, hint=hint)
    elif not isinstance(value, str) or not value:
        file.report_value(key, "a string", value, *path)
    elif key == "severity" and value not in _SEVERITIES:
        file.report_value(key, f"one of {', '.join(_SEVERITIES)}", value, *path, hint=suggest(value, _SEVERITIES))
