"""Assembly of findings to a report: without duplicates, sorted by place with notes last, limited, with source lines.

The limit keeps findings of every kind that is compared, so that no kind hides another.

It is independent of output formats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Finding, Location, Severity
from protoc_gen_crd.findings.source_lines import SourceFiles, choose_search_text, find_caret_line, find_in_line

if TYPE_CHECKING:
    from protoc_gen_crd.findings.severity_policy import PolicyEntry

MAX_ITEMS = 100
MAX_TEXT_LENGTH = 2_000  # characters of a message
_MAX_KINDS = 10  # kinds with omitted findings that are named


class Snippet(Record):
    """A source line with the part to mark: column from 0, width in characters; line number 0 if unknown."""

    text: str
    column: int
    width: int
    number: int


class ReportItem(Record):
    """A finding to print. `snippet` is None if neither the source nor an excerpt is available.

    `related` is another place that the finding is about. `is_first` is as in `Finding`. `rank` is its number in the
    order of importance, from 0.
    """

    rule: str
    severity: Severity
    message: str
    at: Location | None
    path: str
    hint: str
    snippet: Snippet | None
    details: Mapping[str, Any] = {}
    related: Location | None = None
    is_first: bool = False
    rank: int = 0

    @property
    def kind(self) -> str:
        """Return the compared kind (`group/Kind`) that the finding is about, otherwise an empty string."""
        return str(self.details.get("kind", ""))


class Report(Record):
    """The findings of a run, the number of omitted ones, and the total counts by severity.

    `details` are further members in JSON. `omitted_by_kind` are the numbers of the omitted findings of each compared
    kind. `baseline` is the older state that the findings are new against, empty for a
    run without one.
    """

    items: tuple[ReportItem, ...]
    omitted: int
    counts: Mapping[Severity, int]
    details: Mapping[str, Any] = {}
    baseline: str = ""
    omitted_by_kind: Mapping[str, int] = {}

    def has_severity(self, severity: Severity) -> bool:
        """Return whether there is a finding of this severity or a higher one."""
        return any(count and other >= severity for other, count in self.counts.items())

    @property
    def omission(self) -> str:
        """The numbers of omitted findings: `20 more not shown: 15 of acme.io/A, 4 of acme.io/B`; empty for none."""
        kinds = list(self.omitted_by_kind.items())
        parts = [f"{count} of {kind}" for kind, count in kinds[:_MAX_KINDS]]
        parts += [f"{len(kinds) - _MAX_KINDS} more kinds"] if len(kinds) > _MAX_KINDS else []
        suffix = f": {', '.join(parts)}" if parts else ""
        return f"{self.omitted} more not shown{suffix}" if self.omitted else ""

    @property
    def heading(self) -> str:
        """The counts as a phrase: `2 errors, 1 warning`; empty for none."""
        worst_first = sorted(self.counts.items(), reverse=True)
        return ", ".join(f"{n} {name.name.lower()}{'s' * (n != 1)}" for name, n in worst_first if n)


def build_report(
    findings: Sequence[Finding],
    entries: Sequence[PolicyEntry],
    sources: SourceFiles,
    cap: int = MAX_ITEMS,
    packages: Collection[str] | None = None,
    command: str = "",
) -> Report:
    """Build the report of a run: apply the policy, sort the findings, and limit their number.

    Args:
        findings: The findings in the order of detection.
        entries: The policy of the settings.
        sources: The files whose lines the report quotes.
        cap: The maximum number of findings; more are counted.
        packages: As in `severity_policy.apply_policy`.
        command: As in `severity_policy.apply_policy`; without it, unused entries are not reported.
    """
    if not findings and not entries:
        return Report((), 0, {})
    from protoc_gen_crd.findings.rule_catalog import load_rules  # noqa: PLC0415 - a run without findings reads no catalog
    from protoc_gen_crd.findings.severity_policy import apply_policy  # noqa: PLC0415

    needs_rules = entries or any(
        finding.severity is None for finding in findings
    )  # the warnings of compat=istio have theirs
    rules = load_rules() if needs_rules else {}
    return assemble_report(apply_policy(findings, entries, rules, packages, command), sources, cap)


def assemble_report(findings: Iterable[Finding], sources: SourceFiles, cap: int = MAX_ITEMS) -> Report:
    """Assemble the report of findings. Above the cap, the least important are omitted, as `_rank` orders them."""
    items = [_make_item(finding, sources) for finding in findings]
    order = _ReportOrder(items)
    distinct: dict[object, ReportItem] = {}
    for item in order.sort(items):
        distinct.setdefault((item.rule, item.message, item.at), item)
    ranked = _rank(distinct.values())
    shown = order.sort(map(_clip, ranked[:cap]))
    counts = {severity: sum(item.severity == severity for item in ranked) for severity in Severity if severity}
    omitted = Counter(item.kind for item in ranked[cap:] if item.kind)
    return Report(tuple(shown), len(ranked) - len(shown), counts, omitted_by_kind=dict(sorted(omitted.items())))


def _rank(items: Iterable[ReportItem]) -> list[ReportItem]:
    """Return findings in the order of their importance.

    The most important finding of each kind is first. Then the more severe ones follow, those of kinds in turn. Of
    equally severe ones of a kind, those of different rules are in turn.
    """
    by_kind: dict[str, list[tuple[bool, int, int, int, ReportItem]]] = {}
    numbers = Counter[tuple[str, str]]()
    for index, item in enumerate(items):
        key = item.kind, item.rule
        by_kind.setdefault(item.kind, []).append((not item.is_first, -item.severity, numbers[key], index, item))
        numbers[key] += 1
    ranked = [
        (rank > 0, is_other, severity, rank, index, item)
        for own in by_kind.values()
        for rank, (is_other, severity, _, index, item) in enumerate(sorted(own, key=itemgetter(slice(4))))
    ]
    ordered = sorted(ranked, key=itemgetter(slice(5)))
    return [item.replace(rank=rank) for rank, (*_, item) in enumerate(ordered)]


class _ReportOrder:
    """Order by place, with notes after all errors and warnings: those on the same element follow its last one.

    Findings that are reported first are in front.
    """

    def __init__(self, items: Iterable[ReportItem]) -> None:
        self._ends: dict[tuple[str, str], tuple[int, int]] = {}
        for item in items:
            if item.at and item.path and item.severity > Severity.NOTE:
                key, place = (item.at.file, item.path), (item.at.line, item.at.column)
                self._ends[key] = max(place, self._ends.get(key, place))

    def sort(self, items: Iterable[ReportItem]) -> list[ReportItem]:
        return sorted(items, key=self._get_key)

    def _get_key(self, item: ReportItem) -> tuple[bool, bool, str, int, int, bool, str, str, str, str]:
        at, is_note = item.at or Location(""), item.severity <= Severity.NOTE
        end = self._ends.get((at.file, item.path)) if is_note else None
        line, column = max((at.line, at.column), end or (0, 0))
        is_last = is_note and not end
        return not item.is_first, is_last, at.file, line, column, is_note, item.rule, item.message, item.path, item.hint


def _make_item(finding: Finding, sources: SourceFiles) -> ReportItem:
    at = sources.locate(finding.at.resolve(), finding.excerpt) if finding.at else None
    snippet = _make_snippet(finding, at, sources)
    if at and snippet and snippet.number:
        at = at.replace(column=snippet.column + 1)
    location = at.replace(file=sources.get_path(at.file)) if at else None
    related = sources.locate(finding.related.resolve(), None) if finding.related else None
    severity = cast(Severity, finding.severity)
    return ReportItem(
        finding.rule,
        severity,
        finding.message,
        location,
        finding.path,
        finding.hint,
        snippet,
        finding.details,
        related,
        finding.is_first,
    )


def _clip(item: ReportItem) -> ReportItem:
    """Shorten the message and hint of a finding to their ends."""
    if max(len(item.message), len(item.hint)) <= MAX_TEXT_LENGTH:
        return item
    return item.replace(message=_shorten(item.message), hint=_shorten(item.hint))


def _shorten(string: str) -> str:
    omitted, half = len(string) - MAX_TEXT_LENGTH, MAX_TEXT_LENGTH // 2
    return string if omitted <= 0 else f"{string[:half]}… {omitted:,} more characters …{string[-half:]}"


def _make_snippet(finding: Finding, at: Location | None, sources: SourceFiles) -> Snippet | None:
    line = sources.read_line(at) if at else ""
    excerpt = finding.excerpt
    if excerpt is None:
        return Snippet(line, at.column - 1, 1, at.line) if at and at.column and line else None
    caret_line = find_caret_line(excerpt)
    start = find_in_line(line, choose_search_text(excerpt), at.column if at else 0)
    if at and start >= 0:
        indent = len(caret_line.text) - len(caret_line.text.lstrip())
        return Snippet(line, start + caret_line.column - indent, excerpt.width, at.line)
    return Snippet(caret_line.text, caret_line.column, excerpt.width, 0)
