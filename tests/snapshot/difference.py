"""The difference between two snapshots, with renamed rule ids and cases taken into account."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

_CASE, _RULE = 1, 2  # the columns of a line


def read_renamed(text: str) -> dict[str, str]:
    """Read a map of renamed rule ids and cases: a line is `OLD NEW`; blank lines and lines from # on are ignored.

    Raises ValueError for a line that is not a pair.
    """
    renamed: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if len(words) not in (0, 2):
            raise ValueError(f"line {number}: expected OLD NEW: {line!r}")
        renamed |= {words[0]: words[1]} if words else {}
    return renamed


def difference(old: Iterable[str], new: Iterable[str], renamed: Mapping[str, str]) -> list[str]:
    """Return the lines that only one snapshot contains, grouped by case: `-` for the old one, `+` for the new one."""
    before = Counter(_apply(line, renamed) for line in old)
    after = Counter(new)
    cases: dict[str, list[str]] = defaultdict(list)
    for sign, lines in (("-", before - after), ("+", after - before)):
        for line, count in sorted(lines.items()):
            kind, case, *rest = line.split("\t")
            times = f"  ({count} times)" if count > 1 else ""
            cases[case].append(f"  {sign} {kind} {' '.join(rest)}{times}")
    return [line for case in sorted(cases) for line in (case, *cases[case])]


def _apply(line: str, renamed: Mapping[str, str]) -> str:
    columns = line.split("\t")
    case, number, run = columns[_CASE].partition("#")
    columns[_CASE] = f"{renamed.get(case, case)}{number}{run}"
    if columns[0] == "finding":
        columns[_RULE] = renamed.get(columns[_RULE], columns[_RULE])
    return "\t".join(columns)
