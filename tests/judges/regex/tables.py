"""Writes unicode_tables.py from what Go's unicode package holds: `go run . tables | python tables.py 1.26`."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

OUT = Path(__file__).parents[3] / "protoc_gen_crd" / "regex" / "unicode_tables.py"
DERIVED = {"C", "L", "LC", "M", "N", "P", "S", "Z", "Cn"}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
HEAD = '''"""The character sets and case foldings of Unicode {version}, as Go {go} has them. Generated: do not edit.

Numbers are in base 36. A set is `name gap+more gap+more ...;`: `gap` characters after the range before (or from zero)
are not in it, the next one is, and so are `more` after that (without `+more`, none). A folding is
`start+count+step+distance;`: each of `count` characters from `start` on in steps of `step` folds to the one `distance`
further on; the first character of an orbit of three or four does so in two or three foldings.
"""
'''


def base36(number: int) -> str:
    """The number in base 36."""
    rest, digit = divmod(number, 36)
    return (base36(rest) if rest else "") + DIGITS[digit]


def ranges(pairs: list[tuple[int, int]]) -> Iterator[str]:
    """The words of one set."""
    at = 0
    for low, high in pairs:
        yield base36(low - at) + (f"+{base36(high - low)}" if high > low else "")
        at = high + 1


def orbit_pairs(folds: dict[int, int]) -> list[tuple[int, int]]:
    """Each character that is not the first of its orbit, with the distance from the first."""
    pairs = []
    for char, fold in folds.items():
        first = min(char, fold)
        while fold != char:
            first, fold = min(first, fold), folds[fold]
        if first != char:
            pairs.append((first, char - first))
    return sorted(pairs, key=lambda pair: (pair[1], pair[0]))


def foldings(folds: dict[int, int]) -> Iterator[str]:
    """The entries of the folding table."""
    for distance, group in groupby(orbit_pairs(folds), key=lambda pair: pair[1]):
        firsts = [first for first, _ in group]
        while firsts:
            step = 1 if firsts[1:2] == [firsts[0] + 1] else 2
            count = next(n for n in range(1, len(firsts) + 1) if firsts[n : n + 1] != [firsts[0] + n * step])
            yield "+".join(base36(number) for number in (firsts[0], count, step, distance))
            firsts = firsts[count:]


def assignment(name: str, entries: list[str]) -> str:
    """One constant of the module."""
    body = textwrap.fill("; ".join(entries), 118, break_long_words=False, break_on_hyphens=False)
    return f'\n{name} = """\n{body}\n"""\n'


def main() -> None:
    """Read the judge's tables from stdin, write the module."""
    tables = json.load(sys.stdin)
    sets = [
        f"{name} {' '.join(ranges(tables['sets'][name]))}" for name in sorted(tables["sets"]) if name not in DERIVED
    ]
    head = HEAD.format(version=tables["version"], go=sys.argv[1])
    OUT.write_text(head + assignment("SETS", sets) + assignment("FOLDS", list(foldings(dict(tables["folds"])))))


if __name__ == "__main__":
    main()
