"""Characters of a class: ranges, their folding and complement, with Unicode 15 as in Go 1.21 to 1.26.

The Unicode tables are loaded when a class first needs them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache, lru_cache

from protoc_gen_crd.regex.character_set_names import ASCII_SETS
from protoc_gen_crd.regex.pattern_tokens import Member

# Closed ranges in ascending order that neither overlap nor touch.
Ranges = tuple[tuple[int, int], ...]

_MAX_RUNE = 0x10FFFF
# Sets that are unions of other sets.
UNIONS = {
    "C": "Cc Cf Cn Co Cs",
    "C without Cn": "Cc Cf Co Cs",
    "L": "Ll Lm Lo Lt Lu",
    "LC": "Ll Lt Lu",
    "M": "Mc Me Mn",
    "N": "Nd Nl No",
    "P": "Pc Pd Pe Pf Pi Po Ps",
    "S": "Sc Sk Sm So",
    "Z": "Zl Zp Zs",
    "Assigned": "Cc Cf Co Cs L M N P S Z",
}

# Go's tables of the characters that folding adds to a set do not contain LC: (?i)\p{LC} lacks U+0345, which \p{L} has.
_NOT_FOLDED = ("LC",)


@lru_cache(maxsize=1024)
def resolve_class(members: tuple[Member, ...], *, negated: bool, fold: bool) -> Ranges:
    """Return the characters of a class.

    With `fold`, every member contains all cases of its characters before it is negated.
    """
    characters: list[tuple[int, int]] = []
    for name, other in members:
        if isinstance(name, str):
            ranges = _fold_ranges(_get_named_set(name)) if fold and name not in _NOT_FOLDED else _get_named_set(name)
            characters += compute_complement(ranges) if other else ranges
        else:
            characters += _fold_ranges(((name, other),)) if fold else ((name, other),)
    return compute_complement(merge_ranges(characters)) if negated else merge_ranges(characters)


def merge_ranges(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return the union of ranges in any order."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(high, merged[-1][1])
        else:
            merged.append((low, high))
    return tuple(merged)


def compute_complement(ranges: Ranges) -> Ranges:
    """Return the ranges of all other characters."""
    gaps, after = [], 0
    for low, high in ranges:
        if after < low:
            gaps.append((after, low - 1))
        after = high + 1
    return (*gaps, (after, _MAX_RUNE)) if after <= _MAX_RUNE else tuple(gaps)


def get_fold_orbit(char: int) -> tuple[int, ...]:
    """Return a character and all characters that differ from it only in case, in ascending order."""
    return _read_orbits().get(char) or (char,)


def _fold_ranges(ranges: Ranges) -> Ranges:
    cased, orbits = _list_cased(), _read_orbits()
    members = [cased[bisect_left(cased, low) : bisect_right(cased, high)] for low, high in ranges]
    return merge_ranges([*ranges, *((other, other) for chars in members for char in chars for other in orbits[char])])


@cache
def _get_named_set(name: str) -> Ranges:
    if bounds := ASCII_SETS.get(name):
        return tuple((ord(bounds[at]), ord(bounds[at + 1])) for at in range(0, len(bounds), 2))
    if name == "Any":
        return ((0, _MAX_RUNE),)
    if name == "Cn":
        return compute_complement(_get_named_set("Assigned"))
    if parts := UNIONS.get(name):
        return merge_ranges(pair for part in parts.split() for pair in _get_named_set(part))
    return _decode_ranges(_read_entries()[name])


def _decode_ranges(entry: str) -> Ranges:
    ranges, at = [], 0
    for word in entry.split():
        gap, _, more = word.partition("+")
        low = at + int(gap, 36)
        at = low + int(more or "0", 36) + 1
        ranges.append((low, at - 1))
    return tuple(ranges)


@cache
def _read_entries() -> dict[str, str]:
    from protoc_gen_crd.regex.unicode_tables import SETS  # noqa: PLC0415 - few patterns need it

    named = (entry.split(maxsplit=1) for entry in SETS.split(";"))
    return dict(named)


@cache
def _read_orbits() -> dict[int, tuple[int, ...]]:
    from protoc_gen_crd.regex.unicode_tables import FOLDS  # noqa: PLC0415 - few patterns need it

    folded: dict[int, list[int]] = {}
    for entry in FOLDS.split(";"):
        start, count, step, distance = (int(number, 36) for number in entry.split("+"))
        for char in range(start, start + count * step, step):
            folded.setdefault(char, []).append(char + distance)
    orbits = [(char, *sorted(chars)) for char, chars in folded.items()]
    return {char: orbit for orbit in orbits for char in orbit}


@cache
def _list_cased() -> list[int]:
    return sorted(_read_orbits())
