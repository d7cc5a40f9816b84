"""A report as workflow commands for GitHub Actions. Source: docs.github.com."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.escapes import terminal_line
from protoc_gen_crd.findings.finding import Location, Severity
from protoc_gen_crd.findings.report_order_and_limits import Report, ReportItem

_GITHUB = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def render_github(report: Report) -> str:
    """Return one workflow command per finding, the worst first: GitHub shows only the first ones of a step."""
    lines = [_format_command(item) for item in sorted(report.items, key=lambda item: (-item.severity, item.rank))]
    if report.omission:
        lines.append(f"::notice::{_escape(report.omission, _DATA)}")
    return "".join(f"{line}\n" for line in lines)


def _format_command(item: ReportItem) -> str:
    at = item.at or Location("")
    values = {"file": terminal_line(at.file), "line": at.line, "col": at.column, "title": item.rule}
    properties = ",".join(f"{key}={_escape(str(value), _PROPERTY)}" for key, value in values.items() if value)
    message = f"{item.message}\nhint: {item.hint}" if item.hint else item.message
    return f"::{_GITHUB[item.severity]} {properties}::{_escape(_join_lines(message), _DATA)}"


def _join_lines(message: str) -> str:
    return "\n".join(map(terminal_line, message.split("\n")))


def _escape(string: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(character, character) for character in string)
