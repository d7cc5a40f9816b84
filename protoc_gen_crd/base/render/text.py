"""A report as text for people: place, severity, message, the line with a caret, a hint."""

from __future__ import annotations

import re

from protoc_gen_crd.base.diagnostics import Severity
from protoc_gen_crd.base.render.report import Item, Report, Snippet

WINDOW = 110  # characters of a long line that are shown

_UNSAFE = "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_CARET = "32"
_BOLD = "1"


def render(report: Report, *, colour: bool = False) -> str:
    """The findings and a closing line with the counts; empty for a report without findings."""
    return f"{body(report, colour=colour)}{report.heading}\n" if report.items else ""


def response_error(report: Report) -> str:
    """The text for CodeGeneratorResponse.error: the counts first, as protoc puts the plugin's name before the text."""
    return f"{report.heading}\n{body(report)}".rstrip("\n")


def body(report: Report, *, colour: bool = False) -> str:
    """The findings alone, one block each."""
    blocks = [_block(item, colour=colour) for item in report.items]
    if report.left_out:
        blocks.append(f"{report.left_out} more not shown\n")
    return "".join(blocks)


def _block(item: Item, *, colour: bool) -> str:
    name = item.severity.name.lower()
    place = f"{_paint(visible(str(item.at)), _BOLD, colour)}: " if item.at else ""
    lines = [f"{place}{_paint(name, _COLOURS[item.severity], colour)}: {visible(item.message)} [{item.rule}]"]
    if item.snippet:
        lines += _pointed(item.snippet, colour=colour)
    if item.hint:
        lines.append(f"  hint: {visible(item.hint)}")
    return "\n".join(lines) + "\n"


def _pointed(snippet: Snippet, *, colour: bool) -> list[str]:
    """The line and the caret line below it, both behind the same margin."""
    snippet = _clipped(snippet)
    before, marked = visible(snippet.text[: snippet.column]), snippet.text[snippet.column :][: snippet.width]
    number = str(snippet.number or "")
    caret = "^" + "~" * (_columns(visible(marked)) - 1)
    return [
        f"{number:>5} | {visible(snippet.text)}",
        f"      | {_blank(before)}{_paint(caret, _CARET, colour)}",
    ]


def _clipped(snippet: Snippet) -> Snippet:
    """The part of a long line around its caret."""
    if len(snippet.text) <= WINDOW:
        return snippet
    start = max(0, min(snippet.column - WINDOW // 2, len(snippet.text) - WINDOW))
    end = start + WINDOW
    head, tail = "…" * (start > 0), "…" * (end < len(snippet.text))
    width = max(1, min(snippet.width, end - snippet.column))
    return snippet.replace(
        text=head + snippet.text[start:end] + tail, column=snippet.column - start + len(head), width=width
    )


def visible(text: str) -> str:
    """The text on one line; control and direction characters are spelled out, so that no source steers a terminal."""
    return text if text.isprintable() else re.sub(_UNSAFE, lambda match: repr(match[0])[1:-1], text)


def _blank(text: str) -> str:
    """As much white space as the text is wide; tabs stay tabs."""
    return "".join("\t" if character == "\t" else " " * _columns(character) for character in text)


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width  # noqa: PLC0415 - few lines need it

    return sum(1 + (east_asian_width(character) in "WF") for character in text)


def _paint(text: str, code: str, colour: bool) -> str:  # noqa: FBT001 - three arguments, always by position
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text
