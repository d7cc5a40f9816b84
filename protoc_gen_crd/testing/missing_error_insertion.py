"""Insertion of missing `_err` strings into documents. All other bytes of a file stay unchanged."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence

from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.documents.document_reader import DocumentCase, read_cases
from protoc_gen_crd.documents.flow_style import escape_unprintable
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.testing.case_runner import CaseResult

_PLAIN = re.compile(r"[ -~]+")
_EMPTY = re.compile(r"(_err\s*:)(?:[ \t]*(?:null|~))?")
_LINE = re.compile(rb"[^\n]*\n?")

Edit = tuple[int, int, str]  # start and end in bytes, replacement


def add_missing_errors(
    data: bytes, results: Sequence[tuple[DocumentCase, CaseResult | None]], problems: Problems
) -> bytes | None:
    """Return the file with its missing errors, None if none is missing. `results` has all documents of the file."""
    missing = _list_missing_errors(results)
    if not missing:
        return None
    cases = [case for case, _ in results]
    content = data
    starts = _find_line_starts(data)
    for start, end, replacement in sorted(
        (_make_edit(data, starts, case, messages) for case, messages in missing), reverse=True
    ):
        content = content[:start] + replacement.encode() + content[end:]
    if _read_objects(content, cases[0].document.file) == [case.object for case in cases]:
        return content
    at = Location(cases[0].document.file)
    problems.report("case-update", "--update cannot edit a file of this form", at)
    return None


def _list_missing_errors(
    results: Sequence[tuple[DocumentCase, CaseResult | None]],
) -> list[tuple[DocumentCase, list[str]]]:
    """Return the strings for each object without expected errors; of an object in several versions, those of all."""
    missing: dict[tuple[int, int], tuple[DocumentCase, list[str]]] = {}
    for case, outcome in results:
        messages = find_missing_errors(case, outcome) if outcome else []
        place = case.at.line, case.at.column
        if place in missing:
            messages = [message for message in missing[place][1] if message in messages]
        if messages:
            missing[place] = case, messages
    return list(missing.values())


def find_missing_errors(case: DocumentCase, outcome: CaseResult) -> list[str]:
    """Return the strings for a missing `_err`: the part of every error that all versions report."""
    if not case.expectation.is_rejected or case.expectation.errors or not outcome.verdicts:
        return []
    if not all(verdict.causes for verdict in outcome.verdicts):
        return []
    newest = max(outcome.verdicts, key=lambda verdict: max(verdict.minors))
    common = {_find_common_text(error.message, outcome.verdicts) for error in newest.causes}
    return sorted(common - {""})


def _find_common_text(message: str, verdicts: Iterable[Verdict]) -> str:
    """Return the longest prefix of an error, up to a colon, that all versions report."""
    while message and not all(message in verdict.message for verdict in verdicts):
        message = message.rpartition(": ")[0]
    return message


def _find_line_starts(data: bytes) -> list[int]:
    """Return the start of each line; the first one follows the byte order mark."""
    first = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    return [match.start() for match in _LINE.finditer(data, first)]


def _make_edit(data: bytes, starts: Sequence[int], case: DocumentCase, messages: Sequence[str]) -> Edit:
    if "_err" in case.source_object:
        return _fill_key(data, starts, case.get_place(("_err",), key=True), messages)
    at = case.at
    start, line = _find_offset(data, starts, at)
    if data[start : start + 1] == b"{":
        return start + 1, start + 1, "".join(f'"{key}": {value}, ' for key, value in _make_flow_entries(messages))
    end = "\r\n" if line.endswith(b"\r\n") else "\n"
    indent = " " * (at.column - 1)
    lines = (
        [f"_err: {_quote(messages[0])}"]
        if len(messages) == 1
        else ["_errs:", *(f"- {_quote(message)}" for message in messages)]
    )
    return start, start, "".join(f"{line_content}{end}{indent}" for line_content in lines)


def _make_flow_entries(messages: Sequence[str]) -> list[tuple[str, str]]:
    quoted = ", ".join(map(_double_quote, messages))
    return [("_err", quoted) if len(messages) == 1 else ("_errs", f"[{quoted}]")]


def _fill_key(data: bytes, starts: Sequence[int], at: Location, messages: Sequence[str]) -> Edit:
    """Fill an empty `_err`, or replace it with `_errs` for several strings."""
    start, line = _find_offset(data, starts, at)
    rest = line.decode()[at.column - 1 :]
    match = _EMPTY.match(rest)
    if match is None:
        return start, start, ""
    list_entry = f"_errs: [{', '.join(map(_quote, messages))}]"
    return (
        start,
        start + len(match[0].encode()),
        list_entry if len(messages) > 1 else f"{match[1]} {_quote(messages[0])}",
    )


def _find_offset(data: bytes, starts: Sequence[int], at: Location) -> tuple[int, bytes]:
    """Return the byte offset of a place, and its line."""
    start = starts[at.line - 1]
    line = data[start : starts[at.line] if at.line < len(starts) else len(data)]
    return start + len(line.decode("utf-8", "replace")[: at.column - 1].encode()), line


def _quote(message: str) -> str:
    return "'" + message.replace("'", "''") + "'" if _PLAIN.fullmatch(message) else _double_quote(message)


def _double_quote(message: str) -> str:
    """Quote a string so that it is valid in both YAML and JSON."""
    return escape_unprintable(json.dumps(message, ensure_ascii=False))


def _read_objects(content: bytes, file: str) -> list[object]:
    return [case.object for case in read_cases(content, file, Problems())]
