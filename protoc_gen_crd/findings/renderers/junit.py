"""A report as JUnit XML: a test suite per file, a test case per document and per finding without a document.

Source: the format of CI systems, as documented in github.com/testmoapp/junitxml.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from protoc_gen_crd.findings.finding import Location, Severity
from protoc_gen_crd.findings.report_order_and_limits import Report, ReportItem

_INVALID_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}


class TestedDocument(Protocol):
    """A document for a test case: its name, its start, and the reason if it was not validated."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def at(self) -> Location: ...  # noqa: D102
    @property
    def skipped(self) -> str: ...  # noqa: D102


class _TestCase:
    """A test case with the findings on it."""

    def __init__(self, name: str, at: Location, skipped: str = "") -> None:
        self.name, self.line, self.column, self.skipped = name, at.line, at.column, skipped
        self.items: list[ReportItem] = []

    def collect_failures(self) -> list[ReportItem]:
        return [item for item in self.items if item.severity is Severity.ERROR]


def render_junit(report: Report, tested: Iterable[TestedDocument] = ()) -> str:
    """Return the whole file. A finding belongs to the document that it names, or to the one that contains its place."""
    suites = _group_suites(report.items, tested)
    counts = _format_counts([case for cases in suites.values() for case in cases])
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="protoc-gen-crd"{counts}>']
    for name, cases in suites.items():
        lines.append(f'  <testsuite name="{_escape(name)}"{_format_counts(cases)}>')
        lines += [line for case in cases for line in _format_case(case, name)]
        lines.append("  </testsuite>")
    return "\n".join([*lines, "</testsuites>", ""])


def _group_suites(items: Iterable[ReportItem], tested: Iterable[TestedDocument]) -> Mapping[str, Sequence[_TestCase]]:
    suites: dict[str, list[_TestCase]] = {}
    for document in tested:
        suites.setdefault(document.at.file, []).append(_TestCase(document.name, document.at, document.skipped))
    others: dict[tuple[str, str], _TestCase] = {}
    for item in items:
        at = item.at or Location("")
        cases = suites.get(at.file, [])
        case = _find_case(cases, item.path, at)
        if case is None:
            case = others.setdefault((at.file, item.rule), _TestCase(item.rule, at))
        case.items.append(item)
    for (file, _), case in others.items():
        suites.setdefault(file, []).append(case)
    return dict(sorted(suites.items()))


def _find_case(cases: Sequence[_TestCase], name: str, at: Location) -> _TestCase | None:
    """Return the document that a finding names, or the one that contains its place: several may be on one line."""
    before = [case for case in cases if (case.line, case.column) <= (at.line, at.column or sys.maxsize)]
    named = [case for case in cases if name and case.name == name]
    return next((case for case in (*reversed(before), *named) if case in named or not named), None)


def _format_counts(cases: Sequence[_TestCase]) -> str:
    failed = sum(bool(case.collect_failures()) for case in cases)
    skipped = sum(bool(case.skipped) and not case.collect_failures() for case in cases)
    return f' tests="{len(cases)}" failures="{failed}" skipped="{skipped}"'


def _format_case(case: _TestCase, file: str) -> list[str]:
    place = f' file="{_escape(file)}" line="{case.line}"' if case.line else ""
    opening = f'    <testcase name="{_escape(case.name)}" classname="{_escape(file)}"{place}'
    inner = [_format_failure(item) for item in case.collect_failures()]
    if case.skipped and not inner:
        inner.append(f'      <skipped message="{_escape(case.skipped)}"/>')
    others = [item for item in case.items if item.severity is not Severity.ERROR]
    if others:
        inner.append(f"      <system-out>{_escape(chr(10).join(map(_format_text, others)))}</system-out>")
    return [f"{opening}>", *inner, "    </testcase>"] if inner else [f"{opening}/>"]


def _format_failure(item: ReportItem) -> str:
    opening = f'<failure type="{_escape(item.rule)}" message="{_escape(item.message)}">'
    return f"      {opening}{_escape(_format_text(item))}</failure>"


def _format_text(item: ReportItem) -> str:
    place = f"{item.at}: " if item.at else ""
    hint = f"\nhint: {item.hint}" if item.hint else ""
    return f"{place}{item.severity.name.lower()}: {item.message} [{item.rule}]{hint}"


def _escape(string: str) -> str:
    """Escape a string for attributes and content; characters that are invalid in XML are replaced by U+FFFD."""
    return "".join(_ESCAPES.get(character, character) for character in _INVALID_XML.sub("\ufffd", string))
