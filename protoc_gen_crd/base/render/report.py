"""Findings to a Report: duplicates dropped, sorted by place, capped, each with the line to show.

Knows no output format.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from protoc_gen_crd.base.diagnostics import Finding, Location, Severity
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.render.sources import Sources, caret_line, find, needle

if TYPE_CHECKING:
    from protoc_gen_crd.base.policy import Entry

CAP = 100
LONGEST = 2_000  # characters of a message


class Snippet(Record):
    """A line to show and what its caret points at: column from 0, width in characters; line number 0 if unknown."""

    text: str
    column: int
    width: int
    number: int


class Item(Record):
    """A finding ready to print. `snippet` is None where neither the source nor an excerpt is at hand."""

    rule: str
    severity: Severity
    message: str
    at: Location | None
    path: str
    hint: str
    snippet: Snippet | None


class Report(Record):
    """The findings of a run: at most CAP of them, how many more there are, and how many of each severity in all."""

    items: tuple[Item, ...]
    left_out: int
    counts: Mapping[Severity, int]

    def reaches(self, severity: Severity) -> bool:
        """Whether there is a finding of this severity or a worse one."""
        return any(count and found >= severity for found, count in self.counts.items())

    @property
    def heading(self) -> str:
        """The counts in words: `2 errors, 1 warning`; empty for none."""
        worst_first = sorted(self.counts.items(), reverse=True)
        return ", ".join(f"{n} {name.name.lower()}{'s' * (n != 1)}" for name, n in worst_first if n)


def conclude(
    findings: Sequence[Finding],
    entries: Sequence[Entry],
    sources: Sources,
    cap: int = CAP,
    packages: Collection[str] | None = None,
) -> Report:
    """The end of every run: the policy decides on severities, what is left is put in order, up to the cap.

    `packages` are as `policy.resolve` takes them.
    """
    if not findings and not entries:
        return Report((), 0, {})
    from protoc_gen_crd.base.catalogue import rules  # noqa: PLC0415 - a run that finds nothing reads no catalogue
    from protoc_gen_crd.base.policy import resolve  # noqa: PLC0415

    return make_report(resolve(findings, entries, rules(), packages), sources, cap)


def make_report(findings: Iterable[Finding], sources: Sources, cap: int = CAP) -> Report:
    """The report on findings. Where there are more than the cap, the least severe are left out, then the last."""
    distinct: dict[object, Item] = {}
    for item in sorted((_item(finding, sources) for finding in findings), key=_place):
        distinct.setdefault((item.rule, item.message, item.at), item)
    ordered = list(distinct.values())
    shown = sorted(map(_clipped, sorted(ordered, key=lambda item: -item.severity)[:cap]), key=_place)
    counts = {severity: sum(item.severity == severity for item in ordered) for severity in Severity if severity}
    return Report(tuple(shown), len(ordered) - len(shown), counts)


def _place(item: Item) -> tuple[str, int, int, str, str, str, str]:
    at = item.at or Location("")
    return at.file, at.line, at.column, item.rule, item.message, item.path, item.hint


def _item(finding: Finding, sources: Sources) -> Item:
    at = sources.exact(finding.at.resolve(), finding.excerpt) if finding.at else None
    snippet = _snippet(finding, at, sources)
    if at and snippet and snippet.number:
        at = at.replace(column=snippet.column + 1)
    shown = at.replace(file=sources.path(at.file)) if at else None
    severity = cast(Severity, finding.severity)
    return Item(finding.rule, severity, finding.message, shown, finding.path, finding.hint, snippet)


def _clipped(item: Item) -> Item:
    """The finding with both ends of texts that nobody would read to their ends."""
    if max(len(item.message), len(item.hint)) <= LONGEST:
        return item
    return item.replace(message=_ends(item.message), hint=_ends(item.hint))


def _ends(text: str) -> str:
    left_out, half = len(text) - LONGEST, LONGEST // 2
    return text if left_out <= 0 else f"{text[:half]}… {left_out:,} more characters …{text[-half:]}"


def _snippet(finding: Finding, at: Location | None, sources: Sources) -> Snippet | None:
    line = sources.line(at) if at else ""
    excerpt = finding.excerpt
    if excerpt is None:
        return Snippet(line, at.column - 1, 1, at.line) if at and at.column and line else None
    held = caret_line(excerpt)
    start = find(line, needle(excerpt), at.column if at else 0)
    if at and start >= 0:
        indent = len(held.text) - len(held.text.lstrip())
        return Snippet(line, start + held.column - indent, excerpt.width, at.line)
    return Snippet(held.text, held.column, excerpt.width, 0)
