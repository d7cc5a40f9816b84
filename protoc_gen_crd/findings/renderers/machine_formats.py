"""A report for programs: JSON, GitHub workflow annotations, SARIF 2.1.0, and GitLab's Code Quality.

Sources: docs.github.com "Workflow commands for GitHub Actions"; OASIS "Static Analysis Results
Interchange Format (SARIF) Version 2.1.0"; docs.gitlab.com "Code Quality report format".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from protoc_gen_crd.findings.finding import Location, Severity
from protoc_gen_crd.findings.fingerprints import make_fingerprints
from protoc_gen_crd.findings.renderers.text import escape_control_characters
from protoc_gen_crd.findings.report import Report, ReportItem
from protoc_gen_crd.findings.rule_catalog import CatalogRule

_FINGERPRINT = "protocGenCrd/v1"  # the number changes with the computation of fingerprints
_GITLAB = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}
_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def render_json(report: Report) -> str:
    """Return one object: findings, the number of omitted findings, and counts by severity."""
    findings = [
        {
            "rule": item.rule,
            "severity": item.severity.name.lower(),
            "message": item.message,
            "file": item.at.file if item.at else "",
            "line": item.at.line if item.at else 0,
            "column": item.at.column if item.at else 0,
            "path": item.path,
            "hint": item.hint,
            **item.details,
        }
        for item in report.items
    ]
    counts = {severity.name.lower(): count for severity, count in report.counts.items()}
    return _dump({"findings": findings, "omitted": report.omitted, "counts": counts, **report.details})


def render_github(report: Report) -> str:
    """Return one workflow command per finding, the worst first: GitHub shows only the first ones of a step."""
    lines = [_format_command(item) for item in sorted(report.items, key=lambda item: -item.severity)]
    if report.omitted:
        lines.append(f"::notice::{report.omitted} more findings not shown")
    return "".join(f"{line}\n" for line in lines)


def _format_command(item: ReportItem) -> str:
    at = item.at or Location("")
    values = {"file": escape_control_characters(at.file), "line": at.line, "col": at.column, "title": item.rule}
    properties = ",".join(f"{key}={_escape(str(value), _PROPERTY)}" for key, value in values.items() if value)
    message = f"{item.message}\nhint: {item.hint}" if item.hint else item.message
    return f"::{_GITHUB[item.severity]} {properties}::{_escape(_join_lines(message), _DATA)}"


def _join_lines(message: str) -> str:
    return "\n".join(map(escape_control_characters, message.split("\n")))


def _escape(string: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(character, character) for character in string)


def render_sarif(report: Report, rules: Mapping[str, CatalogRule], version: str) -> str:
    """Return one run of one tool, with a description of the rules that occur."""
    order = sorted({item.rule for item in report.items})
    fingerprints = make_fingerprints(report.items)
    driver = {"name": "protoc-gen-crd", "version": version, "rules": [_describe_rule(rule, rules) for rule in order]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [
            _build_result(item, order.index(item.rule), fingerprint, report.baseline)
            for item, fingerprint in zip(report.items, fingerprints, strict=True)
        ],
        "properties": {"leftOut": report.omitted},
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return _dump({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _describe_rule(name: str, rules: Mapping[str, CatalogRule]) -> dict[str, Any]:
    rule = rules.get(name)
    if rule is None:
        return {"id": name}
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.text, "markdown": rule.text},
        "defaultConfiguration": {"level": rule.severity.name.lower()},
    }


def _build_result(item: ReportItem, index: int, fingerprint: str, baseline: str) -> dict[str, Any]:
    message = f"{item.message}\n{item.hint}" if item.hint else item.message
    location: dict[str, Any] = {}
    if item.at and item.at != item.related:  # a place in the old API is not in the files of the run
        location["physicalLocation"] = _build_physical_location(item.at)
    if item.path:
        location["logicalLocations"] = [{"fullyQualifiedName": item.path}]
    result = {
        "ruleId": item.rule,
        "ruleIndex": index,
        "level": item.severity.name.lower(),
        "message": {"text": message},
        "locations": [location] if location else [],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }
    if item.related:
        place = {"physicalLocation": _build_physical_location(item.related), "message": {"text": "old place"}}
        result["relatedLocations"] = [place]
    return {**result, "baselineState": "new"} if baseline else result


def _build_physical_location(at: Location) -> dict[str, Any]:
    region = {"startLine": at.line, "startColumn": at.column}
    known_positions = {key: value for key, value in region.items() if value}
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(at.file.replace("\\", "/"))}}
    return {**physical, "region": known_positions} if known_positions else physical


def render_gitlab(report: Report) -> str:
    """Return a list of violations. Each has a place: the first line of the project for those without one."""
    violations = [
        {
            "description": f"{item.message} ({item.hint})" if item.hint else item.message,
            "check_name": item.rule,
            "fingerprint": fingerprint,
            "severity": _GITLAB[item.severity],
            "location": {
                "path": _normalize_path(item.at.file) if item.at else ".",
                "lines": {"begin": max(1, item.at.line) if item.at else 1},
            },
        }
        for item, fingerprint in zip(report.items, make_fingerprints(report.items), strict=True)
    ]
    return _dump(violations)


def _normalize_path(path: str) -> str:
    """Return a path as GitLab compares it with those of the repository."""
    return path.replace("\\", "/").removeprefix("./")


def _dump(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
