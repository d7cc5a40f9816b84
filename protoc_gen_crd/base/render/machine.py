"""A report for programs: JSON, GitHub workflow annotations, SARIF 2.1.0.

Sources: docs.github.com "Workflow commands for GitHub Actions"; OASIS "Static Analysis Results
Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from protoc_gen_crd.base.catalogue import Rule
from protoc_gen_crd.base.diagnostics import Location, Severity
from protoc_gen_crd.base.render.report import Item, Report
from protoc_gen_crd.base.render.text import visible

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def as_json(report: Report) -> str:
    """One object: findings, how many were left out, counts by severity."""
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
        }
        for item in report.items
    ]
    counts = {severity.name.lower(): count for severity, count in report.counts.items()}
    return _dumped({"findings": findings, "left_out": report.left_out, "counts": counts})


def as_github(report: Report) -> str:
    """One workflow command per finding."""
    lines = [_command(item) for item in report.items]
    if report.left_out:
        lines.append(f"::notice::{report.left_out} more findings not shown")
    return "".join(f"{line}\n" for line in lines)


def _command(item: Item) -> str:
    at = item.at or Location("")
    known = {"file": visible(at.file), "line": at.line, "col": at.column, "title": item.rule}
    properties = ",".join(f"{key}={_escaped(str(value), _PROPERTY)}" for key, value in known.items() if value)
    text = f"{item.message}\nhint: {item.hint}" if item.hint else item.message
    return f"::{_GITHUB[item.severity]} {properties}::{_escaped(_lines(text), _DATA)}"


def _lines(text: str) -> str:
    return "\n".join(map(visible, text.split("\n")))


def _escaped(text: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(character, character) for character in text)


def as_sarif(report: Report, rules: Mapping[str, Rule], version: str) -> str:
    """One run of one tool; the rules that occur are described in it."""
    order = sorted({item.rule for item in report.items})
    driver = {"name": "protoc-gen-crd", "version": version, "rules": [_described(rules[rule]) for rule in order]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, order.index(item.rule)) for item in report.items],
        "properties": {"leftOut": report.left_out},
    }
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    return _dumped({"$schema": schema, "version": "2.1.0", "runs": [run]})


def _described(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.text, "markdown": rule.text},
        "defaultConfiguration": {"level": rule.severity.name.lower()},
    }


def _result(item: Item, index: int) -> dict[str, Any]:
    text = f"{item.message}\n{item.hint}" if item.hint else item.message
    location: dict[str, Any] = {}
    if item.at:
        region = {"startLine": item.at.line, "startColumn": item.at.column}
        known = {key: value for key, value in region.items() if value}
        physical: dict[str, Any] = {"artifactLocation": {"uri": quote(item.at.file.replace("\\", "/"))}}
        location["physicalLocation"] = {**physical, "region": known} if known else physical
    if item.path:
        location["logicalLocations"] = [{"fullyQualifiedName": item.path}]
    return {
        "ruleId": item.rule,
        "ruleIndex": index,
        "level": item.severity.name.lower(),
        "message": {"text": text},
        "locations": [location] if location else [],
    }


def _dumped(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
