"""A report for GitLab's Code Quality. Source: docs.gitlab.com."""

from __future__ import annotations

from protoc_gen_crd.findings.finding import Severity
from protoc_gen_crd.findings.fingerprints import make_fingerprints
from protoc_gen_crd.findings.renderers.json_report import dump_json
from protoc_gen_crd.findings.report_order_and_limits import Report

_GITLAB = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


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
    return dump_json(violations)


def _normalize_path(path: str) -> str:
    """Return a path as GitLab compares it with those of the repository."""
    return path.replace("\\", "/").removeprefix("./")
