"""A report as one JSON object."""

from __future__ import annotations

import json

from protoc_gen_crd.findings.report_order_and_limits import Report


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
    return dump_json({"findings": findings, "omitted": report.omitted, "counts": counts, **report.details})


def dump_json(value: object) -> str:
    """Format a value as indented JSON with a line break at the end."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
