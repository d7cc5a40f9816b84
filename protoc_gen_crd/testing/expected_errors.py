"""Insertion of missing `_err` strings into documents. All other bytes of a file stay unchanged."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence

from protoc_gen_crd.admission.verdicts import VersionVerdict
from protoc_gen_crd.documents.document_cases import DocumentCase, read_cases
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
    """Return the file with its missing errors, None if none is missing. `results` are those of all its documents."""
    wanted = [(case, texts) for case, outcome in results if outcome and (texts := find_missing_errors(case, outcome))]
    if not wanted:
        return None
    cases = [case for case, _ in results]
    text = data
    starts = _find_line_starts(data)
    for start, end, new in sorted((_make_edit(data, starts, case, texts) for case, texts in wanted), reverse=True):
        text = text[:start] + new.encode() + text[end:]
    if _read_objects(text, cases[0].document.file) == [case.object for case in cases]:
        return text
    at = Location(cases[0].document.file)
    problems.report("case-update", "--update cannot edit a file of this form", at)
    return None


def find_missing_errors(case: DocumentCase, outcome: CaseResult) -> list[str]:
    """Return the strings missing in `_err`: of every error, the part that all versions report."""
    if not case.expectation.is_rejected or case.expectation.errors or not outcome.verdicts:
        return []
    if not all(answer.errors for answer in outcome.verdicts):
        return []
    newest = max(outcome.verdicts, key=lambda answer: max(answer.minors))
    common = {_find_common_text(said.text, outcome.verdicts) for said in newest.errors}
    return sorted(common - {""})


def _find_common_text(text: str, answers: Iterable[VersionVerdict]) -> str:
    """Return the longest start of an error, up to a colon, that all versions report."""
    while text and not all(text in answer.error_text for answer in answers):
        text = text.rpartition(": ")[0]
    return text


def _find_line_starts(data: bytes) -> list[int]:
    """Return the start of each line; the first one follows the byte order mark."""
    first = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    return [match.start() for match in _LINE.finditer(data, first)]


def _make_edit(data: bytes, starts: Sequence[int], case: DocumentCase, texts: Sequence[str]) -> Edit:
    if "_err" in case.source_object:
        return _fill_key(data, starts, case.get_place(("_err",), key=True), texts)
    at = case.at
    start, line = _find_offset(data, starts, at)
    if data[start : start + 1] == b"{":
        return start + 1, start + 1, "".join(f'"{key}": {value}, ' for key, value in _make_flow_entries(texts))
    end = "\r\n" if line.endswith(b"\r\n") else "\n"
    indent = " " * (at.column - 1)
    lines = [f"_err: {_quote(texts[0])}"] if len(texts) == 1 else ["_errs:", *(f"- {_quote(text)}" for text in texts)]
    return start, start, "".join(f"{each}{end}{indent}" for each in lines)


def _make_flow_entries(texts: Sequence[str]) -> list[tuple[str, str]]:
    written = ", ".join(map(_double_quote, texts))
    return [("_err", written) if len(texts) == 1 else ("_errs", f"[{written}]")]


def _fill_key(data: bytes, starts: Sequence[int], at: Location, texts: Sequence[str]) -> Edit:
    """Fill an empty `_err`, or replace it with `_errs` for several strings."""
    start, line = _find_offset(data, starts, at)
    text = line.decode()[at.column - 1 :]
    found = _EMPTY.match(text)
    if found is None:
        return start, start, ""
    listed = f"_errs: [{', '.join(map(_quote, texts))}]"
    return start, start + len(found[0].encode()), listed if len(texts) > 1 else f"{found[1]} {_quote(texts[0])}"


def _find_offset(data: bytes, starts: Sequence[int], at: Location) -> tuple[int, bytes]:
    """Return the byte offset of a place, and its line."""
    start = starts[at.line - 1]
    line = data[start : starts[at.line] if at.line < len(starts) else len(data)]
    return start + len(line.decode("utf-8", "replace")[: at.column - 1].encode()), line


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'" if _PLAIN.fullmatch(text) else _double_quote(text)


def _double_quote(text: str) -> str:
    """Quote a string so that both YAML and JSON read it."""
    return escape_unprintable(json.dumps(text, ensure_ascii=False))


def _read_objects(text: bytes, file: str) -> list[object]:
    return [case.object for case in read_cases(text, file, Problems())]
