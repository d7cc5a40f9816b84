"""Missing `_err` texts written into documents: a line is added to each, and not a byte of the rest is touched."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.testing.answers import Answer
from protoc_gen_crd.testing.cases import Case, read_cases
from protoc_gen_crd.testing.flowtext import printed
from protoc_gen_crd.testing.runner import Outcome

_PLAIN = re.compile(r"[ -~]+")
_EMPTY = re.compile(r"(_err\s*:)(?:[ \t]*(?:null|~))?")
_LINE = re.compile(rb"[^\n]*\n?")

Edit = tuple[int, int, str]  # from this byte to that one, what to write instead


def updated(data: bytes, judged: Sequence[tuple[Case, Outcome | None]], problems: Problems) -> bytes | None:
    """The text with what was missing, None where nothing is. `judged` are all documents of the text."""
    wanted = [(case, texts) for case, outcome in judged if outcome and (texts := missing(case, outcome))]
    if not wanted:
        return None
    cases = [case for case, _ in judged]
    text = data
    starts = _starts(data)
    for start, end, new in sorted((_edit(data, starts, case, texts) for case, texts in wanted), reverse=True):
        text = text[:start] + new.encode() + text[end:]
    if _objects(text, cases[0].document.file) == [case.object for case in cases]:
        return text
    at = Location(cases[0].document.file)
    problems.report("case-update", "a file must be one that --update can write into, found one of another form", at)
    return None


def missing(case: Case, outcome: Outcome) -> list[str]:
    """The texts that a document should have: of every error what all versions say; empty if it has some."""
    if not case.expected.refused or case.expected.errors or not outcome.answers:
        return []
    if not all(answer.errors for answer in outcome.answers):
        return []
    newest = max(outcome.answers, key=lambda answer: max(answer.minors))
    common = {_common(said.text, outcome.answers) for said in newest.errors}
    return sorted(common - {""})


def _common(text: str, answers: Iterable[Answer]) -> str:
    """As much of a text, up to a colon, as all versions say."""
    while text and not all(text in answer.joined for answer in answers):
        text = text.rpartition(": ")[0]
    return text


def _starts(data: bytes) -> list[int]:
    """Where each line starts, the first behind a byte order mark."""
    first = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
    return [match.start() for match in _LINE.finditer(data, first)]


def _edit(data: bytes, starts: Sequence[int], case: Case, texts: Sequence[str]) -> Edit:
    if "_err" in case.given:
        return _fill(data, starts, case.place(("_err",), key=True), texts)
    at = case.at
    start, line = _offset(data, starts, at)
    if data[start : start + 1] == b"{":
        return start + 1, start + 1, "".join(f'"{key}": {value}, ' for key, value in _flow(texts))
    end = "\r\n" if line.endswith(b"\r\n") else "\n"
    indent = " " * (at.column - 1)
    lines = [f"_err: {_quoted(texts[0])}"] if len(texts) == 1 else ["_errs:", *(f"- {_quoted(text)}" for text in texts)]
    return start, start, "".join(f"{each}{end}{indent}" for each in lines)


def _flow(texts: Sequence[str]) -> list[tuple[str, str]]:
    written = ", ".join(map(_double, texts))
    return [("_err", written) if len(texts) == 1 else ("_errs", f"[{written}]")]


def _fill(data: bytes, starts: Sequence[int], at: Location, texts: Sequence[str]) -> Edit:
    """An _err that is there without a text gets it, or becomes a list of them."""
    start, line = _offset(data, starts, at)
    text = line.decode()[at.column - 1 :]
    found = _EMPTY.match(text)
    if found is None:
        return start, start, ""
    listed = f"_errs: [{', '.join(map(_quoted, texts))}]"
    return start, start + len(found[0].encode()), listed if len(texts) > 1 else f"{found[1]} {_quoted(texts[0])}"


def _offset(data: bytes, starts: Sequence[int], at: Location) -> tuple[int, bytes]:
    """The byte of a place, and its line."""
    start = starts[at.line - 1]
    line = data[start : starts[at.line] if at.line < len(starts) else len(data)]
    return start + len(line.decode("utf-8", "replace")[: at.column - 1].encode()), line


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'" if _PLAIN.fullmatch(text) else _double(text)


def _double(text: str) -> str:
    """A text in double quotes, as both YAML and JSON read it."""
    return printed(json.dumps(text, ensure_ascii=False))


def _objects(text: bytes, file: str) -> list[object]:
    return [case.object for case in read_cases(text, file, Problems())]
