"""A report for terminals: place, severity, message, the line with a caret, a hint."""

from __future__ import annotations

from protoc_gen_crd.base.escapes import terminal_line
from protoc_gen_crd.findings.finding import Severity
from protoc_gen_crd.findings.report_order_and_limits import Report, ReportItem, Snippet

WINDOW = 110  # characters of a long line that are shown
_ELLIPSIS = "…"  # takes one column

_COLORS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_CARET = "32"
_BOLD = "1"


def render(report: Report, *, color: bool = False) -> str:
    """Return the findings and a last line with the counts; empty for a report without findings."""
    return f"{render_findings(report, color=color)}{report.heading}\n" if report.items else ""


def render_response_error(report: Report) -> str:
    """Return the message for CodeGeneratorResponse.error: counts first, since protoc prefixes the plugin's name."""
    return f"{report.heading}\n{render_findings(report)}".rstrip("\n")


def render_findings(report: Report, *, color: bool = False) -> str:
    """Return only the findings, one block each."""
    blocks = [_format_block(item, color=color) for item in report.items]
    if report.omission:
        blocks.append(f"{report.omission}\n")
    return "".join(blocks)


def _format_block(item: ReportItem, *, color: bool) -> str:
    name = item.severity.name.lower()
    place = f"{_paint(terminal_line(str(item.at)), _BOLD, color)}: " if item.at else ""
    severity = _paint(name, _COLORS[item.severity], color)
    lines = [f"{place}{severity}: {terminal_line(item.message)} [{item.rule}]"]
    if item.snippet:
        lines += format_snippet(item.snippet, color=color)
    if item.hint:
        lines.append(f"  hint: {terminal_line(item.hint)}")
    return "\n".join(lines) + "\n"


def format_snippet(snippet: Snippet, *, color: bool = False) -> list[str]:
    """Return the source line and the caret line below it, with the same margin."""
    snippet = _clip(snippet)
    before, marked = (
        terminal_line(snippet.text[: snippet.column]),
        snippet.text[snippet.column :][: snippet.width],
    )
    number = str(snippet.number or "")
    caret = "^" + "~" * (_count_columns(terminal_line(marked)) - 1)
    return [
        f"{number:>5} | {terminal_line(snippet.text)}",
        f"      | {_make_blank(before)}{_paint(caret, _CARET, color)}",
    ]


def _clip(snippet: Snippet) -> Snippet:
    """Return the part of a long line around its caret."""
    if len(snippet.text) <= WINDOW:
        return snippet
    start = max(0, min(snippet.column - WINDOW // 2, len(snippet.text) - WINDOW))
    end = start + WINDOW
    head, tail = _ELLIPSIS * (start > 0), _ELLIPSIS * (end < len(snippet.text))
    width = max(1, min(snippet.width, end - snippet.column))
    return snippet.replace(
        text=head + snippet.text[start:end] + tail, column=snippet.column - start + len(head), width=width
    )


def _make_blank(string: str) -> str:
    """Return white space of the width of a string; tabs stay tabs."""
    return "".join("\t" if character == "\t" else " " * _count_columns(character) for character in string)


def _count_columns(string: str) -> int:
    if string.isascii() or string == _ELLIPSIS:
        return len(string)
    from unicodedata import east_asian_width  # noqa: PLC0415 - few lines need it

    return sum(1 + (east_asian_width(character) in "WF") for character in string)


def _paint(string: str, code: str, color: bool) -> str:  # noqa: FBT001 - three arguments, always by position
    return f"\x1b[{code}m{string}\x1b[0m" if color else string
