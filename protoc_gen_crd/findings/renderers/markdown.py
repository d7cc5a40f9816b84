"""A report as Markdown, for the comment on a pull request or the summary of a job.

Foreign strings are escaped, and do not mention users or link to issues. Source: docs.github.com "Basic writing and
formatting syntax".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from protoc_gen_crd.base.markdown_escapes import cell, code, fenced, plain
from protoc_gen_crd.findings.renderers.text import format_snippet
from protoc_gen_crd.findings.report_order_and_limits import Report, ReportItem

_MAX_LENGTH = 30_000  # characters of the table and of the details; a comment on GitHub has at most 65,536
_REFERENCE = re.compile(r"[@#!&](?=\w)")  # a user, an issue, or a merge request


def render_markdown(report: Report) -> str:
    """Return the counts and the verdict, a table of the findings, and their details in a collapsed section."""
    lines = [f"### protoc-gen-crd: {report.heading or 'no findings'}", ""]
    if verdict := str(report.details.get("verdict", "")):
        note = f" ({report.details['verdict_note']})" if "verdict_note" in report.details else ""
        lines += [f"**Verdict: {_escape(verdict + note)}**", ""]
    if report.items:
        lines += ["| severity | place | finding | rule |", "|---|---|---|---|"]
        ranks = [item.rank for item in report.items]
        lines += [line for row in _limit([[_format_row(item)] for item in report.items], ranks) for line in row]
        lines += ["", "<details>", "<summary>Details</summary>", ""]
        lines += [line for block in _limit([_format_block(item) for item in report.items], ranks) for line in block]
        lines += ["</details>", ""]
    if report.omission:
        lines += [_escape(report.omission), ""]
    return "\n".join(lines)


def _limit(blocks: Sequence[list[str]], ranks: Sequence[int]) -> Iterator[list[str]]:
    """Yield the blocks of the lowest ranks that fit into a comment, and a line for the others."""
    by_rank = sorted(range(len(blocks)), key=ranks.__getitem__)
    lengths = accumulate(sum(len(line) + 1 for line in blocks[index]) for index in by_rank)
    shown = {index for index, length in zip(by_rank, lengths, strict=True) if length <= _MAX_LENGTH}
    yield from (block for index, block in enumerate(blocks) if index in shown)
    if len(shown) < len(blocks):
        yield ["", f"{len(blocks) - len(shown)} more not shown", ""]


def _format_row(item: ReportItem) -> str:
    columns = (item.severity.name.lower(), _format_place(item), _escape(item.message), code(item.rule))
    return f"| {' | '.join(map(cell, columns))} |"


def _format_place(item: ReportItem) -> str:
    return code(str(item.at)) if item.at else ""


def _format_block(item: ReportItem) -> list[str]:
    place = f"{_format_place(item)}: " if item.at else ""
    lines = [f"{place}**{item.severity.name.lower()}**: {_escape(item.message)} ({code(item.rule)})", ""]
    if item.snippet:
        lines += [*fenced("\n".join(format_snippet(item.snippet))), ""]
    if item.related and item.related != item.at:
        lines += [f"Old place: {code(str(item.related))}", ""]
    if item.hint:
        lines += [f"Hint: {_escape(item.hint)}", ""]
    return lines


def _escape(string: str) -> str:
    """Escape a string on one line. A comment in front of a name prevents that it is read as a reference."""
    return _REFERENCE.sub(r"\g<0><!-- -->", plain(string))
